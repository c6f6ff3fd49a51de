//! Settings of others on the disk: read as regular files, written whole or not at all, with links followed to their end.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// Bytes of the largest file that is edited; settings with the history of a year have some ten million.
const BYTES_MAX: u64 = 256 << 20;
/// Links followed before a loop is assumed, as the kernel does.
const LINKS_MAX: usize = 40;

/// Where a path leads when every link in it is followed, also one whose target does not exist yet.
///
/// # Errors
/// Those of the file system; links in a loop.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    let mut links = 0;
    let mut ahead: Vec<OsString> = parts(path);
    while let Some(part) = ahead.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                real.pop();
                continue;
            }
            Some(Component::Normal(_)) => {}
            _ => {
                real.push(part);
                continue;
            }
        }
        let next = real.join(&part);
        let target = match fs::symlink_metadata(&next) {
            Ok(about) if about.is_symlink() => fs::read_link(&next)?,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => {
                real = next;
                continue;
            }
        };
        links += 1;
        if links > LINKS_MAX {
            return Err(io::Error::other("its links lead in a circle"));
        }
        ahead.extend(parts(&target));
    }
    Ok(real)
}

/// The parts of a path, the last one first; the root replaces the parts before it.
fn parts(path: &Path) -> Vec<OsString> {
    let names = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| part.as_os_str().to_owned());
    let mut names: Vec<_> = names.collect();
    names.reverse();
    names
}

/// Reads a file; `None` where there is none.
///
/// # Errors
/// Those of the file system; a file that is no regular one, is too large, or is no text in UTF-8.
pub(crate) fn read(file: &Path) -> io::Result<Option<String>> {
    let about = match fs::metadata(file) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !about.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if about.len() > BYTES_MAX {
        return Err(io::Error::other(format!(
            "it has {} bytes, and the limit is {BYTES_MAX}",
            about.len()
        )));
    }
    let text = String::from_utf8(fs::read(file)?);
    text.map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::other(format!("it is no text in UTF-8, from byte {at} on"))
    })
}

/// Whether an existing file may not be written: its owner has removed the right to write.
pub(crate) fn is_read_only(file: &Path) -> bool {
    let Ok(about) = fs::metadata(file) else {
        return false;
    };
    let opened = || fs::OpenOptions::new().append(true).open(file);
    about.permissions().readonly()
        || opened().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

/// The folders that writing a file would make, the outermost first.
pub(crate) fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let missing = file.ancestors().skip(1).take_while(|one| !one.exists());
    let mut missing: Vec<_> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Writes a file through a draft next to it, with the owner and rights of `like` if that exists.
///
/// # Errors
/// Those of the file system; the file is then as it was.
pub(crate) fn write_whole(file: &Path, text: &str, like: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = OsString::from(".");
    name.push(file.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    let draft = file.with_file_name(name);
    let written = fs::File::create_new(&draft).and_then(|mut open| {
        if let Ok(about) = fs::metadata(like) {
            keep_owner(&draft, &about);
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

/// Gives a draft the owner of the file that it replaces, where this user may: an administrator who installs for a person must
/// not take the file from them.
#[cfg(unix)]
fn keep_owner(draft: &Path, about: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, chown};
    let _ = chown(draft, Some(about.uid()), Some(about.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

/// Removes a file; one that is gone already is no fault.
///
/// # Errors
/// Those of the file system.
pub(crate) fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
