//! Verbs about reflections: on one trajectory, on many, and the stored ones.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::{CURSOR_MAX, cursor, foreign, place};
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::reflections::{
    BatchReflectedResponse, ReflectedResponse, ReflectionResponse, ReflectionsResponse,
};
use crate::schema::Time;
use crate::verb::{Context, Verb, number, verb};
use hindlore::EngineError;
use hindlore::reflections::BatchRequest;
use hindlore_primitives::timestamp::Timestamp;

/// Reflect on a trajectory: working actions, repeated failures, and orders of steps.
///
/// Nothing is invented: each sentence quotes the steps that show it. The reflection is kept, and the
/// curation of a playbook takes it in. Repeated, it is the same one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reflect {
    /// Id of the trajectory, or a unique beginning of a random one.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub trajectory: String,
}

impl Verb for Reflect {
    verb!("reflection.reflect", Learner, Writes, idempotent -> ReflectedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, engine) = (context.owner()?, &context.engine);
        let id = engine.find_run(&owner, &self.trajectory).await?;
        let reflected = engine.reflect(&owner, &id).await?;
        Ok(ReflectedResponse::new(id, reflected))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        !answer.worth_learning
    }
}

/// Reflect on many trajectories that have ended: the insights that several of them share, with these trajectories.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReflectBatch {
    /// Only those of this agent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Only those of this type of task.
    #[serde(default)]
    pub task_type: Option<String>,
    /// Only those that began then or later.
    #[serde(default)]
    #[schemars(with = "Option<Time>")]
    pub since: Option<Timestamp>,
    /// With fewer nothing is proposed.
    #[serde(default = "number::<5>")]
    #[schemars(range(min = 1, max = 1000))]
    pub min_trajectories: usize,
    /// At most this many, the newest.
    #[serde(default = "number::<500>")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: usize,
}

impl Verb for ReflectBatch {
    verb!("reflection.batch", Learner, Writes, idempotent -> BatchReflectedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let request = BatchRequest {
            agent: self.agent,
            task_type: self.task_type,
            since: self.since,
            min_trajectories: self.min_trajectories,
            limit: self.limit,
        };
        Ok(context
            .engine
            .reflect_batch(&context.owner()?, request)
            .await?
            .into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.reflection.is_none()
    }
}

/// Show a reflection.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowReflection {
    /// Id of the reflection.
    #[schemars(length(min = 1, max = 64))]
    pub reflection: String,
}

impl Verb for ShowReflection {
    verb!("reflection.show", Learner, Reads, idempotent -> ReflectionResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let row = context
            .engine
            .reflection(&context.owner()?, &self.reflection)
            .await?;
        Ok(ReflectionResponse::new(self.reflection, row))
    }
}

/// List reflections, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListReflections {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "number::<50>")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: usize,
}

impl Verb for ListReflections {
    verb!("reflection.list", Learner, Reads, idempotent -> ReflectionsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let after: Option<String> = place(self.after.as_deref())?;
        let wanted = (after.as_deref(), self.limit);
        let found = context.engine.reflections(&context.owner()?, wanted).await;
        let found = match found {
            Err(EngineError::NoReflection(_)) => return Err(foreign()),
            found => found?,
        };
        let last = found.last().filter(|_| found.len() >= self.limit);
        let next = last.map(|(id, _)| cursor(id));
        let shown = found
            .into_iter()
            .map(|(id, row)| ReflectionResponse::new(id, row));
        Ok(ReflectionsResponse {
            reflections: shown.collect(),
            next,
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.reflections.is_empty()
    }
}
