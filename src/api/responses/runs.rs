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
#[allow(missing_docs, reason = "the fields are those of a run")]
pub struct RunResponse {
    pub id: String,
    #[serde(flatten)]
    pub place: PlaceResponse,
    pub intent: String,
    pub control: bool,
    pub allowed_steps: Option<u32>,
    pub steps: u32,
    #[schemars(with = "Time")]
    pub started_at: Timestamp,
    #[schemars(with = "Time")]
    pub last_at: Timestamp,
    /// Absent while it is open.
    #[schemars(with = "Option<Time>")]
    pub ended_at: Option<Timestamp>,
    /// It was ended because nothing was reported of it any more.
    pub idle: bool,
    pub passed: Option<bool>,
    pub score: Option<f64>,
    /// Failures; absent while it is open.
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
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct RunDetailResponse {
    #[serde(flatten)]
    pub run: RunResponse,
    pub metrics: Option<MetricsResponse>,
    pub step_rows: Vec<StepResponse>,
    pub error_rows: Vec<ErrorResponse>,
    pub activations: Vec<ActivationResponse>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct StepResponse {
    pub step: u32,
    pub action: serde_json::Value,
    pub plan_step: Option<String>,
    pub failed: bool,
    #[schemars(with = "Vec<Id>")]
    pub followed: Vec<LessonId>,
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
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct ConflictsResponse {
    pub conflicts: Vec<ConflictResponse>,
    pub lessons: Vec<LessonResponse>,
    #[schemars(with = "Vec<Vec<Id>>")]
    pub clusters: Vec<Vec<LessonId>>,
    /// There are more pairs than were asked for.
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
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct HealthResponse {
    pub candidates: u64,
    pub promoted: u64,
    pub suppressed: u64,
    pub archived: u64,
    pub conflicts: u64,
    pub fingerprints: u64,
    pub errors: u64,
    pub open_runs: u64,
    pub ended_runs: u64,
    pub control_runs: u64,
    pub activations: u64,
    pub withheld: u64,
    pub helped: u64,
    pub neutral: u64,
    pub harmed: u64,
    /// Settled activations that helped over all settled ones.
    pub precision: Option<f64>,
    /// Settled activations that did harm over all settled ones.
    pub pollution: Option<f64>,
    /// Control runs over all ended runs.
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
