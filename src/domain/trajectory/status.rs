//! The outcome of an execution.

use hindlore_primitives::word_enum;

word_enum! {
    /// The outcome of an execution.
    Status {
        /// The task was done.
        Success = "success",
        /// The task was not done.
        Failure = "failure",
        /// A part of it was done.
        Partial = "partial",
    }
}

impl Status {
    /// The score of an outcome without one, 0..=1.
    pub fn score(self) -> f64 {
        match self {
            Self::Success => 1.0,
            Self::Partial => 0.5,
            Self::Failure => 0.0,
        }
    }

    /// Whether lessons take it as passed; a partial outcome is neither.
    pub fn passed(self) -> Option<bool> {
        match self {
            Self::Success => Some(true),
            Self::Failure => Some(false),
            Self::Partial => None,
        }
    }
}
