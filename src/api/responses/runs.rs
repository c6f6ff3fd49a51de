//! Runs, clusters of conflicts, and the health of a learner's lessons.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::activations::ActivationResponse;
use super::decisions::ChangedLessonResponse;
use super::ended::MetricsResponse;
use super::errors::ErrorResponse;
use super::lessons::{ConflictResponse, LessonResponse};
use super::place::PlaceResponse;
use crate::cursor::{Place, cursor};
use crate::schema::{Id, Time};
use hindlore::lessons::{Conflicts, LessonHealth, LessonUses, Listed, RunDetail, StartedRun};
use hindlore_primitives::ids::LessonId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{RunRow, StepRow};

/// Runs, newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunsResponse {
    /// The runs.
    pub runs: Vec<RunResponse>,
    /// True if there are more.
    pub more: bool,
    /// Value of `after` for the next page; null at the end.
    pub next: Option<String>,
}

impl<A: Place> From<Listed<RunRow, A>> for RunsResponse {
    fn from(listed: Listed<RunRow, A>) -> Self {
        Self {
            more: listed.next.is_some(),
            next: listed.next.as_ref().map(cursor),
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
    /// True if it was open before; its missing fields were filled in.
    pub was_there: bool,
    /// Secrets redacted from the request; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<StartedRun> for StartedRunResponse {
    fn from(started: StartedRun) -> Self {
        Self {
            run: RunResponse::from(&started.run),
            was_there: started.was_there,
            redacted: RedactedResponse::from_redactions(&started.redacted),
        }
    }
}

/// One run in a listing.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunResponse {
    /// Id of the run.
    pub id: String,
    /// Task, domain and tool.
    #[serde(flatten)]
    pub place: PlaceResponse,
    /// Its goal; may be empty.
    pub intent: String,
    /// True for a control run, from which lessons are withheld.
    pub control: bool,
    /// Maximum steps; null: not given.
    pub allowed_steps: Option<u32>,
    /// Highest step reported.
    pub steps: u32,
    /// When it began.
    #[schemars(with = "Time")]
    pub started_at: Timestamp,
    /// Time of the last report.
    #[schemars(with = "Time")]
    pub last_at: Timestamp,
    /// When it ended; null while it is open.
    #[schemars(with = "Option<Time>")]
    pub ended_at: Option<Timestamp>,
    /// True if it was ended for lack of reports.
    pub idle: bool,
    /// Whether it passed; null: unknown.
    pub passed: Option<bool>,
    /// An evaluator's score, in 0..=1; null: none.
    pub score: Option<f64>,
    /// Number of failures; null while it is open.
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

/// A run with its contents.
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
    /// Lessons returned to it, by step.
    pub activations: Vec<ActivationResponse>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StepResponse {
    /// Its number.
    pub step: u32,
    /// The action.
    pub action: serde_json::Value,
    /// Step of the plan; null: not given.
    pub plan_step: Option<String>,
    /// True if it was recorded as an error.
    pub failed: bool,
    /// Lessons whose advice it followed.
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
    /// The lessons in these pairs.
    pub lessons: Vec<LessonResponse>,
    /// Clusters of lessons connected by such pairs.
    #[schemars(with = "Vec<Vec<Id>>")]
    pub clusters: Vec<Vec<LessonId>>,
    /// True if there are more pairs.
    pub more: bool,
    /// Value of `after` for the next page; null at the end.
    pub next: Option<String>,
}

impl From<Conflicts> for ConflictsResponse {
    fn from(conflicts: Conflicts) -> Self {
        Self {
            more: conflicts.page.next.is_some(),
            next: conflicts.page.next.as_ref().map(cursor),
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

/// How well a learner's lessons work.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct HealthResponse {
    /// Observed lessons: seen in one run and not shown.
    pub observed: u64,
    /// Candidate lessons.
    pub candidates: u64,
    /// Promoted lessons.
    pub promoted: u64,
    /// Refuted lessons: their wrong form works.
    pub refuted: u64,
    /// Suppressed lessons.
    pub suppressed: u64,
    /// Archived lessons.
    pub archived: u64,
    /// Pairs of lessons that contradict each other.
    pub conflicts: u64,
    /// Fingerprints of errors.
    pub fingerprints: u64,
    /// Errors.
    pub errors: u64,
    /// Open runs.
    pub open_runs: u64,
    /// Ended runs, including control runs.
    pub ended_runs: u64,
    /// Ended control runs.
    pub control_runs: u64,
    /// Uses of lessons, settled or not, without withheld ones.
    pub activations: u64,
    /// Withheld uses.
    pub withheld: u64,
    /// Settled uses with a utility above 0.
    pub helped: u64,
    /// Settled uses with a utility of 0.
    pub neutral: u64,
    /// Settled uses with a utility below 0.
    pub harmed: u64,
    /// Share of followed uses that helped; null: none was followed.
    pub precision: Option<f64>,
    /// Share of followed uses that did harm; null: none was followed.
    pub pollution: Option<f64>,
    /// Share of ended runs that were control runs; null: none has ended.
    pub control_share: Option<f64>,
    /// The live lessons that were shown most often, at most 10.
    pub lessons: Vec<LessonUsesResponse>,
    /// The last changes of status that the rules decided, newest first.
    pub changes: Vec<ChangedLessonResponse>,
}

/// What became of the uses of a lesson, of the newest 200.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonUsesResponse {
    /// Times it was shown.
    pub shown: usize,
    /// Times its advice was followed.
    pub followed: usize,
    /// Times the followed advice worked.
    pub helped: usize,
    /// Times it was shown before the mistake, and the mistake was not made.
    pub prevented: usize,
    /// Times another form was taken instead.
    pub not_followed: usize,
    /// Runs in which the form that it calls wrong worked.
    pub wrong_form_worked: usize,
    /// The lesson itself.
    #[serde(flatten)]
    pub lesson: LessonResponse,
}

impl From<LessonUses> for LessonUsesResponse {
    fn from(uses: LessonUses) -> Self {
        Self {
            shown: uses.shown,
            followed: uses.followed,
            helped: uses.helped,
            prevented: uses.prevented,
            not_followed: uses.not_followed,
            wrong_form_worked: uses.wrong_form_worked,
            lesson: LessonResponse::from(&uses.lesson),
        }
    }
}

impl From<LessonHealth> for HealthResponse {
    fn from(health: LessonHealth) -> Self {
        let totals = health.totals;
        Self {
            changes: health.changes.iter().map(Into::into).collect(),
            lessons: health.lessons.into_iter().map(Into::into).collect(),
            observed: totals.observed,
            candidates: totals.candidates,
            promoted: totals.promoted,
            refuted: totals.refuted,
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
