//! Why a benchmark could not be run at all. A single row that cannot be measured is no error.

/// A benchmark that could not be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// The operation, its object, and the reason.
    pub message: String,
    /// The remedy.
    pub hint: String,
}

impl EvalError {
    /// An error with its remedy.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }
}
