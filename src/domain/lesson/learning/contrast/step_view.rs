//! One step of a run, read once for all comparisons.

use std::rc::Rc;

use super::message::{cleaned, words_of};
use crate::lesson::learning::call::canonical;
use crate::lesson::trace::TraceStep;
use hindlore_errors::action::{Action, Leaf, leaves};
use hindlore_errors::shell;
use hindlore_errors::value::holds_case_value;
use hindlore_primitives::ids::FingerprintId;

/// Words of a command line that are compared.
const WORDS_MAX: usize = 64;

/// A step in the form in which it is compared.
pub(super) struct StepView {
    /// Its number in the run.
    pub(super) step: u32,
    /// The action.
    pub(super) action: Action,
    /// The action as a rule quotes it; lines of a script stay separate, since one of them may be faulty.
    pub(super) text: String,
    /// Of a command line its words from the program on; of a call its tool.
    pub(super) words: Vec<String>,
    /// Of a command line the commands that decide whether it works.
    pub(super) commands: Vec<String>,
    /// How it failed; absent for a step that worked.
    pub(super) failure: Option<Rc<Failure>>,
}

/// How a step failed.
pub(super) struct Failure {
    pub(super) fingerprint: FingerprintId,
    /// All that was reported.
    pub(super) raw: String,
    /// The message of the tool, without headers; empty when there is none.
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
        let commands = match &action {
            Action::Command(line) => shell::deciding(line),
            Action::Tool { .. } | Action::Other(_) | Action::None => Vec::new(),
        };
        let words = match &action {
            Action::Tool { name, .. } => vec![name.clone()],
            _ => commands
                .first()
                .map_or_else(Vec::new, |command| command_words(command)),
        };
        let failure = step.failure.as_ref().map(|failure| {
            let message = cleaned(&failure.message);
            Rc::new(Failure {
                fingerprint: failure.fingerprint,
                raw: failure.message.clone(),
                words: words_of(&message),
                message,
            })
        });
        Self {
            step: step.step,
            action,
            text,
            words,
            commands,
            failure,
        }
    }

    /// One command of this step, as a step of its own.
    pub(super) fn with_command(&self, command: &str) -> Self {
        Self {
            step: self.step,
            action: Action::Command(command.to_owned()),
            text: command.to_owned(),
            words: command_words(command),
            commands: vec![command.to_owned()],
            failure: self.failure.clone(),
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

    /// Returns true if the failure's message contains a word.
    pub(super) fn is_told(&self, word: &str) -> bool {
        let word = word
            .trim_matches(['"', '\'', '`', ':', '.', '-', '/', '$'])
            .to_lowercase();
        let said = self.failure.as_ref();
        word.chars().count() > 1 && said.is_some_and(|failure| failure.words.contains(&word))
    }
}

/// The words of a command, from its program on.
fn command_words(command: &str) -> Vec<String> {
    let line = command.lines().next().unwrap_or_default();
    let words = shell::words(line).into_iter().take(WORDS_MAX);
    words
        .map(|word| word.trim_matches(['"', '\'']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}
