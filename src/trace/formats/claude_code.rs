//! Sessions of Claude Code, as it keeps them and as `--output-format stream-json` writes them: one record a line.
//!
//! A session is a run; each agent that it started is a run of its own, since their calls interleave. Records without a
//! call or a result (summaries, snapshots, hooks) are skipped.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use super::{Confidence, action_of};
use crate::collector::{Out, Pending};
use crate::json::{At, Values, content, text};
use crate::step::{Outcome, Run};
use crate::streams::Streams;
use crate::verdict::{Answer, Call};

/// Types of records, apart from those of messages.
const OTHER_TYPES: &[&str] = &[
    "summary",
    "system",
    "result",
    "queue-operation",
    "file-history-snapshot",
    "progress",
    "attachment",
    "permission-mode",
    "last-prompt",
    "custom-title",
    "agent-name",
];

/// Beginning of the message that marks an interrupt by the person.
const INTERRUPT: &str = "[Request interrupted by user";

/// Reads a session.
#[derive(Default)]
pub(crate) struct ClaudeCode {
    pending: Pending,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let kind = text(record, "type").unwrap_or_default();
    let names_session = session(record).is_some();
    let is_message = matches!(kind, "user" | "assistant")
        && record
            .get("message")
            .is_some_and(|message| message.get("role").is_some());
    match (is_message, names_session) {
        (true, true) => Confidence::Certain,
        (true, false) if record.get("uuid").is_some() => Confidence::Certain,
        (_, true) if OTHER_TYPES.contains(&kind) => Confidence::Likely,
        _ => Confidence::No,
    }
}

impl Values for ClaudeCode {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let Some(message) = record.get("message") else {
            return;
        };
        let time = text(record, "timestamp").and_then(Timestamp::parse);
        let parts = match message.get("content") {
            Some(Value::Array(parts)) => parts.as_slice(),
            Some(Value::String(said)) if said.starts_with(INTERRUPT) => {
                self.pending.interrupt(time, out);
                return;
            }
            _ => return,
        };
        let results = parts.iter().filter(|part| is(part, "tool_result")).count();
        for part in parts {
            if is(part, "tool_use") {
                self.pending.add(call(record, part, at.line), out);
            } else if is(part, "tool_result") {
                // The fields next to the message describe one result.
                let beside = (results == 1)
                    .then(|| record.get("toolUseResult"))
                    .flatten();
                let answer = Answer {
                    at: time,
                    ..answer(part, beside)
                };
                self.pending
                    .answer(text(part, "tool_use_id"), at.line, answer, out);
            } else if let Some(said) = text(part, "text") {
                if said.starts_with(INTERRUPT) {
                    self.pending.interrupt(time, out);
                } else if text(record, "type") == Some("assistant") {
                    out.reply(run_of(record), said);
                }
            }
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.pending.finish(out);
    }
}

fn is(part: &Value, kind: &str) -> bool {
    text(part, "type") == Some(kind)
}

fn session(record: &Value) -> Option<&str> {
    text(record, "sessionId").or_else(|| text(record, "session_id"))
}

/// The run of a record: its session, or the sub-agent's part of it.
fn run_of(record: &Value) -> Run {
    let agent = text(record, "agentId").or_else(|| text(record, "parent_tool_use_id"));
    match (session(record), agent) {
        (Some(session), Some(agent)) => Run::Named(format!("{session}-{agent}")),
        (Some(session), None) => Run::Named(session.to_owned()),
        (None, _) => Run::default(),
    }
}

fn call(record: &Value, part: &Value, line: usize) -> Call {
    let name = text(part, "name").unwrap_or("tool");
    Call {
        id: text(part, "id").map(str::to_owned),
        run: run_of(record),
        line,
        tool: Some(name.to_owned()),
        action: action_of(name, part.get("input").unwrap_or(&Value::Null)),
        at: text(record, "timestamp").and_then(Timestamp::parse),
        ..Call::default()
    }
}

/// The answer of a result, with the record's fields about it.
fn answer(part: &Value, beside: Option<&Value>) -> Answer {
    let beside = beside.unwrap_or(&Value::Null);
    let stream = |name: &str| text(beside, name).map(str::to_owned);
    let (stdout, stderr) = (stream("stdout"), stream("stderr"));
    let streams = (stdout.is_some() || stderr.is_some()).then(|| Streams {
        stdout: stdout.unwrap_or_default(),
        stderr: stderr.unwrap_or_default(),
    });
    let told_beside = beside.as_str().map(|said| said.starts_with("Error"));
    let flag = part.get("is_error").and_then(Value::as_bool);
    let is_interrupted = beside.get("interrupted").and_then(Value::as_bool) == Some(true);
    Answer {
        text: content(part.get("content").unwrap_or(&Value::Null)),
        streams,
        // A result without a flag worked: the flag is written for errors only.
        failed: Some(flag.or(told_beside).unwrap_or(false)),
        stopped: is_interrupted.then_some(Outcome::Interrupted),
        ..Answer::default()
    }
}
