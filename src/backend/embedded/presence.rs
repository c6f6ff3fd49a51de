//! Notices that the file at a store's path is no longer the one that was opened.
//!
//! SQLite keeps using an open file regardless of its name: it answers reads from a removed file, and acknowledges
//! writes that no later program will find. So every read looks at the path once, and every write looks at it right
//! before its commit. A log that was removed under the store would lose writes in the same way, so writes look at it,
//! too. A look costs one `stat`, about a microsecond.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::error::{Failure, Result};

/// The file of a store, and its log.
#[derive(Debug)]
pub(super) struct Presence {
    path: PathBuf,
    log: PathBuf,
    /// `None` where the system has no identity of files.
    file: Option<FileId>,
    /// Unset until the log is seen for the first time: SQLite creates it late.
    log_file: OnceLock<FileId>,
}

/// The identity of a file, independent of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileId {
    device: u64,
    inode: u64,
}

impl Presence {
    /// The file at a path, which has just been opened.
    pub(super) fn of(path: &Path) -> Self {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Self {
            path: path.to_owned(),
            log: log.into(),
            file: look(path),
            log_file: OnceLock::new(),
        }
    }

    /// True if the path still names the file.
    pub(super) fn is_there(&self) -> bool {
        // Without an identity there is nothing to compare, so the file counts as present.
        self.file.is_none_or(|file| look(&self.path) == Some(file))
    }

    /// Refuses to read a file that its path no longer names.
    pub(super) fn must_be_there(&self) -> Result<()> {
        if self.is_there() {
            Ok(())
        } else {
            Err(Failure::Gone)
        }
    }

    /// Refuses to commit where no later program would find the commit. Call it under the write lock, when the log exists.
    pub(super) fn must_keep(&self) -> Result<()> {
        self.must_be_there()?;
        let now = look(&self.log);
        match (self.log_file.get(), now) {
            (Some(known), now) if now != Some(*known) => Err(Failure::Gone),
            (None, Some(now)) => {
                // Another writer of this store may have been faster, with the same file.
                let _ = self.log_file.set(now);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(unix)]
fn look(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    let about = std::fs::metadata(path).ok()?;
    Some(FileId {
        device: about.dev(),
        inode: about.ino(),
    })
}

/// Elsewhere an open file can be neither removed nor replaced.
#[cfg(not(unix))]
fn look(_: &Path) -> Option<FileId> {
    None
}
