//! Why a model did not answer. No message holds a key, a prompt or an address with credentials.

use std::time::Duration;

/// Why a model did not answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelError {
    /// The address could not be reached, or the connection broke.
    #[error("the model cannot be reached: {0}")]
    Unreachable(String),
    /// There was no whole answer in time.
    #[error("the model did not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// Too many requests.
    #[error("the vendor takes no more requests for {}", .after.map_or("now".to_owned(), |after| format!("{} s", after.as_secs())))]
    RateLimited {
        /// When to come back, if the vendor named a time.
        after: Option<Duration>,
    },
    /// The vendor's server failed.
    #[error("the vendor's server failed with status {0}")]
    Failed(u16),
    /// The vendor refused the request.
    #[error("the vendor refused the request with status {status}: {said}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// The vendor's message, at most 300 characters.
        said: String,
    },
    /// The answer is not the vendor's JSON: a page of a proxy, or of another service.
    #[error("what answered is no model: it begins with `{begins}`")]
    NotJson {
        /// Its beginning, at most 80 characters.
        begins: String,
    },
    /// The vendor's answer lacks a field, or has it in another form.
    #[error("the answer of {vendor} has no `{field}` in the known form")]
    Field {
        /// Path of the field, such as `choices[0].message.content`.
        field: &'static str,
        /// The sender of the answer.
        vendor: &'static str,
    },
    /// The answer has more bytes than are read.
    #[error("the answer has more than {0} bytes")]
    TooLong(usize),
    /// The budget of this run is used up.
    #[error("the budget of {limit} {what} is used up: {spent} were used")]
    OverBudget {
        /// The exhausted resource, such as `tokens`.
        what: &'static str,
        /// How much was used.
        spent: String,
        /// How much there was.
        limit: String,
    },
}

impl ModelError {
    /// True if the same request may do better later: the way to the model failed, not the request.
    pub fn is_transport(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::TimedOut(_) | Self::RateLimited { .. } | Self::Failed(_)
        )
    }

    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "model_unreachable",
            Self::TimedOut(_) => "model_timed_out",
            Self::RateLimited { .. } => "model_rate_limited",
            Self::Failed(_) => "model_failed",
            Self::Refused { .. } => "model_refused",
            Self::NotJson { .. } => "model_not_json",
            Self::Field { .. } => "model_changed",
            Self::TooLong(_) => "model_too_long",
            Self::OverBudget { .. } => "over_budget",
        }
    }

    /// The remedy.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "check `model.url`, and that the endpoint runs",
            Self::TimedOut(_) => "raise `model.timeout_ms`, or choose a quicker model",
            Self::RateLimited { .. } => "wait, or ask for a higher limit",
            Self::Failed(_) => "the fault is the vendor's; try again later",
            Self::Refused {
                status: 401 | 403, ..
            } => "check the key of the vendor",
            Self::Refused { status: 404, .. } => "check `model.name` and `model.url`",
            Self::Refused { .. } => "check `model.name`, and that the model takes such requests",
            Self::NotJson { .. } => "something else answers at `model.url`; check the address",
            Self::Field { .. } => {
                "the vendor answers in a form that this version does not know; report it"
            }
            Self::TooLong(_) => "lower `model.max_tokens`",
            Self::OverBudget { .. } => "raise the budget, or ask for less",
        }
    }
}
