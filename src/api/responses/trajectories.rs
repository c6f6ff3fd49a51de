//! Trajectories: one in a listing, one with its steps, and the results of steps and feedback.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::RedactedResponse;
use crate::schema::{Id, Time, Word};
use hindlore::lessons::{FeedbackTaken, LoggedStep, StartedRun};
use hindlore_domain::trajectory::{
    Feedback, Metrics, ScoreMode, Status, Step, StepKind, TraceState, Trajectory,
};
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;

/// One trajectory in a listing.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TrajectoryResponse {
    /// Its id, which is the name of the run.
    pub id: String,
    /// The task in words; may be empty.
    pub description: String,
    /// Type of the task; null: not given.
    pub task_type: Option<String>,
    /// Agent that did it; null: not given.
    pub agent: Option<String>,
    /// User it was done for; null: not given.
    pub user: Option<String>,
    /// Trajectory that it is a part of; null: none.
    pub parent: Option<String>,
    /// Outcome; null while it is open, and if it was not judged.
    #[schemars(with = "Option<Word<Status>>")]
    pub status: Option<Status>,
    /// Score given at its end, in 0..=1; null: none.
    pub success_score: Option<f64>,
    /// Score by all evidence, in 0..=1: that of the feedback, else of its end; null: not judged.
    pub effective_score: Option<f64>,
    /// Why it failed; null: not given.
    pub error: Option<String>,
    /// Numbers that the caller measured.
    pub metrics: BTreeMap<String, f64>,
    /// Number of steps that it took, kept or not.
    pub steps: u32,
    /// The retention of its steps.
    #[schemars(with = "Word<TraceState>")]
    pub trace: TraceState,
    /// Until when its steps can be read; null: they stay, or are gone.
    #[schemars(with = "Option<Time>")]
    pub steps_until: Option<Timestamp>,
    /// SHA-256 over its steps, in hexadecimal; null: none.
    pub trace_hash: Option<String>,
    /// Feedback, in the order in which it came.
    pub feedback: Vec<TrajectoryFeedbackResponse>,
    /// Priority of learning from it again, in 0..=10; null: not queued.
    pub relearning: Option<u8>,
    /// When it was last reflected upon; null: never.
    #[schemars(with = "Option<Time>")]
    pub reflected_at: Option<Timestamp>,
    /// When it began.
    #[schemars(with = "Time")]
    pub started_at: Timestamp,
    /// When it ended; null while it is open.
    #[schemars(with = "Option<Time>")]
    pub ended_at: Option<Timestamp>,
}

impl TrajectoryResponse {
    /// A trajectory, scored by its feedback as of `now`.
    pub fn new(one: Trajectory, mode: ScoreMode, now: Timestamp) -> Self {
        Self {
            effective_score: one.effective_score(mode, now),
            id: one.id,
            description: one.description,
            task_type: one.task_type,
            agent: one.agent,
            user: one.user,
            parent: one.parent,
            status: one.status,
            success_score: one.success_score,
            error: one.error,
            metrics: numbers(&one.metrics),
            steps: one.steps_taken,
            trace: one.trace,
            steps_until: one.steps_until,
            trace_hash: one.trace_hash,
            feedback: one.feedback.into_iter().map(Into::into).collect(),
            relearning: one.relearning,
            reflected_at: one.reflected_at,
            started_at: one.started_at,
            ended_at: one.ended_at,
        }
    }
}

fn numbers(metrics: &Metrics) -> BTreeMap<String, f64> {
    let named = metrics.iter();
    named
        .map(|(name, number)| (name.to_owned(), number))
        .collect()
}

/// Trajectories, newest first, or the most urgent first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TrajectoriesResponse {
    /// The trajectories.
    pub trajectories: Vec<TrajectoryResponse>,
    /// Where the next page begins, as `after`; null: this is the last one.
    pub next: Option<String>,
}

/// A trajectory with its steps.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TrajectoryDetailResponse {
    /// The trajectory itself.
    #[serde(flatten)]
    pub trajectory: TrajectoryResponse,
    /// Its steps, ascending; empty if they are gone.
    pub step_rows: Vec<TrajectoryStepResponse>,
    /// Trajectories that are a part of it, newest first, at most 100.
    pub parts: Vec<String>,
}

