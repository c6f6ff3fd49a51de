//! What fails on the way to the server and back, and the kind of store error that it becomes.
//!
//! The difference that matters is what is known about a write: it was refused, it was not carried out,
//! or nobody knows. Only the last two are tried again, and the last one only where the write finds
//! itself when it was carried out before.

use std::fmt;

use neo4rs::{DeError, Error};

use super::codes::{
    is_of_statement, is_refusal, is_unreachable, kind_of_code, kind_of_connection,
    proves_no_commit, says_read_only,
};
use mnemograph_store::{ErrorKind, StoreError};

/// Result of work on the server.
pub(super) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why work failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server said so.
    Server {
        /// Its code, such as `Neo.ClientError.Schema.ConstraintValidationFailed`.
        code: String,
        /// What it said.
        message: String,
    },
    /// The connection failed, and nothing was committed.
    Lost(Error),
    /// The answer to this did not come in time, and nothing was committed.
    Late(&'static str),
    /// What was sent may have been carried out or not: the answer did not come in time.
    Unknown(String),
    /// What was sent may have been carried out or not: the connection failed.
    Cut(String),
    /// What was sent may have been carried out or not: the server said no when it was to be committed, with a code that
    /// it also has for what it has written.
    Doubtful {
        /// Its code.
        code: String,
        /// What it said, of which step.
        what: String,
    },
    /// A question has no answer: it did not come in time, or the connection failed.
    Unanswered(String),
    /// The server cannot be reached, and somebody else who tries has not reached it either.
    Away,
    /// The caller asked for something impossible: what, and what to do.
    Refused(String),
    /// What was read cannot have been written by this engine.
    Damaged(String),
    /// The database may only be read.
    ReadOnly,
    /// The decision panicked.
    Panicked(String),
    /// The runtime is shutting down.
    Stopped,
    /// Anything else, made ready where it was found.
    Store(StoreError),
}

/// Says that a copy into something has not ended, and what to do.
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
    /// The failure of a step after which nothing is committed yet.
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

    /// The failure of a statement of its own before its rows were asked for: what the server says then it says
    /// instead of carrying it out.
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

    /// The failure of a COMMIT. Its connection was there, so that nothing but a refusal proves anything, and of
    /// refusals only those of which the server is sure.
    pub(super) fn from_commit(error: Error) -> Self {
        Self::from_commit_point(error, "COMMIT", proves_no_commit)
    }

    /// The failure of a statement of its own that writes, while its rows were read: the last of them is given once it
    /// is committed. What only a statement runs into proves that it did not come that far.
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

    /// The failure of a question, which writes nothing.
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

    /// The failure of work of which an answer was lost before: what the server or the way to it says later proves
    /// nothing of then. What was found under the lock does, and so does a second one of what must be unique, by which
    /// a write finds itself; a database that may only be read took nothing.
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

    /// The failure of a look at what somebody copies into.
    pub(super) fn half_copied(what: impl fmt::Display) -> Self {
        Self::Store(StoreError::new(
            ErrorKind::HalfCopied,
            "look",
            unended_copy(what),
        ))
    }

    /// The failure of a copy that somebody else has begun again.
    pub(super) fn begun_anew() -> Self {
        let reason = "somebody else has begun anew what is written here; look who, and begin again";
        Self::Refused(reason.to_owned())
    }

    /// True when the same work may succeed if it is tried again.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Server { code, .. } => {
                code.starts_with("Neo.TransientError.")
                    || code.ends_with(".LockAcquisitionTimeout")
                    // A record that was compacted while it was read; under a lock it does not happen.
                    || code.ends_with(".EntityNotFound")
            }
            Self::Lost(error) => !is_refusal(error),
            Self::Late(_) | Self::Unknown(_) | Self::Cut(_) | Self::Doubtful { .. } => true,
            _ => false,
        }
    }

    /// True when the server said no where it may have written, and is not known to say something else the next time.
    pub(super) fn is_final_doubt(&self) -> bool {
        matches!(self, Self::Doubtful { code, .. } if !code.starts_with("Neo.TransientError."))
    }

    /// True when the server has too little memory, which may be the fault of this work alone.
    pub(super) fn is_want_of_memory(&self) -> bool {
        match self {
            Self::Server { code, .. } | Self::Doubtful { code, .. } => code.contains("OutOfMemory"),
            _ => false,
        }
    }

    /// True when a write may have been carried out.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(
            self,
            Self::Unknown(_) | Self::Cut(_) | Self::Doubtful { .. }
        )
    }

    /// True when there is no connection to the server, or no longer.
    pub(super) fn is_cut(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Cut(_))
    }

    /// True when the server refused a second one of what must be unique.
    pub(super) fn is_repeat(&self) -> bool {
        matches!(self, Self::Server { code, .. } if code.ends_with(".ConstraintValidationFailed"))
    }

    /// True when the database may only be read.
    pub(super) fn is_read_only(&self) -> bool {
        match self {
            Self::Server { code, message } => says_read_only(code, message),
            Self::ReadOnly => true,
            _ => false,
        }
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
