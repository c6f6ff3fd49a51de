//! Reads the traces of agents and tools as runs of steps, each a call and its result.
//!
//! ```text
//! bytes ── encoding ── lines ──┬── json ── formats ──┐
//!                              └── logs ─────────────┴── verdict ── out ── steps
//! ```
//!
//! [`guess`] finds the format from the content; [`read`] hands out steps and unreadable places in the order of the
//! file. Nothing is lost in silence: a damaged line is reported with its number and the reason, and the rest is read.
//!
//! | format | run | sign of a failure |
//! | --- | --- | --- |
//! | Claude Code: a session, or `stream-json` | session, and each agent of it | flag, exit code before the answer |
//! | Codex: a rollout, or `exec --json` | session | exit code of the event or the answer |
//! | chat: messages with calls, items of responses | conversation | flag, exit code in the answer, else words |
//! | OpenHands: events of both generations | instance | exit code, kind of the event |
//! | SWE-agent: trajectory, demonstration, mini 1 | instance | words; exit code in mini |
//! | tau-bench: results | task and trial | words; the reward shows how the run ended |
//! | OpenTelemetry: OTLP as JSON, flat spans | conversation, else trace | status, `error.type`; words in messages |
//! | each row of the table in `formats/rows.rs` | session, thread, run | the fields in `marks` |
//! | rustc, cargo and `go test` as JSON; logs of tools | the file | each diagnostic is one |
//! | Markdown: AppWorld, SpecStory, aider | the file | exit code in the output, else words |
//! | shell: a transcript | the file | `echo $?`, else words |
//!
//! A result is read in one order for all formats: the runtime's own mark (`marks`), the exit code in any form
//! (`exit_code`, `object`), the diagnostics of parts whose failure the exit code hides (`chain`, `failure`). A result
//! that does not show how the call ended is [`Outcome::Unknown`].
//!
//! A `.eval` log of Inspect is an archive; [`EvalLog`] gives its samples as lines.
//!
//! A source is read once and line by line. The process holds calls without results ([`PENDING_MAX`]), one line
//! ([`LINE_MAX_BYTES`]), of a step the ends of its texts ([`TEXT_MAX_BYTES`]), and a document that is not in lines as a
//! whole ([`DOCUMENT_MAX_BYTES`]).
//!
//! A new format of JSON is a row in `formats/rows.rs` and an example in its test. A format that needs more than paths is
//! a file in `formats` (records of JSON) or in `logs` (lines of text), and a word in [`Format`].
//!
//! # Example
//!
//! ```
//! use hindlore_trace::{Format, Guess, Item, Outcome, guess, read};
//!
//! # fn main() -> std::io::Result<()> {
//! let log = b"$ cat notes.txt\ncat: notes.txt: No such file or directory\n$ echo $?\n1\n";
//! assert_eq!(guess(log), Guess::Trace(Format::Transcript));
//!
//! let mut outcomes = Vec::new();
//! let mut take = |item| if let Item::Step(step) = item { outcomes.push(step.outcome) };
//! read(Format::Transcript, log.as_slice(), &mut take)?;
//! assert_eq!(outcomes, [Outcome::Failed]);
//! # Ok(())
//! # }
//! ```

mod archive;
mod chain;
mod collector;
mod encoding;
mod exit_code;
mod failure;
mod formats;
mod guess;
mod hooks;
mod interruptions;
mod json;
mod lines;
mod logs;
mod marks;
mod object;
mod python_call;
mod step;
mod streams;
#[cfg(test)]
mod tests;
mod unknown;
mod verdict;
mod wrapper;

use std::io::{self, BufRead};

pub use archive::EvalLog;
pub use collector::PENDING_MAX;
pub use encoding::Encoding;
pub use guess::{Format, Guess, HEAD_BYTES, OWN_FIELDS, guess};
pub use hooks::{HookEvent, Moment, ReplyForm};
pub use interruptions::REFUSAL;
pub use json::{
    DOCUMENT_MAX_BYTES, DocumentEnd, HALVES_REPLACED, Member, Progress, members, replace_halves,
};
pub use lines::LINE_MAX_BYTES;
pub use step::{Action, Item, Outcome, Run, Skipped, Step, TEXT_MAX_BYTES};
pub use unknown::describe_unknown;

use collector::Out;
use guess::Reader;
use lines::Lines;

/// The error in the answer of a tool, without the report of the harness around it, as a trace with this answer gives it.
pub fn bare_error(answer: &str) -> String {
    let bare = wrapper::strip(answer, &Action::Unknown);
    let of_streams = bare.streams.map(|streams| streams.error(""));
    of_streams
        .filter(|error| !error.is_empty())
        .unwrap_or(bare.text)
}

/// Figures of a source that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Lines that were read.
    pub lines: usize,
    /// Bytes that were no UTF-8 and were read as cp1252 or replaced.
    pub replaced_bytes: usize,
}

/// Reads a source of a format and hands out its items in the order of the file.
///
/// # Errors
/// The source's error when it cannot be read; items handed out before stay valid.
pub fn read(
    format: Format,
    mut source: impl BufRead,
    take: &mut dyn FnMut(Item),
) -> io::Result<Summary> {
    let encoding = Encoding::guess(source.fill_buf()?);
    let mut lines = Lines::new(source, encoding);
    let mut out = Out::new(take);
    match format.reader() {
        Reader::Values(mut reader) => {
            json::feed(&mut lines, &mut *reader, &mut out)?;
            reader.end(&mut out);
            out.account();
        }
        Reader::Lines(mut reader) => {
            logs::feed(&mut lines, &mut *reader, &mut out)?;
            reader.end(&mut out);
        }
    }
    Ok(Summary {
        lines: lines.number,
        replaced_bytes: lines.replaced,
    })
}
