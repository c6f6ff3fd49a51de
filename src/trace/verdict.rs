//! How a call ended: decided once for all formats, from the data of each.
//!
//! The person's decision comes before a failure, the runtime's mark and the exit code before the words of the tool. Words
//! decide where a format has neither, since a tool may print the failures of others, and for the parts of a command
//! line whose failure its exit code hides.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use crate::exit_code;
use crate::failure;
use crate::interruptions;
use crate::step::{Action, Outcome, Run, Step, TEXT_MAX_BYTES};
use crate::streams::Streams;
use crate::wrapper::{self, Bare};

/// The exit code of a shell for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A call whose result is not known yet.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) run: Run,
    pub(crate) line: usize,
    pub(crate) tool: Option<String>,
    pub(crate) action: Action,
    pub(crate) state: Value,
    pub(crate) task: Option<String>,
    pub(crate) at: Option<Timestamp>,
}

/// The result of a call as a format has it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Answer {
    /// The whole text, still in the wrappers of the harness.
    pub(crate) text: String,
    /// The two streams, where the format keeps them apart.
    pub(crate) streams: Option<Streams>,
    /// The exit code, where it has a field of its own.
    pub(crate) exit_code: Option<i32>,
    /// The format's flag for an error.
    pub(crate) failed: Option<bool>,
    /// A field's note that the call was stopped.
    pub(crate) stopped: Option<Outcome>,
    /// When the result was there.
    pub(crate) at: Option<Timestamp>,
}

impl Call {
    /// Joins a call and its answer to a step; its number is given when it is handed out.
    pub(crate) fn answered(self, answer: Answer) -> Step {
        let is_of_others = failure::prints_others(&self.action);
        let bare = wrapper::strip(&answer.text, &self.action);
        let by_field = answer.exit_code.filter(|code| *code != 0);
        let exit_code = by_field
            .or(bare.exit_code)
            .or(answer.exit_code)
            .or_else(|| self.code_in_words(&answer, &bare, is_of_others));
        let outcome = self.outcome(&answer, &bare, exit_code);
        let streams = answer.streams.or(bare.streams);
        let of_streams = streams.map(|streams| streams.error(self.action.command()));
        let error = match (outcome, of_streams) {
            (Outcome::Failed, Some(error)) if !error.is_empty() => error,
            (Outcome::Failed, _) => bare.text.clone(),
            _ => String::new(),
        };
        Step {
            run: self.run,
            number: 0,
            line: self.line,
            tool: self.tool,
            action: self.action,
            state: self.state,
            output: bounded(bare.text),
            exit_code,
            outcome,
            error: bounded(error),
            task: self.task,
            at: answer.at.or(self.at),
        }
    }

    /// The exit code that the last line of a command names in a sentence.
    fn code_in_words(&self, answer: &Answer, bare: &Bare, is_of_others: bool) -> Option<i32> {
        let is_own = !is_of_others && !self.action.command().is_empty();
        let last = bare.text.lines().next_back()?;
        exit_code::of_sentence(last).filter(|_| is_own && answer.failed.is_none())
    }

    fn outcome(&self, answer: &Answer, bare: &Bare, exit_code: Option<i32>) -> Outcome {
        if let Some(outcome) = interruptions::stopped(&bare.text).or(answer.stopped) {
            return outcome;
        }
        if exit_code == Some(INTERRUPTED) {
            return Outcome::Interrupted;
        }
        let mark = answer.failed.or(bare.failed);
        // A harness that marks a failed command as a success still writes its exit code.
        if mark == Some(true) || exit_code.is_some_and(|code| code != 0) {
            return Outcome::Failed;
        }
        let command = self.action.command();
        let has_neither = mark.is_none() && exit_code.is_none();
        if has_neither && failure::is_told(&bare.text, &self.action) {
            return Outcome::Failed;
        }
        failure::hidden(&bare.text, command).unwrap_or(Outcome::Worked)
    }
}

/// Keeps both ends of a long text: tools name the cause first or last.
fn bounded(text: String) -> String {
    if text.len() <= TEXT_MAX_BYTES {
        return text;
    }
    let head = text.floor_char_boundary(TEXT_MAX_BYTES / 2);
    let tail = text.ceil_char_boundary(text.len() - TEXT_MAX_BYTES / 2);
    let gap = tail - head;
    format!(
        "{}\n[{gap} bytes left out]\n{}",
        &text[..head],
        &text[tail..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_before_codes_and_codes_before_words() {
        use Outcome::{Failed, Unknown, Worked};
        for (command, text, failed, outcome) in [
            ("make", "all good", Some(true), Failed),
            ("make", "all good\nExit Code: 2", Some(false), Failed),
            ("make", "rc=1\nall good", None, Failed),
            ("make", "rc=0\nerror: of a test", None, Worked),
            ("make", "error: no rule", Some(false), Worked),
            ("make; ls", "error: no rule\nout", Some(false), Failed),
            ("make | tail", "error: no rule\nrc=0", None, Failed),
            ("rm a 2>/dev/null; ls", "a\nrc=0", None, Unknown),
            ("sh build.sh", "vite build exited with code 3", None, Failed),
            (
                "sh build.sh",
                "vite build exited with code 3",
                Some(false),
                Worked,
            ),
            (
                "cat build.log",
                "vite build exited with code 3",
                None,
                Worked,
            ),
        ] {
            let call = Call {
                action: Action::Command(command.to_owned()),
                ..Call::default()
            };
            let answer = Answer {
                text: text.to_owned(),
                failed,
                ..Answer::default()
            };
            assert_eq!(call.answered(answer).outcome, outcome, "{command}: {text}");
        }
    }
}
