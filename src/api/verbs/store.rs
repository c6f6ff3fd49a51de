//! Verbs about the contents and health of a store.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::problem::Problem;
use crate::responses::runs::HealthResponse;
use crate::verb::{Context, Verb, verb};

/// Show how well the lessons work.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowHealth {}

impl Verb for ShowHealth {
    verb!("store.health", Learner, Reads, idempotent -> HealthResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        Ok(context.engine.lesson_health(&owner).await?.into())
    }
}
