//! Writing a file as a whole: what was there stays until all of the new one is on disk.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::api::problem::Problem;
use crate::cli::place;

/// How files begin in which a store keeps memories: the database, its log of either byte order, and its index.
const OF_STORES: [&[u8]; 4] = [
    b"SQLite format 3\0",
    b"\x37\x7f\x06\x82",
    b"\x37\x7f\x06\x83",
    b"\x18\xe2\x2d\x00",
];

/// Refuses a file that holds a store, or a part of one; `own` is the store that is open, which is not looked into.
pub fn must_not_hold_a_store(path: &Path, own: &str) -> Result<(), Problem> {
    if !place::is_same(&path.to_string_lossy(), own) && !begins_like_a_store(path) {
        return Ok(());
    }
    let message = format!("`{}` holds a store; nothing was written", path.display());
    Err(Problem::new("unwritten_output", message).with_hint("name another file"))
}

fn begins_like_a_store(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|about| about.is_file());
    let mut first = Vec::new();
    let read = File::open(path)
        .ok()
        .filter(|_| is_file)
        .map(|file| file.take(16).read_to_end(&mut first));
    matches!(read, Some(Ok(_))) && OF_STORES.iter().any(|begin| first.starts_with(begin))
}

/// Makes a folder where there is none, and makes sure that files can be put into it.
pub fn writable_folder(path: &Path) -> io::Result<()> {
    private_folder(path)?;
    let trial = path.join(format!(".mnemograph-{}.part", std::process::id()));
    File::create_new(&trial)?;
    fs::remove_file(&trial)
}

/// Puts `bytes` in the place of a file, or makes it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
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
    let written = private_file(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        keep_owner(&target, &file)?;
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

/// Makes a folder for its owner alone, and those above it; what is there stays as it is.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut making = fs::DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(path)
}

/// Makes a file for its owner alone, which was not there.
fn private_file(path: &Path) -> io::Result<File> {
    let mut making = fs::OpenOptions::new();
    making.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut making, 0o600);
    making.open(path)
}

/// Gives a new file what the one in its place allows its owner, where that is less, and the same owner.
#[cfg(unix)]
fn keep_owner(target: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let Ok(before) = fs::metadata(target) else {
        return Ok(());
    };
    let mode = before.permissions().mode() & 0o600;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    let ours = file.metadata()?;
    if (ours.uid(), ours.gid()) != (before.uid(), before.gid()) {
        // Only some may give a file away; it is written all the same.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}
