//! Verb: what the memories of a learner did of late.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::problem::Problem;
use crate::responses::status::StatusResponse;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::lessons::Waiting;

/// Show what was kept, shown, followed and prevented in the last day and the last week, and what waits for a decision.
///
/// Over all scopes of the learner.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowStatus {}

impl Verb for ShowStatus {
    verb!("status", Learner, Reads, idempotent -> StatusResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, engine) = (context.owner()?, &context.engine);
        let now = engine.now();
        let moments = [now.minus_days(1), now.minus_days(7)];
        let [day, week] = engine.activity(&owner, moments).await?;
        let Waiting {
            proposals,
            conflicts,
        } = engine.waiting(&owner).await?;
        Ok(StatusResponse {
            day: day.into(),
            week: week.into(),
            proposals,
            conflicts,
        })
    }
}
