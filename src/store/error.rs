//! Errors of a store: a kind for callers to act on, and the rest for people.

use std::error::Error;

/// Result of a store operation.
pub type StoreResult<T> = Result<T, StoreError>;

/// The kinds of failure that a caller may handle differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The backend cannot be reached or opened.
    Unavailable,
    /// Another writer held the lock for too long.
    Busy,
    /// A copy into this store is unfinished: another process continues it, or it was interrupted.
    HalfCopied,
    /// The backend refuses writes.
    ReadOnly,
    /// The disk is full.
    Full,
    /// The data cannot have been written by this engine: it is damaged, or was changed by hand.
    Damaged,
    /// The file or database belongs to another program.
    Foreign,
    /// The schema was made by a newer engine.
    NewerSchema,
    /// The schema was made by a build before the first release.
    OldSchema,
    /// The request itself is impossible; a retry cannot help.
    Invalid,
    /// The answer did not come in time; whether the write happened is unknown.
    UnknownOutcome,
    /// Anything else.
    Unexpected,
}

/// A failed store operation: the operation, its object, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{operation} failed: {}", self.context_with_cause())]
pub struct StoreError {
    kind: ErrorKind,
    operation: &'static str,
    context: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StoreError {
    /// An error of `operation` (a verb, lower case); `context` names the object and the remedy.
    pub fn new(kind: ErrorKind, operation: &'static str, context: impl Into<String>) -> Self {
        Self {
            kind,
            operation,
            context: context.into(),
            source: None,
        }
    }

    /// Adds the error that caused this one.
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Copies the error for another caller. A cause cannot be cloned, so it becomes part of the context.
    pub fn repeat(&self) -> Self {
        Self::new(self.kind, self.operation, self.context_with_cause())
    }

    /// The context with its cause. A cause may be another program's sentence, so its full stop is cut off.
    fn context_with_cause(&self) -> String {
        let Some(source) = &self.source else {
            return self.context.clone();
        };
        let source = source.to_string();
        format!("{}: {}", self.context, source.trim_end_matches('.'))
    }

    /// The kind, the only part that callers act on.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}
