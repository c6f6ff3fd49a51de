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

word_enum! {
    /// The state of an execution: open, ended without an outcome, or its outcome.
    State {
        /// It has not ended.
        Open = "open",
        /// It ended without a reported outcome.
        Ended = "ended",
        /// The task was done.
        Success = "success",
        /// The task was not done.
        Failure = "failure",
        /// A part of it was done.
        Partial = "partial",
    }
}

impl State {
    /// The state of an execution with an outcome, if it has one.
    pub fn of(status: Option<Status>, has_ended: bool) -> Self {
        match (status, has_ended) {
            (Some(Status::Success), _) => Self::Success,
            (Some(Status::Failure), _) => Self::Failure,
            (Some(Status::Partial), _) => Self::Partial,
            (None, true) => Self::Ended,
            (None, false) => Self::Open,
        }
    }

    /// The outcome that the state is.
    pub fn outcome(self) -> Option<Status> {
        Status::from_word(self.word())
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
