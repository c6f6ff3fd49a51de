//! Bullets or strategies as text for a prompt.

use schemars::JsonSchema;
use serde::Serialize;

use crate::prompt::Prompt;

/// A text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PromptResponse {
    /// The text, fenced as data.
    pub text: String,
    /// Number of entries in it.
    pub bullets: usize,
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
            left_out: prompt.left_out,
            tokens: prompt.tokens,
        }
    }
}
