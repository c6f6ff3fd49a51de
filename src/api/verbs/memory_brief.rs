//! The verb that returns the bullets worth knowing at the start of a session.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::export::strong::strong_prompt;
use crate::problem::Problem;
use crate::responses::PromptResponse;
use crate::verb::{Context, MissingStore, Verb, number, verb};

/// Return the bullets worth knowing at the start of a session, as text for a prompt.
///
/// Only supported bullets: pinned ones first, then those stored on purpose (`remember`, `bullets.add`), then imported ones
/// and those with more helpful than harmful votes. Bullets that were replaced or that better evidence contradicts stay
/// out. Nothing is recorded or strengthened.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BriefMemory {
    /// At most this many tokens. A bullet that does not fit is left out, and one larger than the budget is cut.
    #[serde(default = "number::<600>")]
    #[schemars(range(min = 50, max = 100_000))]
    pub budget: usize,
}

impl Verb for BriefMemory {
    verb!("memory.brief", Memory, Reads, idempotent -> PromptResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let view = context.engine.view(&context.key).await?;
        let prompt = view.map(|view| strong_prompt(&view, self.budget));
        Ok(prompt.unwrap_or_default().into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.bullets == 0
    }
}
