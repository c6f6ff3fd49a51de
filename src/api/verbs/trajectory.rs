//! Verbs that write trajectories: start one, log its steps, complete it, report how it turned out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::patterns::{LINE, NAME};
use crate::problem::Problem;
use crate::responses::ended::EndedRunResponse;
use crate::responses::playbooks::PlaybookChangedResponse;
use crate::responses::trajectories::{
    FeedbackTakenResponse, LoggedStepResponse, StartedTrajectoryResponse,
};
use crate::schema::Word;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::lessons as engine;
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::trajectory::{Metrics, Status, StepKind};

/// Start a trajectory: the record of an agent's work on a task.
///
/// A trajectory is a run, under the same name: its failed steps leave errors, and its end makes lessons. Missing fields of
/// an open one are filled in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartTrajectory {
    /// Task in words.
    #[schemars(length(max = 4096))]
    pub description: String,
    /// Type of the task, such as `api_call`.
    #[serde(default)]
    #[schemars(regex(pattern = NAME))]
    pub task_type: Option<String>,
    /// Agent that does it.
    #[serde(default)]
    #[schemars(regex(pattern = NAME))]
    pub agent: Option<String>,
    /// User it is done for.
    #[serde(default)]
    #[schemars(regex(pattern = NAME))]
    pub user: Option<String>,
    /// Trajectory of the same learner that it is a part of.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub parent: Option<String>,
    /// Id of the trajectory; random by default.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
    /// Name of the task, by which lessons compare runs.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub task: Option<String>,
    /// Domain of the task.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub domain: Option<String>,
    /// Tool of the task.
    #[serde(default)]
    pub tool: Option<String>,
}

impl Verb for StartTrajectory {
    verb!("trajectory.start", Learner, Writes, not idempotent -> StartedTrajectoryResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let request = engine::StartRun {
            id: self.id,
            place: Place {
                task: self.task,
                domain: self.domain,
                tool: self.tool,
            },
            intent: self.description,
            allowed_steps: None,
            about: engine::About {
                task_type: self.task_type,
                agent: self.agent,
                user: self.user,
                parent: self.parent,
                scope: Some(context.key.scope().to_owned()),
            },
        };
        let owner = context.owner()?;
        let started = context.engine.start_run(&owner, request).await?;
        Ok(started.into())
    }
}

/// Log a step of a trajectory: a decision, an action, or an observation.
///
/// The step gets the next number, also if many processes log at once. A step with an error has failed, and feeds lessons.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogStep {
    /// Id of the trajectory.
    #[schemars(length(max = 256))]
    pub trajectory: String,
    /// A description in words.
    #[serde(default)]
    pub description: String,
    /// Kind of the step.
    #[serde(default)]
    #[schemars(with = "Word<StepKind>")]
    pub kind: StepKind,
    /// The action, as a command or as JSON of a call; by default the description of an action.
    #[serde(default)]
    pub action: Option<Value>,
    /// Further data, any JSON up to 64 kB.
    #[serde(default)]
    pub metadata: Option<Value>,
    /// The error message of the step.
    #[serde(default)]
    pub error: Option<String>,
    /// Exit code of a process; one other than 0 has failed.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// Id of the step within the trajectory: sent again, it counts once. Random by default.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
    /// Number of the step, which must be the next one.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub number: Option<u32>,
}

impl Verb for LogStep {
    verb!("trajectory.log", Learner, Writes, not idempotent -> LoggedStepResponse);
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let step = engine::StepLog {
            id: self.id,
            number: self.number,
            kind: self.kind,
            description: self.description,
            action: self.action,
            metadata: self.metadata,
            error: self.error,
            exit_code: self.exit_code,
            at: None,
        };
        let owner = context.owner()?;
        let logged = context
            .engine
            .log_step(&owner, &self.trajectory, step)
            .await?;
        Ok(LoggedStepResponse::new(self.trajectory, logged))
    }
}

/// Complete a trajectory with its outcome, which makes lessons and judges those it used.
///
/// Repeated in the same words, it returns the results of that time. No step can be logged afterwards.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompleteTrajectory {
    /// Id of the trajectory.
    #[schemars(length(max = 256))]
    pub trajectory: String,
    /// Outcome of the task.
    #[schemars(with = "Word<Status>")]
    pub status: Status,
    /// How well it went, in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub success_score: Option<f64>,
    /// Why it failed, in words.
    #[serde(default)]
    #[schemars(length(max = 8192))]
    pub error: Option<String>,
    /// Measured numbers by name, such as `tokens`, `cost_usd` and `duration_ms`.
    #[serde(default)]
    pub metrics: BTreeMap<String, f64>,
    /// Reflect on it, and curate this playbook with the insights; the playbook is created if it is missing.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: Option<String>,
}

impl Verb for CompleteTrajectory {
    verb!("trajectory.complete", Learner, Writes, idempotent -> EndedRunResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let request = engine::CompleteTrajectory {
            id: self.trajectory,
            status: self.status,
            success_score: self.success_score,
            error: self.error,
            metrics: metrics_of(self.metrics)?,
        };
        let ended = context.engine.complete_trajectory(&owner, request).await?;
        let mut answer = EndedRunResponse::from(ended);
        if let Some(playbook) = &self.playbook {
            answer.playbook = curated(context, &answer.run, playbook).await?;
        }
        Ok(answer)
    }
}

/// The insights of a trajectory, curated into a playbook.
pub(super) async fn curated(
    context: &Context,
    trajectory: &str,
    playbook: &str,
) -> Result<Option<PlaybookChangedResponse>, Problem> {
    let owner = context.owner()?;
    let into = (playbook, context.author.clone());
    let changed = context
        .engine
        .curate_from_trajectory(&owner, trajectory, into)
        .await?;
    Ok(changed.map(Into::into))
}

/// Report how a trajectory turned out, after it ended.
///
/// A score that differs from the stored one by more than 0.3 queues the trajectory for learning from it again.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveTrajectoryFeedback {
    /// Id of the trajectory.
    #[schemars(length(max = 256))]
    pub trajectory: String,
    /// How well the task was done, in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<f64>,
    /// Type of the feedback, such as `human` or `production`; `general` by default.
    #[serde(default)]
    pub kind: Option<String>,
    /// Author of the feedback.
    #[serde(default)]
    pub source: Option<String>,
    /// Why, in words.
    #[serde(default)]
    #[schemars(length(max = 8192))]
    pub message: Option<String>,
    /// Measured numbers by name.
    #[serde(default)]
    pub metrics: BTreeMap<String, f64>,
    /// Id of the feedback within the trajectory: sent again, it counts once. Random by default.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
}

impl Verb for GiveTrajectoryFeedback {
    verb!("trajectory.feedback", Learner, Writes, not idempotent -> FeedbackTakenResponse);
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let input = engine::FeedbackInput {
            trajectory: self.trajectory,
            id: self.id,
            kind: self.kind,
            score: self.score,
            source: self.source,
            message: self.message,
            metrics: metrics_of(self.metrics)?,
        };
        let taken = context.engine.trajectory_feedback(&owner, input).await?;
        Ok(FeedbackTakenResponse::new(taken, context.engine.now()))
    }
}

fn metrics_of(numbers: BTreeMap<String, f64>) -> Result<Metrics, Problem> {
    Metrics::new(numbers).map_err(|said| Problem::new("invalid_request", said))
}
