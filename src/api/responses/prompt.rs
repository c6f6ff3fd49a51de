//! Bullets or strategies as text for a prompt.

use schemars::JsonSchema;
use serde::Serialize;

use crate::prompt::Prompt;
use crate::schema::Id;
use hindlore_domain::memory::bullet::BulletId;

/// A text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PromptResponse {
    /// The text, fenced as data.
    pub text: String,
    /// Number of entries in it.
    pub bullets: usize,
    /// Ids of the bullets in it, in their order; absent for other entries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Id>")]
    pub ids: Vec<BulletId>,
    /// Number of entries that the budget had no room for.
    pub left_out: usize,
    /// Estimated tokens.
    pub tokens: usize,
}

impl From<Prompt> for PromptResponse {
    fn from(prompt: Prompt) -> Self {
        Self {
            text: prompt.text,
            bullets: prompt.kept.len(),
            ids: Vec::new(),
            left_out: prompt.left_out,
            tokens: prompt.tokens,
        }
    }
}
