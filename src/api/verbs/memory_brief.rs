//! The verb that returns the bullets worth knowing at the start of a session.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::export::strong::strong_prompt;
use crate::hint::worded;
use crate::problem::Problem;
use crate::responses::PromptResponse;
use crate::verb::{Context, MissingStore, Verb, number, verb};

/// Longest text that the reader has already, in characters.
const KNOWN_MAX_CHARS: usize = 400_000;

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
    /// Text that the reader has already, such as its own rule files: bullets in it are left out.
    #[serde(default)]
    #[schemars(length(max = KNOWN_MAX_CHARS))]
    pub known: String,
}

impl Verb for BriefMemory {
    verb!("memory.brief", Memory, Reads, idempotent -> PromptResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let mut keys = vec![context.key.clone()];
        if context.is_everywhere {
            keys = context.key.recalled();
        }
        let mut views = Vec::new();
        for key in &keys {
            views.extend(context.engine.view(key).await?);
        }
        let mut prompt = strong_prompt(&views, self.budget, &self.known);
        if prompt.bullets > 0 && prompt.left_out > 0 {
            let line = format!("{} more notes: <verb:recall QUESTION>\n", prompt.left_out);
            prompt.text.push_str(&worded(&line, &*context.voice));
        }
        Ok(prompt)
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.bullets == 0
    }
}
