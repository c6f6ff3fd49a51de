//! Bullets or strategies as text for a prompt.

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::prompt::Prompt;

/// A text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PromptResponse {
    /// The text, fenced as data.
    pub text: String,
    /// Number of bullets in it, from the first.
    pub bullets: usize,
    /// Estimated tokens.
    pub tokens: usize,
}

impl From<Prompt> for PromptResponse {
    fn from(prompt: Prompt) -> Self {
        Self {
            text: prompt.text,
            bullets: prompt.bullets,
            tokens: prompt.tokens,
        }
    }
}
