//! Errors, and the steps that caused them.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::place::PlaceResponse;
use super::reading::ReadingResponse;
use crate::cursor::{Place, cursor};
use crate::schema::{Id, Time, Word};
use hindlore::lessons::{Captured, CapturedStep, Listed};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::feedback::Channel;
use hindlore_primitives::ids::{EventId, FingerprintId};
use hindlore_primitives::timestamp::Timestamp;

/// Errors, newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ErrorsResponse {
    /// The errors.
    pub errors: Vec<ErrorResponse>,
    /// True if there are more.
    pub more: bool,
    /// Value of `after` for the next page; null at the end.
    pub next: Option<String>,
}

impl<A: Place> From<Listed<ErrorEvent, A>> for ErrorsResponse {
    fn from(listed: Listed<ErrorEvent, A>) -> Self {
        Self {
            more: listed.next.is_some(),
            next: listed.next.as_ref().map(cursor),
            errors: listed.rows.into_iter().map(Into::into).collect(),
        }
    }
}

/// Captured steps, and notes on how they were read.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct CaptureResponse {
    /// The results of the steps.
    #[serde(flatten)]
    pub captured: CapturedResponse,
    /// How the steps were read.
    #[serde(flatten)]
    pub reading: ReadingResponse,
    /// Notes on input that was replaced or left out.
    pub notes: Vec<String>,
}

/// An error event.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ErrorResponse {
    /// Id of the error.
    #[schemars(with = "Id")]
    pub id: EventId,
    /// Its run.
    pub run: String,
    /// Number of its step.
    pub step: u32,
    /// Channels by which it failed, the hardest first.
    #[schemars(with = "Vec<Word<Channel>>")]
    pub channels: Vec<Channel>,
    /// The error as text, cut.
    pub error: String,
    /// The attempted action as text, cut.
    pub action: String,
    /// Why it counts as failed; may be empty.
    pub reason: String,
    /// State before, as text, cut; may be empty.
    pub state: String,
    /// State after, as text, cut; may be empty.
    pub state_after: String,
    /// Task, domain and tool.
    #[serde(flatten)]
    pub place: PlaceResponse,
    /// Kinds of failure.
    pub tags: Vec<String>,
    /// Fine fingerprint, of this very error.
    #[schemars(with = "Id")]
    pub fingerprint: FingerprintId,
    /// Coarse fingerprint, of its class.
    #[schemars(with = "Id")]
    pub coarse_fingerprint: FingerprintId,
    /// The normalised parts of the error that the fingerprint hashes.
    pub normalised: String,
    /// Progress towards the goal; null: not measured.
    pub progress: Option<f64>,
    /// Resources spent beyond the plan; null: not measured.
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

/// The results of reported steps.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct CapturedResponse {
    /// Each step, in the order reported.
    pub steps: Vec<CapturedStepResponse>,
    /// New error events.
    pub captured: usize,
    /// Known error events.
    pub repeated: usize,
    /// Steps that succeeded.
    pub worked: usize,
    /// Secrets redacted from all of them; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// The result of a reported step.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct CapturedStepResponse {
    /// Run of the step.
    pub run: String,
    /// Its number in the run.
    pub step: u32,
    /// The error; null for a step that succeeded.
    pub error: Option<ErrorResponse>,
    /// True if the error was known and nothing was counted.
    pub repeated: bool,
    /// Notes on text that was cut.
    pub notes: Vec<String>,
    /// Secrets redacted from the step; absent if none.
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
            redacted: RedactedResponse::from_redactions(&step.redacted),
        }
    }
}

impl From<Captured> for CapturedResponse {
    fn from(captured: Captured) -> Self {
        let redacted = RedactedResponse::from_redactions(&captured.redacted());
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
