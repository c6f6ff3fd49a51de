//! Why a benchmark could not be run at all. A single row that cannot be measured is no error.

use std::fmt;

/// A benchmark that could not be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalError {
    /// What was tried on what, and how it ended.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl EvalError {
    /// An error with what to do about it.
    pub fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}
