//! Verbs that show trajectories: one, a filtered list, and the queue of those to learn from again.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::foreign;
use crate::problem::Problem;
use crate::responses::trajectories::{
    TrajectoriesResponse, TrajectoryDetailResponse, TrajectoryResponse,
};
use crate::schema::{Time, Word};
use crate::verb::{Context, Verb, number, verb};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::{ScoreMode, State, Trajectory, TrajectoryFilter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::RunPage;

/// Parts that are named of one trajectory.
const PARTS_MAX: usize = 100;

/// Show a trajectory with its steps, outcome, and feedback.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowTrajectory {
    /// Id of the trajectory, or a unique beginning of a random one.
    #[schemars(length(max = 256))]
    pub trajectory: String,
    /// How the scores of several feedbacks become one: `weighted` by 1/(1 + age in days).
    #[serde(default)]
    #[schemars(with = "Word<ScoreMode>")]
    pub score: ScoreMode,
}

impl Verb for ShowTrajectory {
    verb!("trajectory.show", Learner, Reads, idempotent -> TrajectoryDetailResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let engine = &context.engine;
        let id = engine.find_run(&owner, &self.trajectory).await?;
        let mut found = engine.trajectory(&owner, &id).await?;
        let steps = std::mem::take(&mut found.steps);
        let parts = TrajectoryFilter {
            parent: Some(id),
            ..TrajectoryFilter::default()
        };
        let page = RunPage {
            limit: PARTS_MAX,
            ..RunPage::default()
        };
        let parts = engine.trajectories(&owner, &parts, page).await?;
        Ok(TrajectoryDetailResponse {
            trajectory: TrajectoryResponse::new(found, self.score, engine.now()),
            step_rows: steps.into_iter().map(Into::into).collect(),
            parts: parts.rows.into_iter().map(|part| part.id).collect(),
        })
    }
}

/// List trajectories, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListTrajectories {
    /// Only those of this agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Only those for this user.
    #[serde(default)]
    pub user: Option<String>,
    /// Only those of this type of task.
    #[serde(default)]
    pub task_type: Option<String>,
    /// Only those in this state.
    #[serde(default)]
    #[schemars(with = "Option<Word<State>>")]
    pub status: Option<State>,
    /// Only those that are a part of this one.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256))]
    pub parent: Option<String>,
    /// Only those that began then or later, such as `2026-01-31T12:00:00Z`.
    #[serde(default)]
    #[schemars(with = "Option<Time>")]
    pub since: Option<Timestamp>,
    /// Only those that began before.
    #[serde(default)]
    #[schemars(with = "Option<Time>")]
    pub until: Option<Timestamp>,
    /// Only those with this effective score or a better one, in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub min_score: Option<f64>,
    /// How the scores of several feedbacks become the one that is shown.
    #[serde(default)]
    #[schemars(with = "Word<ScoreMode>")]
    pub score: ScoreMode,
    /// Id of the trajectory before the page: `next` of the page before.
    #[serde(default)]
    pub after: Option<String>,
    /// Maximum number of trajectories.
    #[serde(default = "number::<50>")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: usize,
}

impl Verb for ListTrajectories {
    verb!("trajectory.list", Learner, Reads, idempotent -> TrajectoriesResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, engine) = (context.owner()?, &context.engine);
        let (score, now) = (self.score, engine.now());
        let page = RunPage {
            after: place_of(context, &owner, self.after.as_deref()).await?,
            limit: self.limit,
            ..RunPage::default()
        };
        let filter = self.filter()?;
        let listed = engine.trajectories(&owner, &filter, page).await?;
        Ok(TrajectoriesResponse {
            trajectories: shown(listed.rows, score, now),
            next: listed.next.map(|(_, id)| id),
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.trajectories.is_empty()
    }
}

impl ListTrajectories {
    fn filter(self) -> Result<TrajectoryFilter, Problem> {
        Ok(TrajectoryFilter {
            agent: self.agent,
            user: self.user,
            task_type: self.task_type,
            parent: self.parent,
            status: self.status,
            since: self.since,
            until: self.until,
            min_score: self.min_score,
        })
    }
}

/// The place of a trajectory in the order of listings.
async fn place_of(
    context: &Context,
    owner: &LearnerId,
    id: Option<&str>,
) -> Result<Option<(Timestamp, String)>, Problem> {
    let Some(id) = id else { return Ok(None) };
    let found = context.engine.trajectory_summary(owner, id).await?;
    Ok(Some((found.started_at, found.id)))
}

fn shown(rows: Vec<Trajectory>, score: ScoreMode, now: Timestamp) -> Vec<TrajectoryResponse> {
    let rows = rows.into_iter();
    rows.map(|one| TrajectoryResponse::new(one, score, now))
        .collect()
}

/// List the trajectories to learn from again, the most urgent first.
///
/// Feedback that contradicts the stored score puts them there; a reflection takes them out.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowQueue {
    /// How the scores of several feedbacks become the one that is shown.
    #[serde(default)]
    #[schemars(with = "Word<ScoreMode>")]
    pub score: ScoreMode,
    /// Id of the trajectory before the page: `next` of the page before.
    #[serde(default)]
    pub after: Option<String>,
    /// Maximum number of trajectories.
    #[serde(default = "number::<50>")]
    #[schemars(range(min = 1, max = QUEUE_MAX))]
    pub limit: usize,
}

/// Trajectories that the queue lists at all.
const QUEUE_MAX: usize = 1_000;

impl Verb for ShowQueue {
    verb!("trajectory.queue", Learner, Reads, idempotent -> TrajectoriesResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, engine) = (context.owner()?, &context.engine);
        let mut rows = engine.relearning_queue(&owner, QUEUE_MAX).await?;
        if let Some(after) = &self.after {
            let place = rows.iter().position(|row| row.id == *after);
            rows.drain(..=place.ok_or_else(foreign)?);
        }
        let has_more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let next = rows.last().filter(|_| has_more).map(|row| row.id.clone());
        Ok(TrajectoriesResponse {
            trajectories: shown(rows, self.score, engine.now()),
            next,
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.trajectories.is_empty()
    }
}
