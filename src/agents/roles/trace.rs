//! The record of a turn: the question, the answer, the steps between them, and the verdict.

use serde::{Deserialize, Serialize};

use super::shown::Shown;
use crate::model::fence::fenced;
use crate::model::{Message, Role};
use hindlore_text::layout::preview::{both_ends, preview};

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
            chars: 8_000,
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
    /// The trace as a prompt shows it: data, of at most `limits.chars`. The verdict and the failed requirements come
    /// before all else, then the question and the answer; the oldest messages make room.
    pub fn text(&self, limits: TraceLimits) -> String {
        let verdict = first_lines(self.verdict(limits.message_chars), limits.chars / 2);
        let mut parts = vec![
            format!(
                "question: {}",
                both_ends(&self.question, 2 * limits.message_chars)
            ),
            format!(
                "answer: {}",
                both_ends(&self.answer, 2 * limits.message_chars)
            ),
        ];
        parts.extend(verdict);
        let used: usize = parts.iter().map(|part| part.chars().count() + 1).sum();
        let mut left = limits.chars.saturating_sub(used);
        let mut messages = Vec::new();
        for message in self.messages.iter().rev().take(limits.messages) {
            let role = match message.role {
                Role::System => continue,
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
            };
            let line = format!(
                "{role}: {}",
                both_ends(&message.content, limits.message_chars)
            );
            let Some(rest) = left.checked_sub(line.chars().count() + 1) else {
                break;
            };
            left = rest;
            messages.push(line);
        }
        messages.reverse();
        parts.splice(1..1, messages);
        fenced("trace", &parts.join("\n"))
    }

    /// The outcome, the truth, the feedback and the requirements, those that failed first.
    fn verdict(&self, chars: usize) -> Vec<String> {
        let outcome = self.success.map(|success| {
            let word = if success { "success" } else { "failure" };
            format!("outcome: {word}")
        });
        let truth = self.ground_truth.as_deref();
        let truth = truth.map(|truth| format!("right answer: {}", both_ends(truth, chars)));
        let feedback = self.feedback.as_deref();
        let feedback = feedback.map(|said| format!("feedback: {}", both_ends(said, chars)));
        let line =
            |(word, rubric): (&str, &Rubric)| format!("{word}: {}", preview(&rubric.text, chars));
        let failed = self.rubrics.iter().filter(|one| !one.passed);
        let passed = self.rubrics.iter().filter(|one| one.passed);
        let rubrics = failed.map(|one| ("FAIL", one));
        let rubrics = rubrics.chain(passed.map(|one| ("PASS", one))).map(line);
        let known = [outcome, truth, feedback].into_iter().flatten();
        known.chain(rubrics).collect()
    }
}

/// The first lines that fit, and the number of the others.
fn first_lines(mut lines: Vec<String>, chars_max: usize) -> Vec<String> {
    let mut used = 0;
    let fitting = lines.iter().take_while(|line| {
        used += line.chars().count() + 1;
        used <= chars_max
    });
    let count = fitting.count();
    let more = lines.len() - count;
    lines.truncate(count);
    if more > 0 {
        lines.push(format!("{more} more requirements are left out"));
    }
    lines
}