/// A step of a trajectory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TrajectoryStepResponse {
    /// Its number, from 1.
    pub number: u32,
    /// Its kind.
    #[schemars(with = "Word<StepKind>")]
    pub kind: StepKind,
    /// A description in words.
    pub description: String,
    /// The action, as a command or a call; null: none.
    pub action: Option<String>,
    /// Further data of the caller; null: none.
    pub metadata: Value,
    /// True if it failed.
    pub failed: bool,
    /// The error; null: none known.
    pub error: Option<String>,
    /// Fingerprints of its errors.
    #[schemars(with = "Vec<Id>")]
    pub fingerprints: Vec<FingerprintId>,
    /// When it happened.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Step> for TrajectoryStepResponse {
    fn from(step: Step) -> Self {
        Self {
            number: step.number,
            kind: step.kind,
            description: step.description,
            action: step.action.map(|action| action.text()),
            metadata: step.metadata.unwrap_or_default(),
            failed: step.failed,
            error: step.error,
            fingerprints: step.fingerprints,
            at: step.at,
        }
    }
}

/// Feedback on the outcome of a trajectory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TrajectoryFeedbackResponse {
    /// Its id within the trajectory.
    pub id: String,
    /// Its type.
    pub kind: String,
    /// Score, in 0..=1; null: none.
    pub score: Option<f64>,
    /// The author of the feedback; null: not given.
    pub source: Option<String>,
    /// Why, in words; null: not given.
    pub message: Option<String>,
    /// Numbers that were measured.
    pub metrics: BTreeMap<String, f64>,
    /// When.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Feedback> for TrajectoryFeedbackResponse {
    fn from(feedback: Feedback) -> Self {
        Self {
            metrics: numbers(&feedback.metrics),
            id: feedback.id,
            kind: feedback.kind,
            score: feedback.score,
            source: feedback.source,
            message: feedback.message,
            at: feedback.at,
        }
    }
}

/// A trajectory that is open now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StartedTrajectoryResponse {
    /// Its id, by which steps and the outcome are reported.
    pub id: String,
    /// True if it was open before; missing details were filled in.
    pub was_there: bool,
    /// Secrets redacted from the request; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<StartedRun> for StartedTrajectoryResponse {
    fn from(started: StartedRun) -> Self {
        Self {
            redacted: RedactedResponse::from_redactions(&started.redacted),
            id: started.run.id,
            was_there: started.was_there,
        }
    }
}

/// The result of a logged step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LoggedStepResponse {
    /// The trajectory.
    pub trajectory: String,
    /// Its number, from 1.
    pub number: u32,
    /// Its id within the trajectory.
    pub id: String,
    /// True if it was there already; nothing was counted.
    pub repeated: bool,
    /// True if it failed, and left an error.
    pub failed: bool,
    /// Texts that were cut.
    pub notes: Vec<String>,
    /// Secrets redacted from the step; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl LoggedStepResponse {
    /// The answer about a step of a trajectory.
    pub fn new(trajectory: String, step: LoggedStep) -> Self {
        Self {
            redacted: RedactedResponse::from_redactions(&step.redacted),
            trajectory,
            number: step.number,
            id: step.id,
            repeated: step.repeated,
            failed: step.failed,
            notes: step.notes,
        }
    }
}

/// The result of a feedback.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FeedbackTakenResponse {
    /// The trajectory.
    pub trajectory: String,
    /// The feedback as it is kept.
    pub feedback: TrajectoryFeedbackResponse,
    /// True if it was there already; nothing was changed.
    pub repeated: bool,
    /// Score of the trajectory by all present evidence, in 0..=1; null: not judged.
    pub effective_score: Option<f64>,
    /// Priority of learning from the trajectory again, in 0..=10; null: not queued.
    pub relearning: Option<u8>,
    /// Secrets redacted from the feedback; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl FeedbackTakenResponse {
    /// The answer about a feedback, with the score as of `now`.
    pub fn new(taken: FeedbackTaken, now: Timestamp) -> Self {
        let of = taken.trajectory;
        Self {
            redacted: RedactedResponse::from_redactions(&taken.redacted),
            effective_score: of.effective_score(ScoreMode::Latest, now),
            relearning: of.relearning,
            trajectory: of.id,
            feedback: taken.feedback.into(),
            repeated: taken.repeated,
        }
    }
}
