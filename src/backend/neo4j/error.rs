//! Failures on the way to the server and back, and their conversion to store errors.
//!
//! A write has one of three fates: refused, not executed, or unknown. The last two are retried, an unknown one only
//! where the write recognises itself if it was executed before.

use std::fmt;

use neo4rs::{DeError, Error};

use super::bolt::codes::{
    is_of_statement, is_of_the_moment, is_refusal, is_unreachable, kind_of_code,
    kind_of_connection, proves_no_commit, says_read_only,
};
use hindlore_store::{ErrorKind, StoreError};

/// Result of work on the server.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why work failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refused, and nothing was committed.
    Server {
        /// Its code, such as `Neo.ClientError.Schema.ConstraintValidationFailed`.
        code: String,
        /// Its message.
        message: String,
    },
    /// The connection failed, and nothing was committed.
    Lost(Error),
    /// This step timed out, and nothing was committed.
    Late(&'static str),
    /// The outcome is unknown: the answer timed out.
    Unknown(String),
    /// The outcome is unknown: the connection failed.
    Cut(String),
    /// The outcome is unknown: the commit was refused with a code that the server also uses after writing.
    Doubtful {
        /// Its code.
        code: String,
        /// The step and the server's message.
        what: String,
    },
    /// A read got no answer: it timed out, or the connection failed.
    Unanswered(String),
    /// The circuit breaker stayed open until the deadline.
    Away,
    /// An impossible request: the fault and the remedy.
    Refused(String),
    /// Data that this engine cannot have written.
    Damaged(String),
    /// The database is read-only.
    ReadOnly,
    /// The decision panicked.
    Panicked(String),
    /// The runtime is shutting down.
    Stopped,
    /// A complete store error, made where it occurred.
    Store(StoreError),
}

/// The message about an unfinished copy into something, with the advice.
pub(super) fn unended_copy(what: impl fmt::Display) -> String {
    format!("a copy into {what} has not ended; wait for it, or begin it again where it was cut off")
}

