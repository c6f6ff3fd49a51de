//! The record of a turn: the question, the answer, the steps between them, and the verdict.

use serde::{Deserialize, Serialize};

use super::shown::Shown;
use crate::model::fence::fenced;
use crate::model::{Message, Role};
use hindlore_text::layout::preview::preview;

/// How much of a trace goes into a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceLimits {
    /// Messages, the last ones.
    pub messages: usize,
    /// Characters of one message.
    pub message_chars: usize,
    /// Characters in all.
    pub chars: usize,
}

impl Default for TraceLimits {
    fn default() -> Self {
        Self {
            messages: 10,
            message_chars: 500,
            chars: 5_000,
        }
    }
}

/// A requirement, and whether the answer met it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rubric {
    /// The requirement.
    pub text: String,
    /// Whether it was met.
    pub passed: bool,
}

/// One turn.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The right answer, if known.
    pub ground_truth: Option<String>,
    /// The feedback of the environment.
    pub feedback: Option<String>,
    /// Whether it went well; `None` if it was not judged. The existence of an answer is no success.
    pub success: Option<bool>,
    /// Messages of the turn, tool calls and their results among them.
    pub messages: Vec<Message>,
    /// Requirements with their status.
    pub rubrics: Vec<Rubric>,
    /// The bullets that it was shown.
    pub shown: Vec<Shown>,
    /// Ids of the bullets that the answer claims to use.
    pub cited: Vec<String>,
}

impl Trace {
    /// The trace as a prompt shows it: data, cut from the front where it is too long.
    pub fn text(&self, limits: TraceLimits) -> String {
        let mut parts = vec![format!(
            "question: {}",
            preview(&self.question, limits.message_chars)
        )];
        let skipped = self.messages.len().saturating_sub(limits.messages);
        for message in &self.messages[skipped..] {
            let role = match message.role {
                Role::System => continue,
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
            };
            parts.push(format!(
                "{role}: {}",
                preview(&message.content, limits.message_chars)
            ));
        }
        parts.push(format!(
            "answer: {}",
            preview(&self.answer, limits.message_chars)
        ));
        if let Some(truth) = &self.ground_truth {
            parts.push(format!(
                "right answer: {}",
                preview(truth, limits.message_chars)
            ));
        }
        if let Some(said) = &self.feedback {
            parts.push(format!("feedback: {}", preview(said, limits.message_chars)));
        }
        if let Some(success) = self.success {
            parts.push(format!(
                "outcome: {}",
                if success { "success" } else { "failure" }
            ));
        }
        for rubric in &self.rubrics {
            let status = if rubric.passed { "PASS" } else { "FAIL" };
            parts.push(format!(
                "{status}: {}",
                preview(&rubric.text, limits.message_chars)
            ));
        }
        fenced("trace", &preview(&parts.join("\n"), limits.chars))
    }
}
