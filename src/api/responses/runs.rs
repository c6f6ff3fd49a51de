//! What is shown of runs, of conflicts in clusters, and of the health of a learner's lessons.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::activations::ActivationResponse;
use super::ended::MetricsResponse;
use super::errors::ErrorResponse;
use super::lessons::{ConflictResponse, LessonResponse};
use super::place::PlaceResponse;
use crate::api::schema::{Id, Time};
use crate::domain::lesson::ids::LessonId;
use crate::domain::timestamp::Timestamp;
use crate::engine::lessons::{Conflicts, LessonHealth, Listed, RunDetail, StartedRun};
use crate::store::lessons::rows::{RunRow, StepRow};

/// Runs, the newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunsResponse {
    /// The runs.
    pub runs: Vec<RunResponse>,
    /// There are more than were asked for.
    pub more: bool,
}

impl<A> From<Listed<RunRow, A>> for RunsResponse {
    fn from(listed: Listed<RunRow, A>) -> Self {
        Self {
            more: listed.next.is_some(),
            runs: listed.rows.iter().map(Into::into).collect(),
        }
    }
}

/// A run that is open now.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct StartedRunResponse {
    /// The run.
    #[serde(flatten)]
    pub run: RunResponse,
    /// It was begun before; what it lacked was added.
    pub was_there: bool,
    /// Secrets that were taken out of the request; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<StartedRun> for StartedRunResponse {
    fn from(started: StartedRun) -> Self {
        Self {
            run: RunResponse::from(&started.run),
            was_there: started.was_there,
            redacted: RedactedResponse::of(&started.redacted),
        }
    }
}

/// One run in a listing.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunResponse {
    /// Name of the run.
    pub id: String,
    /// Task, domain and tool.
    #[serde(flatten)]
    pub place: PlaceResponse,
    /// What is to be reached; may be empty.
    pub intent: String,
    /// True: a control run, from which lessons are withheld.
    pub control: bool,
    /// Steps that it may take; null: not said.
    pub allowed_steps: Option<u32>,
    /// Highest step that was reported.
    pub steps: u32,
    /// When it began.
    #[schemars(with = "Time")]
    pub started_at: Timestamp,
    /// When something was last reported of it.
    #[schemars(with = "Time")]
    pub last_at: Timestamp,
    /// When it ended; null while it is open.
    #[schemars(with = "Option<Time>")]
    pub ended_at: Option<Timestamp>,
    /// True when it was ended because nothing was reported of it any more.
    pub idle: bool,
    /// Whether it passed; null: nobody said.
    pub passed: Option<bool>,
    /// Score of an evaluator, in 0..=1; null: none.
    pub score: Option<f64>,
    /// Failures; null while it is open.
    pub errors: Option<usize>,
}

impl From<&RunRow> for RunResponse {
    fn from(run: &RunRow) -> Self {
        let end = run.end.as_ref();
        Self {
            id: run.id.clone(),
            place: run.place.clone().into(),
            intent: run.intent.clone(),
            control: run.control,
            allowed_steps: run.allowed_steps,
            steps: run.steps,
            started_at: run.started_at,
            last_at: run.last_at,
            ended_at: end.map(|end| end.at),
            idle: end.is_some_and(|end| end.idle),
            passed: end.and_then(|end| end.passed),
            score: end.and_then(|end| end.score),
            errors: end.map(|end| end.occurrences.len()),
        }
    }
}

/// A run with what it holds.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunDetailResponse {
    /// The run itself.
    #[serde(flatten)]
    pub run: RunResponse,
    /// Its metrics; null while it is open.
    pub metrics: Option<MetricsResponse>,
    /// Its steps, ascending.
    pub step_rows: Vec<StepResponse>,
    /// Its errors, by step.
    pub error_rows: Vec<ErrorResponse>,
    /// Lessons that were returned to it, by step.
    pub activations: Vec<ActivationResponse>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StepResponse {
    /// Its number.
    pub step: u32,
    /// What was tried.
    pub action: serde_json::Value,
    /// Step of the plan; null: not said.
    pub plan_step: Option<String>,
    /// True when it was written down as an error.
    pub failed: bool,
    /// Lessons whose advice it was taken on.
    #[schemars(with = "Vec<Id>")]
    pub followed: Vec<LessonId>,
    /// When it was reported.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<StepRow> for StepResponse {
    fn from(step: StepRow) -> Self {
        Self {
            step: step.step,
            action: serde_json::from_str(&step.action).unwrap_or_default(),
            plan_step: step.plan_step,
            failed: step.failed,
            followed: step.followed,
            at: step.at,
        }
    }
}

