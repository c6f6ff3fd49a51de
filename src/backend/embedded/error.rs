//! Failures inside the backend, and their conversion to store errors.
//!
//! A [`Failure`] knows neither the operation nor the file. Both are added once, where the answer leaves the backend, so
//! that no statement has to name them.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use hindlore_store::{ErrorKind, StoreError};

/// Result of work on a connection.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why work on a connection failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// An error of SQLite.
    Sqlite(rusqlite::Error),
    /// An impossible request: the fault and the remedy.
    Refused(String),
    /// Data that this engine cannot have written.
    Damaged(String),
    /// A write to a read-only file.
    ReadOnly,
    /// The path no longer names the opened file, or its log is gone.
    Gone,
    /// The work panicked, with this message.
    Panicked(String),
    /// The pool has stopped.
    Stopped,
    /// The commit was sent, but the disk did not confirm it.
    CommitLost(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Failure {
    /// The failure of a COMMIT. After a failed fsync it is unknown whether a restart will find the commit.
    pub(super) fn from_commit(error: rusqlite::Error) -> Self {
        match extended_code(&error) {
            Some(ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC) => Self::CommitLost(error),
            _ => Self::Sqlite(error),
        }
    }

    /// The store error of `operation` on `file`.
    pub(super) fn into_store_error(self, operation: &'static str, file: &Path) -> StoreError {
        let file = file.display();
        let error = |kind, context: String| StoreError::new(kind, operation, context);
        match self {
            Self::Sqlite(cause) => {
                let kind = kind_of(&cause);
                error(kind, format!("`{file}` {}", advice(kind))).caused_by(cause)
            }
            Self::Refused(reason) => error(ErrorKind::Invalid, reason),
            Self::Damaged(what) => error(
                ErrorKind::Damaged,
                format!("`{file}` holds {what}; run a check, or restore a backup"),
            ),
            Self::ReadOnly => error(
                ErrorKind::ReadOnly,
                format!("`{file}` {}", advice(ErrorKind::ReadOnly)),
            ),
            Self::Gone => error(
                ErrorKind::Unavailable,
                format!(
                    "`{file}` is no longer the file that this program opened: it or its log was removed, moved or \
                     replaced; nothing was read or written; put it back, or restart the program"
                ),
            ),
            Self::Panicked(message) => error(
                ErrorKind::Unexpected,
                format!("the work on `{file}` panicked and nothing was written: {message}"),
            ),
            Self::Stopped => error(
                ErrorKind::Unavailable,
                format!("the store on `{file}` was closed; open it again"),
            ),
            Self::CommitLost(cause) => error(
                ErrorKind::UnknownOutcome,
                format!(
                    "the disk did not confirm the commit to `{file}`; ask again by the same id"
                ),
            )
            .caused_by(cause),
        }
    }

    /// The description of the damage, if the failure is damage.
    pub(super) fn damage(&self) -> Option<String> {
        match self {
            Self::Sqlite(cause) if kind_of(cause) == ErrorKind::Damaged => Some(cause.to_string()),
            Self::Damaged(what) => Some(what.clone()),
            _ => None,
        }
    }
}

/// The extended SQLite result code of an error, if it has one.
pub(super) fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|e| e.extended_code)
}

/// The kind that callers see.
pub(super) fn kind_of(error: &rusqlite::Error) -> ErrorKind {
    use rusqlite::Error as E;
    // SQLite reports this as an I/O error, but the shared-memory file fails to grow only on a full disk.
    if extended_code(error) == Some(ffi::SQLITE_IOERR_SHMSIZE) {
        return ErrorKind::Full;
    }
    match error {
        E::SqliteFailure(e, _) => match e.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => ErrorKind::Busy,
            ErrorCode::ReadOnly => ErrorKind::ReadOnly,
            ErrorCode::DiskFull => ErrorKind::Full,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => ErrorKind::Damaged,
            ErrorCode::CannotOpen | ErrorCode::PermissionDenied => ErrorKind::Unavailable,
            ErrorCode::ConstraintViolation | ErrorCode::TooBig => ErrorKind::Invalid,
            _ => ErrorKind::Unexpected,
        },
        E::ToSqlConversionFailure(_) => ErrorKind::Invalid,
        E::FromSqlConversionFailure(..)
        | E::IntegralValueOutOfRange(..)
        | E::InvalidColumnType(..)
        | E::Utf8Error(..) => ErrorKind::Damaged,
        _ => ErrorKind::Unexpected,
    }
}

/// The kind of a failure to create a file or folder.
pub(super) fn kind_of_io(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorKind::ReadOnly,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::Full,
        _ => ErrorKind::Unavailable,
    }
}

/// The end of a message about a file: the fault and the remedy.
pub(super) fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Busy => {
            "was locked by another process for too long; try again, or raise the busy timeout"
        }
        ErrorKind::ReadOnly => {
            "or its folder may only be read; allow this user to write, or name another file"
        }
        ErrorKind::Full => "has no space left on its disk; free some and try again",
        ErrorKind::Damaged => "is damaged; run a check, or restore a backup",
        ErrorKind::Unavailable => "cannot be opened; check the path and its permissions",
        ErrorKind::Invalid => "cannot take these values, and nothing was written; correct them",
        _ => "could not be worked on, and nothing was written; the cause follows",
    }
}
