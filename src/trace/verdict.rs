//! How a call ended: decided once for all formats, from the data of each.
//!
//! The person's decision comes before a failure, a flag or an exit code before the words of the tool. Words decide only
//! where a format has neither, since a tool may print the failures of others.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use crate::failure;
use crate::interruptions;
use crate::step::{Action, Outcome, Run, Step, TEXT_MAX_BYTES};
use crate::streams::Streams;
use crate::wrapper;

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
        let bare = wrapper::strip(&answer.text);
        let exit_code = answer.exit_code.or(bare.exit_code);
        let outcome = if let Some(outcome) = interruptions::stopped(&bare.text).or(answer.stopped) {
            outcome
        } else if exit_code == Some(INTERRUPTED) {
            Outcome::Interrupted
        } else if failed(&self.action, &answer, &bare, exit_code) {
            Outcome::Failed
        } else {
            Outcome::Worked
        };
        let of_streams = answer
            .streams
            .map(|streams| streams.error(self.action.command()));
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
}

fn failed(action: &Action, answer: &Answer, bare: &wrapper::Bare, exit_code: Option<i32>) -> bool {
    let by_flag = answer.failed.or(bare.is_error.then_some(true));
    match (by_flag, exit_code) {
        // A harness that sets no flag for a failed command still writes its exit code.
        (flag, Some(code)) => code != 0 || flag == Some(true),
        (Some(flag), None) => flag,
        (None, None) => failure::is_told(&bare.text, action.command()),
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
