//! What fails inside the backend, and the kind of store error that it becomes.
//!
//! Work on a connection fails with a [`Failure`], which knows neither the operation nor the file; both
//! are added once, where the answer leaves the backend. So no statement has to name them.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use rusqlite::ffi;

use mnemograph_store::{ErrorKind, StoreError};

/// Result of work on a connection.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why work on a connection failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// SQLite said so.
    Sqlite(rusqlite::Error),
    /// The caller asked for something impossible: what, and what to do.
    Refused(String),
    /// What was read cannot have been written by this engine.
    Damaged(String),
    /// The store was opened on a file that it may only read.
    ReadOnly,
    /// The work panicked, with this message.
    Panicked(String),
    /// The thread that should do the work is gone.
    Stopped,
    /// The commit was sent and its end is not known.
    CommitLost(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Failure {
    /// The failure of a COMMIT: when the disk did not confirm, nobody knows what a restart will find.
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

    /// What SQLite or a reader found, where that is damage.
    pub(super) fn damage(&self) -> Option<String> {
        match self {
            Self::Sqlite(cause) if kind_of(cause) == ErrorKind::Damaged => Some(cause.to_string()),
            Self::Damaged(what) => Some(what.clone()),
            _ => None,
        }
    }
}

/// The extended SQLite result code of an error, when it has one.
pub(super) fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|e| e.extended_code)
}

/// The kind that callers see.
pub(super) fn kind_of(error: &rusqlite::Error) -> ErrorKind {
    use rusqlite::Error as E;
    // The shared memory file could not grow: on every system that means no space.
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

/// The kind of a failure to make a file or folder.
pub(super) fn kind_of_io(error: &io::Error) -> ErrorKind {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorKind::ReadOnly,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::Full,
        _ => ErrorKind::Unavailable,
    }
}

/// What is wrong with a file, and what to do about it.
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
