//! What is shown of errors and of the steps that brought them.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::place::PlaceResponse;
use crate::api::schema::{Id, Time, Word};
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::feedback::Channel;
use crate::domain::lesson::ids::{EventId, FingerprintId};
use crate::domain::timestamp::Timestamp;
use crate::engine::lessons::{Captured, CapturedStep, Listed};

/// Errors, the newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ErrorsResponse {
    /// The errors.
    pub errors: Vec<ErrorResponse>,
    /// There are more than were asked for.
    pub more: bool,
}

impl<A> From<Listed<ErrorEvent, A>> for ErrorsResponse {
    fn from(listed: Listed<ErrorEvent, A>) -> Self {
        Self {
            more: listed.next.is_some(),
            errors: listed.rows.into_iter().map(Into::into).collect(),
        }
    }
}

/// What was captured, and what had to be replaced to read it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct CaptureResponse {
    /// What became of the steps.
    #[serde(flatten)]
    pub captured: CapturedResponse,
    /// What was replaced or left out.
    pub notes: Vec<String>,
}

/// One error event.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ErrorResponse {
    /// Id of the error.
    #[schemars(with = "Id")]
    pub id: EventId,
    /// Run that it belongs to.
    pub run: String,
    /// Number of its step in the run.
    pub step: u32,
    /// What it failed by, the hardest first.
    #[schemars(with = "Vec<Word<Channel>>")]
    pub channels: Vec<Channel>,
    /// The error as a text, cut.
    pub error: String,
    /// What was tried, as a text, cut.
    pub action: String,
    /// Why it counts as failed; may be empty.
    pub reason: String,
    /// The state before, as a text, cut; may be empty.
    pub state: String,
    /// The state after, as a text, cut; may be empty.
    pub state_after: String,
    /// Task, domain and tool.
    #[serde(flatten)]
    pub place: PlaceResponse,
    /// What kind of failure it is.
    pub tags: Vec<String>,
    /// Fine fingerprint: that of this very error.
    #[schemars(with = "Id")]
    pub fingerprint: FingerprintId,
    /// Coarse fingerprint: that of its class.
    #[schemars(with = "Id")]
    pub coarse_fingerprint: FingerprintId,
    /// The pieces of the error that the fingerprint is made of.
    pub normalised: String,
    /// How much nearer the goal came; null: not measured.
    pub progress: Option<f64>,
    /// What was spent above what was due; null: not measured.
    pub efficiency: Option<f64>,
    /// Conditions that were not met.
    pub failed_constraints: Vec<String>,
    /// When it happened.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<ErrorEvent> for ErrorResponse {
    fn from(event: ErrorEvent) -> Self {
        Self {
            id: event.id,
            run: event.run,
            step: event.step,
            channels: event.channels,
            error: event.error,
            action: event.action,
            reason: event.reason,
            state: event.state,
            state_after: event.state_after,
            place: event.place.into(),
            tags: event.tags,
            fingerprint: event.fingerprints.fine.id,
            coarse_fingerprint: event.fingerprints.coarse.id,
            normalised: event.fingerprints.fine.normalised,
            progress: event.progress,
            efficiency: event.efficiency,
            failed_constraints: event.failed_constraints,
            at: event.at,
        }
    }
}

/// What became of reported steps.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct CapturedResponse {
    /// Each step in the order of the reports.
    pub steps: Vec<CapturedStepResponse>,
    /// Error events that are new.
    pub captured: usize,
    /// Error events that were there already.
    pub repeated: usize,
    /// Steps that worked.
    pub worked: usize,
    /// Secrets that were taken out of all of them; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// What became of one reported step.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct CapturedStepResponse {
    /// Run of the step.
    pub run: String,
    /// Its number in the run.
    pub step: u32,
    /// The error; null for a step that worked.
    pub error: Option<ErrorResponse>,
    /// True when the error was there already, and nothing was counted.
    pub repeated: bool,
    /// What was cut.
    pub notes: Vec<String>,
    /// Secrets that were taken out of the step; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<CapturedStep> for CapturedStepResponse {
    fn from(step: CapturedStep) -> Self {
        Self {
            run: step.run,
            step: step.step,
            error: step.error.map(ErrorResponse::from),
            repeated: step.repeated,
            notes: step.notes,
            redacted: RedactedResponse::of(&step.redacted),
        }
    }
}

impl From<Captured> for CapturedResponse {
    fn from(captured: Captured) -> Self {
        let redacted = RedactedResponse::of(&captured.redacted());
        let steps: Vec<CapturedStepResponse> = captured.steps.into_iter().map(Into::into).collect();
        let count = |repeated: bool| {
            let of_kind =
                |step: &&CapturedStepResponse| step.error.is_some() && step.repeated == repeated;
            steps.iter().filter(of_kind).count()
        };
        Self {
            captured: count(false),
            repeated: count(true),
            worked: steps.iter().filter(|step| step.error.is_none()).count(),
            redacted,
            steps,
        }
    }
}
