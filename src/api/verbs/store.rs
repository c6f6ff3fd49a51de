//! Verbs about the contents and health of a store.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::api::problem::Problem;
use crate::api::responses::runs::HealthResponse;
use crate::api::verb::{Context, Effect, Subject, Verb};

/// Show how well the lessons work.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowHealth {}

impl Verb for ShowHealth {
    const NAME: &'static str = "store.health";
    const SUBJECT: Subject = Subject::Learner;
    const EFFECT: Effect = Effect::Reads;
    const IDEMPOTENT: bool = true;
    type Answer = HealthResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        Ok(context.engine.lesson_health(&owner).await?.into())
    }
}
