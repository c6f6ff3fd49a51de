//! Which format a file has, judged by its content: its name proves nothing, since people rename files.
//!
//! Only the beginning is looked at. Each format rates how well a record fits, and the best one wins; of equal ones the
//! one further up in the table does, which is the one with the sharper form. A format that recognises nothing may not
//! win, since a reader of a foreign file would report each of its lines as unreadable.

use serde_json::Value;

use crate::encoding::Encoding;
use crate::formats::{
    Confidence, chat, claude_code, codex,
    described::{Described, rows},
    open_hands, open_telemetry,
    row::Row,
    swe_agent, tau_bench,
};
use crate::json::{Kept, Values, closed, pieces, replace_halves};
use crate::logs::{self, Log, TextLines, markdown, rustc_json, transcript};
use crate::wrapper::plain;

/// Bytes of the beginning that are enough for [`guess`].
pub const HEAD_BYTES: usize = 256 << 10;
/// Records that are looked at.
const RECORDS_MAX: usize = 200;
/// Lines that are looked at.
const LINES_MAX: usize = 5_000;

/// The fields of a step in the project's own form.
pub const OWN_FIELDS: &[&str] = &[
    "run",
    "step",
    "allowed_steps",
    "error",
    "state",
    "action",
    "state_after",
    "reason",
    "hard_failure",
    "failed_constraints",
    "progress",
    "no_progress",
    "efficiency",
    "wasteful",
    "exit_code",
    "unsafe_action",
    "task",
    "domain",
    "tool",
    "tags",
    "plan_step",
    "followed",
    "at",
];
/// Those without which a record is no step.
const OWN_CONTENT: &[&str] = &["error", "action", "exit_code", "state", "reason"];

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// Steps in the project's own form, with known fields only.
    Steps,
    /// A trace.
    Trace(Format),
    /// JSON of another kind, nothing at all, or no text.
    Unknown,
}

/// A format that [`crate::read`] reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A row of the table of formats.
    Described(&'static Row),
    /// Sessions of Claude Code.
    ClaudeCode,
    /// Rollouts of Codex, and the events of `codex exec`.
    Codex,
    /// Results of tau-bench.
    TauBench,
    /// Trajectories of SWE-agent.
    SweAgent,
    /// Event logs of OpenHands.
    OpenHands,
    /// Spans of OpenTelemetry.
    OpenTelemetry,
    /// Diagnostics of rustc and cargo as JSON.
    RustcJson,
    /// Conversations with calls of tools.
    Chat,
    /// Sessions that were written as Markdown.
    Markdown,
    /// Transcripts of a shell.
    Transcript,
    /// Logs of builds and tests.
    Log,
}

/// Rows of the table of formats.
const ROWS: usize = rows().len();
/// Formats that have a reader of their own.
const OWN_READERS: [Format; 11] = [
    Format::ClaudeCode,
    Format::Codex,
    Format::TauBench,
    Format::SweAgent,
    Format::OpenHands,
    Format::OpenTelemetry,
    Format::RustcJson,
    Format::Chat,
    Format::Markdown,
    Format::Transcript,
    Format::Log,
];

impl Format {
    /// All formats, the sharper forms first.
    pub const ALL: [Self; OWN_READERS.len() + ROWS] = {
        let mut all = [Self::Log; OWN_READERS.len() + ROWS];
        let mut at = 0;
        while at < all.len() {
            all[at] = if at < ROWS {
                Self::Described(&rows()[at])
            } else {
                OWN_READERS[at - ROWS]
            };
            at += 1;
        }
        all
    };

    /// The word for it on every surface.
    pub fn word(self) -> &'static str {
        match self {
            Self::Described(row) => row.word,
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::TauBench => "tau-bench",
            Self::SweAgent => "swe-agent",
            Self::OpenHands => "openhands",
            Self::OpenTelemetry => "opentelemetry",
            Self::RustcJson => "rustc-json",
            Self::Chat => "chat",
            Self::Markdown => "markdown",
            Self::Transcript => "shell",
            Self::Log => "log",
        }
    }

    /// How well a record fits; formats of text have none.
    fn looks_like(self, record: &Value) -> Confidence {
        match self {
            Self::Described(row) => row.looks_like(record),
            Self::ClaudeCode => claude_code::looks_like(record),
            Self::Codex => codex::looks_like(record),
            Self::TauBench => tau_bench::looks_like(record),
            Self::SweAgent => swe_agent::looks_like(record),
            Self::OpenHands => open_hands::looks_like(record),
            Self::OpenTelemetry => open_telemetry::looks_like(record),
            Self::RustcJson => rustc_json::looks_like(record),
            Self::Chat => chat::looks_like(record),
            Self::Markdown | Self::Transcript | Self::Log => Confidence::No,
        }
    }

    /// Its reader.
    pub(crate) fn reader(self) -> Reader {
        match self {
            Self::Described(row) => Reader::Values(Box::new(Described::new(row))),
            Self::ClaudeCode => Reader::Values(Box::<claude_code::ClaudeCode>::default()),
            Self::Codex => Reader::Values(Box::<codex::Codex>::default()),
            Self::TauBench => Reader::Values(Box::<tau_bench::TauBench>::default()),
            Self::SweAgent => Reader::Values(Box::<swe_agent::SweAgent>::default()),
            Self::OpenHands => Reader::Values(Box::<open_hands::OpenHands>::default()),
            Self::OpenTelemetry => Reader::Values(Box::<open_telemetry::OpenTelemetry>::default()),
            Self::Chat => Reader::Values(Box::<chat::Chat>::default()),
            Self::RustcJson => Reader::Lines(Box::<rustc_json::RustcJson>::default()),
            Self::Markdown => Reader::Lines(Box::<markdown::Markdown>::default()),
            Self::Transcript => Reader::Lines(Box::<transcript::Transcript>::default()),
            Self::Log => Reader::Lines(Box::<Log>::default()),
        }
    }
}

