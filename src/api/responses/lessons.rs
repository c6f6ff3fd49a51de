//! Lessons as shown. Decisions come with all their numbers, so that a user can follow them.

use schemars::JsonSchema;
use serde::Serialize;

use super::activations::ActivationResponse;
use super::decisions::{ContestResponse, DecisionResponse};
use super::place::PlaceResponse;
use super::proofs::ProofStateResponse;
use crate::cursor::{Place, cursor};
use crate::schema::{Id, Time, Word};
use hindlore::lessons::{LessonDetail, Listed};
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{Lesson, Reach, Status as LessonStatus, UtilityPoint};
use hindlore_primitives::ids::{ActivationId, EventId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{Conflict, FingerprintRow, LessonSource, Review};

/// Lessons, newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonsResponse {
    /// The lessons.
    pub lessons: Vec<LessonResponse>,
    /// True if there are more.
    pub more: bool,
    /// Value of `after` for the next page; null at the end.
    pub next: Option<String>,
}

impl<A: Place> From<Listed<Lesson, A>> for LessonsResponse {
    fn from(listed: Listed<Lesson, A>) -> Self {
        Self {
            more: listed.next.is_some(),
            next: listed.next.as_ref().map(cursor),
            lessons: listed.rows.iter().map(Into::into).collect(),
        }
    }
}

/// The lessons that a reply stated, as they are stored.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct StatedResponse {
    /// The lessons, in the order of the reply; empty if it states none.
    pub lessons: Vec<LessonResponse>,
}

/// Reason and result of the returns of a lesson: all its last uses, or one of them.
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
pub struct LessonResponse {
    /// Id of the lesson.
    #[schemars(with = "Id")]
    pub id: LessonId,
    /// Its text.
    pub rule: String,
    /// Its advice in one sentence: what failed, why, what works, and in how many runs.
    pub advice: String,
    /// Its status.
    #[schemars(with = "Word<LessonStatus>")]
    pub status: LessonStatus,
    /// Its reliability, in 0..=1.
    pub reliability: f64,
    /// Sum of the utilities of its uses.
    pub impact: f64,
    /// Times returned.
    pub retrieved: u64,
    /// Times it helped.
    pub helpful: u64,
    /// Times it did harm.
    pub harmful: u64,
    /// Fingerprints that trigger it.
    #[schemars(with = "Vec<Id>")]
    pub triggers: Vec<FingerprintId>,
    /// Kinds of failure it is about.
    pub tags: Vec<String>,
    /// Its reach.
    #[schemars(with = "Word<Reach>")]
    pub reach: Reach,
    /// Task, domain, and tool where it was learned.
    #[serde(flatten)]
    pub place: PlaceResponse,
    /// Runs it was learned from, oldest first.
    pub source_runs: Vec<String>,
    /// The earlier lesson with the same rule; null: none.
    #[schemars(with = "Option<Id>")]
    pub restates: Option<LessonId>,
    /// Relevant opportunities since it was last returned.
    pub unused_opportunities: u32,
    /// When it was learned.
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    /// When its evidence or wording last changed.
    #[schemars(with = "Time")]
    pub evidence_at: Timestamp,
    /// When it was last returned; null: never.
    #[schemars(with = "Option<Time>")]
    pub used_at: Option<Timestamp>,
}

impl From<&Lesson> for LessonResponse {
    fn from(lesson: &Lesson) -> Self {
        Self {
            id: lesson.id,
            rule: lesson.rule.as_str().to_owned(),
            advice: lesson.advice(),
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

/// A lesson with everything known about it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonDetailResponse {
    /// The lesson itself.
    #[serde(flatten)]
    pub lesson: LessonResponse,
    /// Its last outcomes, oldest first.
    pub history: Vec<UtilityPointResponse>,
    /// Decided contests with conflicting lessons, oldest first.
    pub contests: Vec<ContestResponse>,
    /// The state of its proof between decisions.
    pub proof: ProofStateResponse,
    /// Its triggers, with their counts.
    pub trigger_rows: Vec<FingerprintResponse>,
    /// Evidence from runs that it rests on.
    pub sources: Vec<SourceResponse>,
    /// Decisions about its status, with evidence and numbers.
    pub decisions: Vec<DecisionResponse>,
    /// Changes of its status by people.
    pub reviews: Vec<ReviewResponse>,
    /// Its uses.
    pub activations: Vec<ActivationResponse>,
    /// Pairs with conflicting lessons.
    pub conflicts: Vec<ConflictResponse>,
}

impl From<LessonDetail> for LessonDetailResponse {
    fn from(detail: LessonDetail) -> Self {
        Self {
            lesson: LessonResponse::from(&detail.lesson),
            history: detail.lesson.history.into_iter().map(Into::into).collect(),
            contests: detail.lesson.contests.into_iter().map(Into::into).collect(),
            proof: detail.lesson.proof.into(),
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

/// A fingerprint, with its counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FingerprintResponse {
    /// Id of the fingerprint.
    #[schemars(with = "Id")]
    pub id: FingerprintId,
    /// Normalised parts of its error.
    pub normalised: String,
    /// Tags of its errors.
    pub tags: Vec<String>,
    /// Number of matching errors.
    pub events: u64,
    /// Number of runs with such an error.
    pub runs: u64,
    /// When it was first raised; null: never.
    #[schemars(with = "Option<Time>")]
    pub first_at: Option<Timestamp>,
    /// When it was last raised; null: never.
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

/// Evidence from a run that a lesson rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SourceResponse {
    /// The run, or the name of the imported file.
    pub run: String,
    /// Its origin.
    #[schemars(with = "Word<Origin>")]
    pub origin: Origin,
    /// Steps that support it.
    pub steps: Vec<u32>,
    /// Errors of these steps.
    #[schemars(with = "Vec<Id>")]
    pub events: Vec<EventId>,
    /// When.
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
pub struct ReviewResponse {
    /// Status before it.
    #[schemars(with = "Word<LessonStatus>")]
    pub from: LessonStatus,
    /// Status after it.
    #[schemars(with = "Word<LessonStatus>")]
    pub to: LessonStatus,
    /// The reviewer; null: unnamed.
    pub author: Option<String>,
    /// The reason; null: none given.
    pub note: Option<String>,
    /// When.
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
pub struct ConflictResponse {
    /// The lesson with the smaller id.
    #[schemars(with = "Id")]
    pub first: LessonId,
    /// The other.
    #[schemars(with = "Id")]
    pub second: LessonId,
    /// Why not both can be followed.
    pub reason: String,
    /// When it was found.
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

/// An outcome in a lesson's history.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct UtilityPointResponse {
    /// The use.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// Its utility; below 0: harm.
    pub utility: f64,
    /// Reliability afterwards, in 0..=1.
    pub reliability: f64,
    /// When.
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
