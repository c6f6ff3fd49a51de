//! What is shown of lessons, errors, runs and activations. Whatever is a number of a decision is shown
//! with the decision, so that a user can follow it.

use serde::Serialize;
use serde_json::Value;

use super::RedactedResponse;
use crate::domain::lesson::activation::{Lane, Moment};
use crate::domain::lesson::candidate::Origin;
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::feedback::Channel;
use crate::domain::lesson::fingerprint::Level;
use crate::domain::lesson::ids::{ActivationId, EventId, FingerprintId, LessonId};
use crate::domain::lesson::lesson::{Contest, Lesson, Place, Reach, Status, UtilityPoint};
use crate::domain::lesson::outcome::Outcome;
use crate::domain::lesson::promotion::Decision;
use crate::domain::timestamp::Timestamp;
use crate::engine::lessons::{Captured, CapturedStep, LessonDetail};
use crate::store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, LessonSource, Review};

/// One error event.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of an error event")]
pub struct ErrorResponse {
    pub id: EventId,
    pub run: String,
    pub step: u32,
    pub channels: Vec<Channel>,
    pub error: String,
    pub action: String,
    pub reason: String,
    pub state: String,
    pub state_after: String,
    #[serde(flatten)]
    pub place: Place,
    pub tags: Vec<String>,
    pub fingerprint: FingerprintId,
    pub coarse_fingerprint: FingerprintId,
    /// The pieces of the error that the fingerprint is made of.
    pub normalised: String,
    pub progress: Option<f64>,
    pub efficiency: Option<f64>,
    pub failed_constraints: Vec<String>,
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
            place: event.place,
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
#[derive(Clone, PartialEq, Debug, Serialize)]
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
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct CapturedStepResponse {
    pub run: String,
    pub step: u32,
    /// Absent for a step that worked.
    pub error: Option<ErrorResponse>,
    pub repeated: bool,
    pub notes: Vec<String>,
    /// Absent where there were none.
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

/// One lesson in a listing.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of a lesson")]
pub struct LessonResponse {
    pub id: LessonId,
    pub rule: String,
    pub status: Status,
    pub reliability: f64,
    pub impact: f64,
    pub retrieved: u64,
    pub helpful: u64,
    pub harmful: u64,
    pub triggers: Vec<FingerprintId>,
    pub tags: Vec<String>,
    pub reach: Reach,
    #[serde(flatten)]
    pub place: Place,
    pub source_runs: Vec<String>,
    /// The lesson that said the same before.
    pub restates: Option<LessonId>,
    pub unused_opportunities: u32,
    pub created_at: Timestamp,
    pub evidence_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

impl From<&Lesson> for LessonResponse {
    fn from(lesson: &Lesson) -> Self {
        Self {
            id: lesson.id,
            rule: lesson.rule.as_str().to_owned(),
            status: lesson.status,
            reliability: lesson.reliability,
            impact: lesson.impact,
            retrieved: lesson.counts.retrieved,
            helpful: lesson.counts.helpful,
            harmful: lesson.counts.harmful,
            triggers: lesson.triggers.clone(),
            tags: lesson.tags.clone(),
            reach: lesson.reach,
            place: lesson.place.clone(),
            source_runs: lesson.source_runs.clone(),
            restates: lesson.restates,
            unused_opportunities: lesson.unused_opportunities,
            created_at: lesson.created_at,
            evidence_at: lesson.evidence_at,
            used_at: lesson.used_at,
        }
    }
}

/// A lesson with all that is known of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct LessonDetailResponse {
    #[serde(flatten)]
    pub lesson: LessonResponse,
    pub history: Vec<UtilityPoint>,
    pub contests: Vec<Contest>,
    pub trigger_rows: Vec<FingerprintResponse>,
    pub sources: Vec<SourceResponse>,
    /// With the evidence rows and the numbers that they were made with.
    pub decisions: Vec<Decision>,
    pub reviews: Vec<ReviewResponse>,
    pub activations: Vec<ActivationResponse>,
    pub conflicts: Vec<ConflictResponse>,
}

impl From<LessonDetail> for LessonDetailResponse {
    fn from(detail: LessonDetail) -> Self {
        Self {
            lesson: LessonResponse::from(&detail.lesson),
            history: detail.lesson.history,
            contests: detail.lesson.contests,
            trigger_rows: detail.triggers.into_iter().map(Into::into).collect(),
            sources: detail.records.sources.into_iter().map(Into::into).collect(),
            decisions: detail.records.decisions,
            reviews: detail.records.reviews.into_iter().map(Into::into).collect(),
            activations: detail.activations.into_iter().map(Into::into).collect(),
            conflicts: detail.conflicts.into_iter().map(Into::into).collect(),
        }
    }
}

/// A fingerprint with what was counted of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct FingerprintResponse {
    pub id: FingerprintId,
    pub normalised: String,
    pub tags: Vec<String>,
    pub events: u64,
    pub runs: u64,
    pub first_at: Option<Timestamp>,
    pub last_at: Option<Timestamp>,
}

impl From<FingerprintRow> for FingerprintResponse {
    fn from(row: FingerprintRow) -> Self {
        Self {
            id: row.fingerprint.id,
            normalised: row.fingerprint.normalised,
            tags: row.tags,
            events: row.events,
            runs: row.runs,
            first_at: row.first_at,
            last_at: row.last_at,
        }
    }
}

/// What a run showed that a lesson rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct SourceResponse {
    pub run: String,
    pub origin: Origin,
    pub steps: Vec<u32>,
    pub events: Vec<EventId>,
    pub at: Timestamp,
}

