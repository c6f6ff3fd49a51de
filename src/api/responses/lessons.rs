//! What is shown of lessons. Whatever is a number of a decision is shown
//! with the decision, so that a user can follow it.

use schemars::JsonSchema;
use serde::Serialize;

use super::activations::ActivationResponse;
use super::decisions::{ContestResponse, DecisionResponse};
use super::place::PlaceResponse;
use crate::api::schema::{Id, Time, Word};
use crate::domain::lesson::candidate::Origin;
use crate::domain::lesson::ids::{ActivationId, EventId, FingerprintId, LessonId};
use crate::domain::lesson::lesson::{Lesson, Reach, Status as LessonStatus, UtilityPoint};
use crate::domain::timestamp::Timestamp;
use crate::engine::lessons::{LessonDetail, Listed};
use crate::store::lessons::rows::{Conflict, FingerprintRow, LessonSource, Review};

/// Lessons, the newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonsResponse {
    /// The lessons.
    pub lessons: Vec<LessonResponse>,
    /// There are more than were asked for.
    pub more: bool,
}

impl<A> From<Listed<Lesson, A>> for LessonsResponse {
    fn from(listed: Listed<Lesson, A>) -> Self {
        Self {
            more: listed.next.is_some(),
            lessons: listed.rows.iter().map(Into::into).collect(),
        }
    }
}

/// Why a lesson was returned and what came of it: all its last uses, or one of them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainedResponse {
    /// A lesson with its uses and the decisions about it.
    Lesson(Box<LessonDetailResponse>),
    /// One use of a lesson.
    Use(Box<ActivationResponse>),
}

/// One lesson in a listing.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a lesson")]
pub struct LessonResponse {
    #[schemars(with = "Id")]
    pub id: LessonId,
    pub rule: String,
    #[schemars(with = "Word<LessonStatus>")]
    pub status: LessonStatus,
    pub reliability: f64,
    pub impact: f64,
    pub retrieved: u64,
    pub helpful: u64,
    pub harmful: u64,
    #[schemars(with = "Vec<Id>")]
    pub triggers: Vec<FingerprintId>,
    pub tags: Vec<String>,
    #[schemars(with = "Word<Reach>")]
    pub reach: Reach,
    #[serde(flatten)]
    pub place: PlaceResponse,
    pub source_runs: Vec<String>,
    /// The lesson that said the same before.
    #[schemars(with = "Option<Id>")]
    pub restates: Option<LessonId>,
    pub unused_opportunities: u32,
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    #[schemars(with = "Time")]
    pub evidence_at: Timestamp,
    #[schemars(with = "Option<Time>")]
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
            place: lesson.place.clone().into(),
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
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct LessonDetailResponse {
    #[serde(flatten)]
    pub lesson: LessonResponse,
    pub history: Vec<UtilityPointResponse>,
    pub contests: Vec<ContestResponse>,
    pub trigger_rows: Vec<FingerprintResponse>,
    pub sources: Vec<SourceResponse>,
    /// With the evidence rows and the numbers that they were made with.
    pub decisions: Vec<DecisionResponse>,
    pub reviews: Vec<ReviewResponse>,
    pub activations: Vec<ActivationResponse>,
    pub conflicts: Vec<ConflictResponse>,
}

impl From<LessonDetail> for LessonDetailResponse {
    fn from(detail: LessonDetail) -> Self {
        Self {
            lesson: LessonResponse::from(&detail.lesson),
            history: detail.lesson.history.into_iter().map(Into::into).collect(),
            contests: detail.lesson.contests.into_iter().map(Into::into).collect(),
            trigger_rows: detail.triggers.into_iter().map(Into::into).collect(),
            sources: detail.records.sources.into_iter().map(Into::into).collect(),
            decisions: detail
                .records
                .decisions
                .into_iter()
                .map(Into::into)
                .collect(),
            reviews: detail.records.reviews.into_iter().map(Into::into).collect(),
            activations: detail.activations.into_iter().map(Into::into).collect(),
            conflicts: detail.conflicts.into_iter().map(Into::into).collect(),
        }
    }
}

/// A fingerprint with what was counted of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct FingerprintResponse {
    #[schemars(with = "Id")]
    pub id: FingerprintId,
    pub normalised: String,
    pub tags: Vec<String>,
    pub events: u64,
    pub runs: u64,
    #[schemars(with = "Option<Time>")]
    pub first_at: Option<Timestamp>,
    #[schemars(with = "Option<Time>")]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct SourceResponse {
    pub run: String,
    #[schemars(with = "Word<Origin>")]
    pub origin: Origin,
    pub steps: Vec<u32>,
    #[schemars(with = "Vec<Id>")]
    pub events: Vec<EventId>,
    #[schemars(with = "Time")]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct ReviewResponse {
    #[schemars(with = "Word<LessonStatus>")]
    pub from: LessonStatus,
    #[schemars(with = "Word<LessonStatus>")]
    pub to: LessonStatus,
    pub author: Option<String>,
    pub note: Option<String>,
    #[schemars(with = "Time")]
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

/// Two lessons that cannot both be followed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct ConflictResponse {
    #[schemars(with = "Id")]
    pub first: LessonId,
    #[schemars(with = "Id")]
    pub second: LessonId,
    pub reason: String,
    #[schemars(with = "Time")]
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

/// One outcome in the history of a lesson.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct UtilityPointResponse {
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    pub utility: f64,
    /// The reliability after it.
    pub reliability: f64,
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<UtilityPoint> for UtilityPointResponse {
    fn from(point: UtilityPoint) -> Self {
        Self {
            activation: point.activation,
            utility: point.utility,
            reliability: point.reliability,
            at: point.at,
        }
    }
}