impl From<RunDetail> for RunDetailResponse {
    fn from(detail: RunDetail) -> Self {
        let contents = detail.contents;
        Self {
            run: RunResponse::from(&contents.row),
            metrics: detail.metrics.map(Into::into),
            step_rows: contents.steps.into_iter().map(Into::into).collect(),
            error_rows: contents.errors.into_iter().map(Into::into).collect(),
            activations: contents.activations.into_iter().map(Into::into).collect(),
        }
    }
}

/// Conflicts with their lessons and clusters.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ConflictsResponse {
    /// Pairs of lessons that contradict each other.
    pub conflicts: Vec<ConflictResponse>,
    /// The lessons of these pairs.
    pub lessons: Vec<LessonResponse>,
    /// Lessons that hang together by such pairs.
    #[schemars(with = "Vec<Vec<Id>>")]
    pub clusters: Vec<Vec<LessonId>>,
    /// True when there are more pairs than were asked for.
    pub more: bool,
}

impl From<Conflicts> for ConflictsResponse {
    fn from(conflicts: Conflicts) -> Self {
        Self {
            more: conflicts.page.next.is_some(),
            conflicts: conflicts.page.rows.into_iter().map(Into::into).collect(),
            lessons: conflicts
                .lessons
                .values()
                .map(LessonResponse::from)
                .collect(),
            clusters: conflicts.clusters,
        }
    }
}

/// How well the lessons of a learner do.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct HealthResponse {
    /// Lessons that are candidates.
    pub candidates: u64,
    /// Lessons that are promoted.
    pub promoted: u64,
    /// Lessons that are suppressed.
    pub suppressed: u64,
    /// Lessons that are archived.
    pub archived: u64,
    /// Pairs of lessons that contradict each other.
    pub conflicts: u64,
    /// Fingerprints of errors.
    pub fingerprints: u64,
    /// Errors.
    pub errors: u64,
    /// Runs that are open.
    pub open_runs: u64,
    /// Runs that have ended, control runs among them.
    pub ended_runs: u64,
    /// Control runs that have ended.
    pub control_runs: u64,
    /// Uses of lessons, settled or not, without those withheld.
    pub activations: u64,
    /// Uses that were withheld.
    pub withheld: u64,
    /// Settled uses with a utility above 0.
    pub helped: u64,
    /// Settled uses with a utility of 0.
    pub neutral: u64,
    /// Settled uses with a utility below 0.
    pub harmed: u64,
    /// Settled uses that helped over all settled ones; null: none is settled.
    pub precision: Option<f64>,
    /// Settled uses that did harm over all settled ones; null: none is settled.
    pub pollution: Option<f64>,
    /// Control runs over all ended runs; null: none has ended.
    pub control_share: Option<f64>,
}

impl From<LessonHealth> for HealthResponse {
    fn from(health: LessonHealth) -> Self {
        let totals = health.totals;
        Self {
            candidates: totals.candidates,
            promoted: totals.promoted,
            suppressed: totals.suppressed,
            archived: totals.archived,
            conflicts: totals.conflicts,
            fingerprints: totals.fingerprints,
            errors: totals.errors,
            open_runs: totals.open_runs,
            ended_runs: totals.ended_runs,
            control_runs: totals.control_runs,
            activations: totals.activations,
            withheld: totals.withheld,
            helped: totals.helped,
            neutral: totals.neutral,
            harmed: totals.harmed,
            precision: health.precision,
            pollution: health.pollution,
            control_share: health.control_share,
        }
    }
}