impl From<LessonSource> for SourceResponse {
    fn from(source: LessonSource) -> Self {
        Self {
            run: source.run,
            origin: source.origin,
            steps: source.steps,
            events: source.events,
            at: source.at,
        }
    }
}

/// A change of status by a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct ReviewResponse {
    pub from: Status,
    pub to: Status,
    pub author: Option<String>,
    pub note: Option<String>,
    pub at: Timestamp,
}

impl From<Review> for ReviewResponse {
    fn from(review: Review) -> Self {
        Self {
            from: review.from,
            to: review.to,
            author: review.author,
            note: review.note,
            at: review.at,
        }
    }
}

/// One use of a lesson.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of an activation")]
pub struct ActivationResponse {
    pub id: ActivationId,
    pub run: String,
    pub lesson: LessonId,
    pub moment: Moment,
    pub step: u32,
    pub trigger: Option<FingerprintId>,
    pub trigger_level: Option<Level>,
    /// The fingerprints that it was in force for.
    pub in_force_for: Vec<FingerprintId>,
    pub lane: Lane,
    pub score: f64,
    pub withheld: bool,
    pub beat: Vec<LessonId>,
    pub at: Timestamp,
    /// Absent while the run is open.
    pub outcome: Option<Outcome>,
    /// Path and parts of the score.
    pub explanation: Value,
}

impl From<ActivationRow> for ActivationResponse {
    fn from(row: ActivationRow) -> Self {
        let activation = row.activation;
        Self {
            id: activation.id,
            run: activation.run,
            lesson: activation.lesson,
            moment: activation.moment,
            step: activation.step,
            trigger: activation.trigger.map(|(id, _)| id),
            trigger_level: activation.trigger.map(|(_, level)| level),
            in_force_for: row.triggers,
            lane: activation.lane,
            score: activation.score,
            withheld: activation.withheld,
            beat: activation.beat,
            at: activation.at,
            outcome: activation.outcome,
            explanation: serde_json::from_str(&row.explanation).unwrap_or_default(),
        }
    }
}

/// Two lessons that cannot both be followed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct ConflictResponse {
    pub first: LessonId,
    pub second: LessonId,
    pub reason: String,
    pub at: Timestamp,
}

impl From<Conflict> for ConflictResponse {
    fn from(conflict: Conflict) -> Self {
        Self {
            first: conflict.first,
            second: conflict.second,
            reason: conflict.reason,
            at: conflict.at,
        }
    }
}
