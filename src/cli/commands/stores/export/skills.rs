//! Skills as folders below a folder: those of an export, and no longer those of one before.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::unreadable;
use crate::output::file;
use hindlore_api::export::skill::{File, MADE_BY};
use hindlore_api::problem::Problem;
use hindlore_config::{Links, read_regular_file};

/// Name of the file of a skill.
const SKILL: &str = "SKILL.md";
/// Maximum size of that file in bytes.
const SKILL_MAX: u64 = 16 << 20;

/// Writes skills, and removes those of an earlier export that this one lacks. A foreign skill of the same name is
/// refused before anything is changed.
pub(super) fn write(folder: &Path, files: &[File]) -> Result<(), Problem> {
    for one in files {
        let path = folder.join(&one.path);
        if is_ours(&path)? == Some(false) {
            let message = format!(
                "`{}` is a skill that hindlore did not write",
                path.display()
            );
            return Err(Problem::new("unwritten_output", message)
                .with_hint("name another folder; nothing was written"));
        }
    }
    for one in files {
        let path = folder.join(&one.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| unreadable(parent, &error))?;
        }
        if read_regular_file(&path, SKILL_MAX, Links::Follow)
            .ok()
            .as_deref()
            != Some(one.text.as_bytes())
        {
            file::replace(&path, one.text.as_bytes())?;
        }
    }
    remove_others(folder, files)
}

/// Returns true if the skill at a path is one of ours; `None` if there is none.
fn is_ours(path: &Path) -> Result<Option<bool>, Problem> {
    match read_regular_file(path, SKILL_MAX, Links::Follow) {
        Ok(text) => {
            let mut lines = text.split(|byte| *byte == b'\n');
            Ok(Some(lines.any(|line| line == MADE_BY.as_bytes())))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// Removes our skills that are not among the files; their folders too, unless they hold other files.
fn remove_others(folder: &Path, files: &[File]) -> Result<(), Problem> {
    let kept: HashSet<PathBuf> = files.iter().map(|one| folder.join(&one.path)).collect();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unreadable(folder, &error)),
    };
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        let path = entry.path().join(SKILL);
        // A link may lead to a foreign folder.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !kept.contains(&path) && is_ours(&path)? == Some(true) {
            fs::remove_file(&path).map_err(|error| unreadable(&path, &error))?;
            // It fails where something else is in it, and then the folder stays.
            let _ = fs::remove_dir(entry.path());
        }
    }
    Ok(())
}