/// A reader by its input.
pub(crate) enum Reader {
    Values(Box<dyn Values>),
    Lines(Box<dyn TextLines>),
}

/// Guesses from the beginning of a file; [`HEAD_BYTES`] of it are enough.
pub fn guess(head: &[u8]) -> Guess {
    let head = &head[..head.len().min(HEAD_BYTES)];
    let encoding = Encoding::guess(head);
    let (text, _) = encoding.decode(head);
    if text.trim().is_empty() {
        return Guess::Unknown;
    }
    let is_json = text.trim_start().starts_with(['{', '[']);
    if !is_json && markdown::is_session(text.lines().take(LINES_MAX)) {
        return Guess::Trace(Format::Markdown);
    }
    let records = records(&text);
    let best = Format::ALL
        .into_iter()
        .map(|format| (confidence(format, &records), format))
        .fold((Confidence::No, None), |best, (fits, format)| {
            if fits > best.0 {
                (fits, Some(format))
            } else {
                best
            }
        });
    match best {
        (Confidence::Certain, Some(format)) => Guess::Trace(format),
        _ if records.first().is_some_and(is_own) => Guess::Steps,
        (_, Some(format)) => Guess::Trace(format),
        _ => of_text(&text, !records.is_empty()),
    }
}

fn confidence(format: Format, records: &[Value]) -> Confidence {
    let fits = records.iter().map(|record| format.looks_like(record));
    fits.max().unwrap_or(Confidence::No)
}

fn is_own(record: &Value) -> bool {
    record.as_object().is_some_and(|fields| {
        fields
            .keys()
            .all(|name| OWN_FIELDS.contains(&name.as_str()))
            && OWN_CONTENT.iter().any(|name| fields.contains_key(*name))
    })
}

/// The first records of a text: of a document, or of the lines that hold JSON.
fn records(text: &str) -> Vec<Value> {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let parsed = serde_json::from_str::<Value>(&replace_halves(first));
    if parsed.is_err_and(|error| error.is_eof()) {
        return pieces(text, 1)
            .take(RECORDS_MAX)
            .filter_map(|piece| parse(piece.text))
            .collect();
    }
    let lines = text
        .lines()
        .take(LINES_MAX)
        .filter_map(|line| Some(&line[line.find(['{', '['])?..]));
    lines
        .flat_map(|line| pieces(line, 1).filter_map(|piece| parse(piece.text)))
        .take(RECORDS_MAX)
        .collect()
}

/// A record, or the whole part of one that is cut off.
fn parse(text: &str) -> Option<Value> {
    let text = replace_halves(text);
    let value = serde_json::from_str(&text).ok();
    let value = value.or_else(|| serde_json::from_str(&closed(&text, Kept::Members)?).ok())?;
    match value {
        Value::String(inner) => serde_json::from_str(&inner).ok(),
        Value::Object(_) | Value::Array(_) => Some(value),
        _ => None,
    }
}

/// Guesses the kind of a text that holds no record of a format.
fn of_text(text: &str, has_records: bool) -> Guess {
    let is_json = text.trim_start().starts_with(['{', '[']);
    if text.contains('\0') || (is_json && has_records) {
        return Guess::Unknown;
    }
    let shown: Vec<String> = text.lines().take(LINES_MAX).map(plain).collect();
    let lines = || shown.iter().map(String::as_str);
    let (prompts, is_first) = transcript::prompts(lines());
    if prompts > 1 || is_first {
        return Guess::Trace(Format::Transcript);
    }
    let is_long = text.len() >= HEAD_BYTES && !is_json;
    if logs::diagnostics(lines()) > 0 || is_long {
        return Guess::Trace(Format::Log);
    }
    Guess::Unknown
}
