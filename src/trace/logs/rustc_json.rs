//! Diagnostics of `rustc` and `cargo`, and tests of Go, as JSON, one a line, between lines for people.

use serde_json::Value;

use super::go_json::{GoEvents, is_event};
use super::{Log, TextLines};
use crate::collector::Out;
use crate::formats::Confidence;
use crate::json::text;
use crate::verdict::{Answer, Call};
use crate::wrapper::plain;

/// Reasons by which cargo names its messages.
const REASONS: &[&str] = &[
    "compiler-message",
    "compiler-artifact",
    "build-script-executed",
    "build-finished",
];
/// Errors that only count the others.
const COUNTS: &[&str] = &[
    "aborting due to",
    "could not compile",
    "Some errors have detailed",
    "For more information",
];

/// Reads diagnostics.
#[derive(Default)]
pub(crate) struct RustcJson {
    /// The lines between them, such as an error of cargo itself.
    beside: Log,
    go: GoEvents,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let is_cargo = text(record, "reason").is_some_and(|reason| REASONS.contains(&reason));
    let is_rustc = text(record, "$message_type").is_some()
        || ["level", "spans", "message"]
            .iter()
            .all(|name| record.get(*name).is_some());
    let is_test =
        matches!(text(record, "type"), Some("test" | "suite")) && text(record, "event").is_some();
    if is_cargo || is_rustc || is_test || is_event(record) {
        Confidence::Certain
    } else {
        Confidence::No
    }
}

impl TextLines for RustcJson {
    fn line(&mut self, number: usize, line: &str, out: &mut Out<'_>) {
        if !line.starts_with('{') {
            self.beside.line(number, line, out);
            return;
        }
        match serde_json::from_str::<Value>(line) {
            Ok(record) if is_event(&record) => {
                if let Some(text) = self.go.take(&record) {
                    self.beside.know_another();
                    let tool = "go test";
                    tell(Said { tool, text }, number, out);
                }
            }
            Ok(record) => {
                if let Some(said) = diagnostic(&record) {
                    self.beside.know_another();
                    tell(said, number, out);
                }
            }
            Err(_) => out.skip(number, "not valid JSON; the line may be cut off"),
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.beside.end(out);
    }
}

/// An error in the words of its tool.
struct Said {
    tool: &'static str,
    text: String,
}

/// The error of a record; absent for warnings, for mere counts of errors, and for records of other kinds.
fn diagnostic(record: &Value) -> Option<Said> {
    if text(record, "type") == Some("test") {
        let name = text(record, "name").filter(|_| text(record, "event") == Some("failed"))?;
        return Some(Said {
            tool: "cargo test",
            text: format!("{name}\n{}", text(record, "stdout").unwrap_or_default()),
        });
    }
    let message = record.get("message").filter(|message| message.is_object());
    let message = message.unwrap_or(record);
    let said = text(message, "message")?;
    let is_error = text(message, "level").is_some_and(|level| level.starts_with("error"));
    if !is_error || COUNTS.iter().any(|head| said.starts_with(head)) {
        return None;
    }
    let code = message.get("code").and_then(|code| text(code, "code"));
    let own = match code {
        Some(code) => format!("error[{code}]: {said}"),
        None => format!("error: {said}"),
    };
    Some(Said {
        tool: "rustc",
        text: text(message, "rendered").map_or(own, plain),
    })
}

fn tell(said: Said, line: usize, out: &mut Out<'_>) {
    let call = Call {
        line,
        tool: Some(said.tool.to_owned()),
        ..Call::default()
    };
    out.step(call.answered(Answer {
        text: said.text,
        failed: Some(true),
        ..Answer::default()
    }));
}
