//! Why an experiment could not be run: a folder that cannot be read, or a definition that means nothing.

use std::fmt;

/// An experiment that could not be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct LabError {
    /// The operation, its object, and the reason.
    pub message: String,
    /// The remedy.
    pub hint: String,
}

/// The result type of the lab.
pub type LabResult<T> = Result<T, LabError>;

impl LabError {
    /// An error with its remedy.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A meaningless definition, with its place.
    pub fn definition(place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::new(
            format!("{place}: {what}"),
            "docs/lab.md describes the files of a tool",
        )
    }
}
