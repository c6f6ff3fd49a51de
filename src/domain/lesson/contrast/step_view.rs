//! One step of a run, read once for all comparisons.

use super::message::{cleaned, words_of};
use crate::lesson::action::{Action, Leaf, leaves};
use crate::lesson::call::canonical;
use crate::lesson::ids::FingerprintId;
use crate::lesson::trace::TraceStep;
use crate::lesson::value::holds_case_value;

/// Words before a command that only say how it is run.
const WRAPPERS: &[&str] = &[
    "sudo", "env", "time", "nohup", "exec", "command", "nice", "stdbuf", "xargs",
];
/// Words of a command line that are compared.
const WORDS_MAX: usize = 64;

/// A step in the form in which it is compared.
pub(super) struct StepView {
    /// Its number in the run.
    pub(super) step: u32,
    /// What was done.
    pub(super) action: Action,
    /// The same as a rule quotes it; lines of a script stay apart, since one of them may be to blame.
    pub(super) text: String,
    /// Of a command line its words from the program on; of a call its tool.
    pub(super) words: Vec<String>,
    /// How it failed; absent for a step that worked.
    pub(super) failure: Option<Failure>,
}

/// How a step failed.
pub(super) struct Failure {
    pub(super) fingerprint: FingerprintId,
    /// All that was reported.
    pub(super) raw: String,
    /// What the tool said, without headers; empty when it said nothing.
    pub(super) message: String,
    /// The words of it.
    pub(super) words: Vec<String>,
}

/// The steps with their actions in one form.
pub(super) fn in_one_form(trace: &[TraceStep]) -> Vec<TraceStep> {
    let read = |step: &TraceStep| TraceStep {
        action: canonical(&step.action),
        ..step.clone()
    };
    trace.iter().map(read).collect()
}

impl StepView {
    /// Reads a step whose action is in its one form.
    pub(super) fn of(step: &TraceStep) -> Self {
        let action = Action::read(&step.action);
        let text = action.text_in_lines();
        let words = match &action {
            Action::Command(line) => command_words(line),
            Action::Tool { name, .. } => vec![name.clone()],
            Action::Other(_) | Action::None => Vec::new(),
        };
        let failure = step.failure.as_ref().map(|failure| {
            let message = cleaned(&failure.message);
            Failure {
                fingerprint: failure.fingerprint,
                raw: failure.message.clone(),
                words: words_of(&message),
                message,
            }
        });
        Self {
            step: step.step,
            action,
            text,
            words,
            failure,
        }
    }

    /// The program or the tool; empty for data of no known form.
    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub(super) fn is_tool_call(&self) -> bool {
        matches!(self.action, Action::Tool { .. })
    }

    /// The arguments of a call by path; none of a command.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        match &self.action {
            Action::Tool { arguments, .. } => leaves(arguments),
            _ => Vec::new(),
        }
    }

    pub(super) fn holds_case_value(&self) -> bool {
        self.leaves()
            .iter()
            .any(|leaf| holds_case_value(&leaf.value))
    }

    /// Tells whether the failure's message says a word.
    pub(super) fn is_told(&self, word: &str) -> bool {
        let word = word
            .trim_matches(['"', '\'', '`', ':', '.', '-', '/', '$'])
            .to_lowercase();
        let said = self.failure.as_ref();
        word.chars().count() > 1 && said.is_some_and(|failure| failure.words.contains(&word))
    }
}

/// The words of the first command of a line, from its program on, without what only says how it is run.
fn command_words(line: &str) -> Vec<String> {
    let command = line.lines().next().unwrap_or_default();
    let command = command.split("&&").next().unwrap_or(command);
    let command = command.split([';', '|']).next().unwrap_or(command);
    let is_setting = |word: &&str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        })
    };
    let words = command.split_whitespace();
    let words = words.skip_while(|word| is_setting(word) || WRAPPERS.contains(word));
    words
        .take(WORDS_MAX)
        .map(|word| word.trim_matches(['"', '\'']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}