impl From<DeError> for Failure {
    fn from(error: DeError) -> Self {
        Self::Damaged(format!("a value that cannot be read ({error})"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(format!("a text that cannot be read ({error})"))
    }
}

impl Failure {
    /// The failure of a step before any commit, so nothing was written.
    pub(super) fn from_driver(error: Error, step: &'static str) -> Self {
        match error {
            Error::Neo4j(error) => Self::Server {
                code: error.code().to_owned(),
                message: error.message().to_owned(),
            },
            Error::ConnectionTimedOut => Self::Late(step),
            Error::DeserializationError(error) => error.into(),
            error => Self::Lost(error),
        }
    }

    /// The failure of an auto-commit statement before its rows are pulled: a refusal then means that it did not run. A
    /// broken connection proves nothing once something was sent.
    pub(super) fn from_single_statement(error: Error, step: &'static str) -> Self {
        let never_sent = is_unreachable(&error);
        match Self::from_driver(error, step) {
            Self::Lost(error) if !never_sent => {
                Self::Cut(format!("the connection failed during `{step}`: {error}"))
            }
            Self::Late(step) => Self::Unknown(format!("`{step}` was not answered in time")),
            failure => failure,
        }
    }

    /// The failure of a COMMIT. The request went out, so only a refusal proves that nothing was written, and only one
    /// that the server issues before it writes.
    pub(super) fn from_commit(error: Error) -> Self {
        Self::from_commit_point(error, "COMMIT", proves_no_commit)
    }

    /// The failure of an auto-commit write while its rows are pulled. The last row follows the commit, so most refusals
    /// prove nothing; those that only a running statement can raise prove that it did not get that far.
    pub(super) fn from_streamed_write(error: Error, step: &'static str) -> Self {
        Self::from_commit_point(error, step, |code| {
            proves_no_commit(code) || is_of_statement(code)
        })
    }

    fn from_commit_point(
        error: Error,
        step: &'static str,
        is_proof: impl Fn(&str) -> bool,
    ) -> Self {
        match error {
            Error::Neo4j(error) if !is_proof(error.code()) => Self::Doubtful {
                code: error.code().to_owned(),
                what: format!("`{step}`: {}", error.message()),
            },
            error @ Error::Neo4j(_) => Self::from_driver(error, step),
            Error::ConnectionTimedOut => {
                Self::Unknown(format!("`{step}` was not answered in time"))
            }
            error => Self::Cut(format!("the connection failed during `{step}`: {error}")),
        }
    }

    /// The failure of a read: with nothing to write, no outcome is unknown.
    pub(super) fn into_read_failure(self) -> Self {
        match self {
            Self::Unknown(what) | Self::Cut(what) => Self::Unanswered(what),
            Self::Doubtful { code, what } => Self::Server {
                code,
                message: what,
            },
            failure => failure,
        }
    }

    /// The failure of a task that lost an answer earlier. A later refusal proves nothing about the earlier attempt,
    /// with three exceptions: a finding under the lock, a uniqueness violation (by which a write recognises itself),
    /// and a read-only database, which took no write before either.
    pub(super) fn after_lost_answer(self) -> Self {
        let tells = self.is_repeat() || self.is_read_only();
        let then = match self {
            Self::Server { code, message } if !tells => {
                format!("the server said: {message} ({code})")
            }
            Self::Doubtful { code, what } => format!("the server said: {what} ({code})"),
            Self::Lost(error) => format!("the connection failed: {error}"),
            Self::Late(step) => format!("`{step}` was not answered in time"),
            Self::Away => "the server could not be reached".to_owned(),
            Self::Stopped => "the program ended".to_owned(),
            found => return found,
        };
        Self::Unknown(format!("an answer was lost, and after that {then}"))
    }

    /// The failure to read something while a copy into it is unfinished.
    pub(super) fn half_copied(what: impl fmt::Display) -> Self {
        Self::Store(StoreError::new(
            ErrorKind::HalfCopied,
            "look",
            unended_copy(what),
        ))
    }

    /// The failure of a copy or an erase that another instance has restarted.
    pub(super) fn begun_anew() -> Self {
        let reason = "somebody else has begun anew what is written here; look who, and begin again";
        Self::Refused(reason.to_owned())
    }

    /// True when a retry of the same work may succeed.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Server { code, .. } => {
                code.starts_with("Neo.TransientError.")
                    || code.ends_with(".LockAcquisitionTimeout")
                    // A node was deleted while a read without the lock passed over it, such as a compacted record.
                    || code.ends_with(".EntityNotFound")
                    || is_of_the_moment(code)
            }
            Self::Lost(error) => !is_refusal(error),
            Self::Late(_) | Self::Unknown(_) | Self::Cut(_) | Self::Doubtful { .. } => true,
            _ => false,
        }
    }

    /// True when the outcome is doubtful and the code is not a passing one.
    pub(super) fn is_final_doubt(&self) -> bool {
        matches!(self, Self::Doubtful { code, .. } if !code.starts_with("Neo.TransientError."))
    }

    /// True when a cluster had no leader at this address, or the login had expired.
    pub(super) fn is_of_the_moment(&self) -> bool {
        matches!(self, Self::Server { code, .. } | Self::Doubtful { code, .. } if is_of_the_moment(code))
    }

    /// True when the server ran out of memory, possibly because of this work alone.
    pub(super) fn is_want_of_memory(&self) -> bool {
        match self {
            Self::Server { code, .. } | Self::Doubtful { code, .. } => code.contains("OutOfMemory"),
            _ => false,
        }
    }

    /// True when nothing answers at the address, or the server is still starting.
    pub(super) fn is_absence(&self) -> bool {
        match self {
            Self::Lost(error) => is_unreachable(error) && !is_refusal(error),
            Self::Cut(_) => true,
            Self::Server { code, .. } => code.ends_with(".DatabaseUnavailable"),
            _ => false,
        }
    }

    /// True when a write may have been executed.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(
            self,
            Self::Unknown(_) | Self::Cut(_) | Self::Doubtful { .. }
        )
    }

    /// True when the connection failed or could not be made.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Cut(_))
    }

    /// True when the server refused a duplicate of something unique.
    pub(super) fn is_repeat(&self) -> bool {
        matches!(self, Self::Server { code, .. } if code.ends_with(".ConstraintValidationFailed"))
    }

    /// True when the database is read-only.
    pub(super) fn is_read_only(&self) -> bool {
        match self {
            Self::Server { code, message } => says_read_only(code, message),
            Self::ReadOnly => true,
            _ => false,
        }
    }

    /// True when no lock can be had, since the database or this user may only read.
    pub(super) fn allows_no_lock(&self) -> bool {
        let is_forbidden = |code: &str| code.ends_with(".Security.Forbidden");
        self.is_read_only() || matches!(self, Self::Server { code, .. } if is_forbidden(code))
    }

    /// The store error of `operation` on `server`.
    pub(super) fn into_store_error(self, operation: &'static str, server: &str) -> StoreError {
        let error = |kind, context: String| StoreError::new(kind, operation, context);
        match self {
            Self::Server { code, message } => {
                let (kind, advice) = kind_of_code(&code, &message);
                error(kind, format!("`{server}` {advice}")).caused_by(format!("{message} ({code})"))
            }
            Self::Lost(cause) => {
                let (kind, advice) = kind_of_connection(&cause);
                error(kind, format!("`{server}` {advice}")).caused_by(cause)
            }
            Self::Late(step) => error(
                ErrorKind::Unavailable,
                format!(
                    "`{server}` did not answer `{step}` in time and nothing was written; try again"
                ),
            ),
            Self::Away => error(
                ErrorKind::Unavailable,
                format!("`{server}` cannot be reached; check that it runs, and its address"),
            ),
            Self::Unknown(what) | Self::Cut(what) => error(
                ErrorKind::UnknownOutcome,
                format!("`{server}` did not confirm the write ({what}); ask again by the same id"),
            ),
            Self::Doubtful { code, what } => error(
                ErrorKind::UnknownOutcome,
                format!("`{server}` did not confirm the write; ask again by the same id"),
            )
            .caused_by(format!("{what} ({code})")),
            Self::Unanswered(what) => error(
                ErrorKind::Unavailable,
                format!("`{server}` did not answer ({what}); check that it runs, and ask again"),
            ),
            Self::Refused(reason) => error(ErrorKind::Invalid, reason),
            Self::Damaged(what) => error(
                ErrorKind::Damaged,
                format!("`{server}` holds {what}; run a check, or restore a backup"),
            ),
            Self::ReadOnly => error(
                ErrorKind::ReadOnly,
                format!(
                    "the database on `{server}` may only be read; allow writes, or name another one"
                ),
            ),
            Self::Panicked(message) => error(
                ErrorKind::Unexpected,
                format!("the decision panicked and nothing was written: {message}"),
            ),
            Self::Stopped => error(
                ErrorKind::Unavailable,
                format!("the work on `{server}` was stopped; the program is ending"),
            ),
            Self::Store(error) => error,
        }
    }
}
