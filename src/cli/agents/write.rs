//! Settings of others, written whole or not at all, with a backup of what was there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Suffix of the backup.
const BACKUP: &str = "before-mnemograph";

/// Reads a file; `None` where there is none.
///
/// # Errors
/// Those of the file system; a file that is no text.
pub(crate) fn read(file: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces a file, or removes it for `None`; what was there is kept beside it. Returns the backup, if one was made.
/// A link stays one: the file that it leads to is replaced.
///
/// # Errors
/// Those of the file system; the file is then as it was.
pub(crate) fn replace(
    file: &Path,
    before: Option<&str>,
    now: Option<&str>,
) -> io::Result<Option<PathBuf>> {
    let file = &fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let mut backup = None;
    if let Some(before) = before {
        let place = with_suffix(file, BACKUP);
        write_whole(&place, before, file)?;
        backup = Some(place);
    }
    match now {
        Some(now) => write_whole(file, now, file)?,
        None => remove(file)?,
    }
    Ok(backup)
}

/// Removes a file, and the folders above it that only existed for it.
fn remove(file: &Path) -> io::Result<()> {
    fs::remove_file(file)?;
    let own_folder = file
        .parent()
        .filter(|folder| folder.ends_with("skills/mnemograph"));
    if let Some(folder) = own_folder {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

/// Writes a file by a draft beside it, with the rights of `like`.
fn write_whole(file: &Path, text: &str, like: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let draft = with_suffix(file, "draft");
    let written = fs::File::create(&draft).and_then(|mut open| {
        if let Ok(about) = fs::metadata(like) {
            open.set_permissions(about.permissions())?;
        }
        open.write_all(text.as_bytes())?;
        open.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&draft, file));
    if done.is_err() {
        let _ = fs::remove_file(&draft);
    }
    done
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}
