//! Replaces files atomically: the old contents stay until the new ones are on disk.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::place;
use hindlore_api::problem::Problem;

/// First bytes of store files: the database, its log in either byte order, and its index.
const OF_STORES: [&[u8]; 4] = [
    b"SQLite format 3\0",
    b"\x37\x7f\x06\x82",
    b"\x37\x7f\x06\x83",
    b"\x18\xe2\x2d\x00",
];

/// Refuses a file that is part of a store; `own`, the open store, is refused without a look inside.
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

/// Creates a missing folder, and checks that files can be created in it.
pub fn writable_folder(path: &Path) -> io::Result<()> {
    private_folder(path)?;
    let trial = path.join(format!(".hindlore-{}.part", std::process::id()));
    File::create_new(&trial)?;
    fs::remove_file(&trial)
}

/// Creates or replaces a file with `bytes`.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = match fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // A device or pipe cannot be replaced, only written to.
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
    // Keep a symbolic link: replace its target.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft_of(&target)?;
    let written = private_file(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        keep_owner(&target, &file)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&draft, &target));
    if done.is_err() {
        // The first failure is the one to report.
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

/// Creates a folder and its missing parents for their owner only; existing ones stay as they are.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut making = fs::DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(path)
}

/// Creates a new file for its owner only.
fn private_file(path: &Path) -> io::Result<File> {
    let mut making = fs::OpenOptions::new();
    making.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut making, 0o600);
    making.open(path)
}

/// Gives a new file the owner of the one it replaces, and its owner permissions if narrower.
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
        // Only privileged users may change owners; without that the file is still written.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}
