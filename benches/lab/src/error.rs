//! Why an experiment could not be run: a folder that cannot be read, or a definition that means nothing.

use std::fmt;

/// An experiment that could not be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct LabError {
    /// What was tried on what, and how it ended.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// What the lab answers.
pub type LabResult<T> = Result<T, LabError>;

impl LabError {
    /// An error with what to do about it.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A definition that means nothing, with where it stands.
    pub fn definition(place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::new(
            format!("{place}: {what}"),
            "docs/lab.md describes the files of a tool",
        )
    }
}
