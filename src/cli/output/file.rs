//! Writing a file as a whole: what was there stays until all of the new one is on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::api::problem::Problem;

/// Puts `bytes` in the place of a file, or makes it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = match fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // A device or a pipe cannot be replaced, only written to.
        Ok(about) if !about.is_file() => fs::write(path, bytes),
        Ok(_) | Err(_) => through_draft(path, bytes),
    };
    written.map_err(|error| {
        Problem::new(
            "unwritten_output",
            format!("`{}` cannot be written: {error}", path.display()),
        )
        .with_hint("check that the folder exists, that you may write there, and the disk")
    })
}

fn through_draft(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link: what it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft_of(&target)?;
    let written = File::create_new(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&draft, &target));
    if done.is_err() {
        // The first failure is the one to tell.
        let _ = fs::remove_file(&draft);
    }
    done
}

fn draft_of(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut draft = std::ffi::OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}.part", std::process::id()));
    Ok(target.with_file_name(draft))
}
