//! One step of a run, read once for all comparisons.

use std::rc::Rc;

use super::message::{cleaned, words_of};
use crate::lesson::learning::call::{canonical, written_line};
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
    /// Of a command its line as it was written, with its folder and its redirections; of a call the text.
    pub(super) raw: String,
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

impl StepView {
    /// Reads a step from any form in which the harness reports its action.
    pub(super) fn of(step: &TraceStep) -> Self {
        let action = Action::read(&canonical(&step.action));
        let text = action.text_in_lines();
        let raw = written_line(&step.action).unwrap_or_else(|| text.clone());
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
            raw,
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
            raw: self.raw.clone(),
            action: Action::Command(command.to_owned()),
            text: command.to_owned(),
            words: command_words(command),
            commands: vec![command.to_owned()],
            failure: self.failure.clone(),
        }
    }

    /// Of a line that worked the commands that are known to have worked: the status of a line is that of its last
    /// command, and `A; B` or `A || B` report nothing about A.
    pub(super) fn known_commands(&self) -> Vec<String> {
        if self.failure.is_some() || self.raw.contains("<<") {
            return self.commands.clone();
        }
        let last = shell_pieces(&self.raw).pop().unwrap_or_default();
        let known = shell::deciding(last);
        let is_known = |command: &&String| known.contains(command);
        self.commands.iter().filter(is_known).cloned().collect()
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

    /// Returns true if the message names a short option: `-P`, or `-- P` as getopt writes it.
    fn is_option_told(&self, option: &str, letters: &str) -> bool {
        let Some(failure) = &self.failure else {
            return false;
        };
        let bare = |word: &&str| {
            word.trim_matches(['"', '\'', '`', '.', ',', ':', '(', ')'])
                .to_owned()
        };
        let parts: Vec<&str> = failure.message.split_whitespace().collect();
        let all: Vec<String> = parts.iter().map(bare).collect();
        let is_letter = |pair: &[String]| pair[0] == "--" && letters.contains(pair[1].as_str());
        all.iter().any(|word| word == option) || all.windows(2).any(is_letter)
    }

    /// Returns true if the failure's message contains a word.
    pub(super) fn is_told(&self, word: &str) -> bool {
        if let Some(letters) = word.strip_prefix('-')
            && (1..=2).contains(&letters.len())
            && !letters.starts_with('-')
        {
            return self.is_option_told(word, letters);
        }
        let word = word
            .trim_matches(['"', '\'', '`', ':', '.', '-', '/', '$'])
            .to_lowercase();
        let said = self.failure.as_ref();
        word.chars().count() > 1 && said.is_some_and(|failure| failure.words.contains(&word))
    }
}

/// The pieces of a line between `;`, `||` and the ends of lines, outside quotes and brackets.
fn shell_pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut from, mut quote, mut depth) = (0, None, 0_usize);
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (_, '\\') => {
                chars.next();
            }
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth = depth.saturating_sub(1),
            (None, ';' | '\n') if depth == 0 => {
                pieces.push(&line[from..at]);
                from = at + 1;
            }
            (None, '|') if depth == 0 && line[at..].starts_with("||") => {
                pieces.push(&line[from..at]);
                from = at + 2;
                chars.next();
            }
            _ => {}
        }
    }
    pieces.push(&line[from..]);
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
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

/// A step for tests.
#[cfg(test)]
pub(super) fn view_of(action: serde_json::Value, error: Option<&str>) -> StepView {
    use crate::lesson::trace::TraceFailure;
    let failure = error.map(|message| TraceFailure {
        fingerprint: FingerprintId([1; 10]),
        coarse: FingerprintId([1; 10]),
        message: message.to_owned(),
    });
    StepView::of(&TraceStep {
        step: 1,
        action,
        plan_step: None,
        failure,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_end_of_a_line_is_known_to_have_worked() {
        for (line, known) in [
            ("make && make test", &["make", "make test"][..]),
            ("make; make test", &["make test"]),
            ("make || make test", &["make test"]),
            ("make test | tail -5", &["make test"]),
            ("cd a; make test; echo done", &[]),
            ("git commit -m 'a; b'", &["git commit -m 'a; b'"]),
        ] {
            assert_eq!(view_of(json!(line), None).known_commands(), known, "{line}");
        }
    }
}
