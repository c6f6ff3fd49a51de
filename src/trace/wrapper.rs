//! Wrappers that harnesses put around the words of a tool: removed, so that equal errors are equal under any harness.
//!
//! Only whole lines and tags of known harnesses go; the tool's own message stays whole. The content of a wrapper, an
//! exit code or the mark of an error, is kept apart.

mod ansi;
#[cfg(test)]
mod tests;
mod titles;

pub(crate) use ansi::plain;
pub(crate) use titles::titled;

use crate::exit_code::{self, Report};
use crate::failure;
use crate::object;
use crate::step::Action;
use crate::streams::Streams;
use titles::is_title;

/// An answer without its wrappers.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bare {
    /// The words of the tool.
    pub(crate) text: String,
    /// The exit code that a wrapper named.
    pub(crate) exit_code: Option<i32>,
    /// A wrapper calls it an error, or a success.
    pub(crate) failed: Option<bool>,
    /// The two streams, where the answer keeps them apart.
    pub(crate) streams: Option<Streams>,
}

/// Tags around a whole answer or a part of it; their content stays.
const TAGS: &[&str] = &[
    "tool_use_error",
    "error",
    "output",
    "stdout",
    "stderr",
    "bash-stdout",
    "bash-stderr",
    "local-command-stdout",
    "local-command-stderr",
    "function_results",
    "untrusted_context",
];
/// Tags whose content is for the model only.
const ASIDES: &[&str] = &[
    "system-reminder",
    "system_reminder",
    "persisted-output-hint",
    "environment_details",
];

/// Beginnings of the header lines of a shell, which end with `Output:`: Codex, Gemini CLI, Qwen Code, Cline, Roo.
const HEADERS: &[&str] = &[
    "Command: ",
    "Directory: ",
    "Chunk ID: ",
    "Wall time: ",
    "Process running with session ID ",
    "Original token count: ",
    "Total output lines: ",
    "Command executed",
    "Command execution was not successful",
];
/// The line that ends a header; the output may begin on it.
const OUTPUT: &str = "Output:";

/// Lines alone that only announce a stream or an error, in any case.
const HEADINGS: &[&str] = &[
    "[stderr]",
    "[stdout]",
    "[stderr]:",
    "[stdout]:",
    "stderr:",
    "stdout:",
    "--- stderr ---",
    "--- stdout ---",
    "=== stderr ===",
    "=== stdout ===",
    "error:",
];

/// Beginnings of lines that OpenHands, SWE-agent, Gemini CLI and Qwen Code append to an answer.
const TRAILERS: &[&str] = &[
    "Error: (none)",
    "Signal: (none)",
    "Background PIDs: ",
    "Process Group PGID: ",
    "[Current working directory: ",
    "[Python interpreter: ",
    "[Jupyter current working directory: ",
    "[Jupyter Python interpreter: ",
    "(Open file: ",
    "(Current directory: ",
    "bash-$",
];

/// Takes the wrappers off the answer to an action.
///
/// In the text of others, which some actions print, only certain reports of an exit code are read.
pub(crate) fn strip(answer: &str, action: &Action) -> Bare {
    let is_of_others = failure::prints_others(action);
    // A harness begins the answer to each command alike; a tool that reads returns nothing but the text.
    let is_read = is_of_others && matches!(action, Action::Call { .. });
    let text = plain(answer);
    let mut bare = Bare::default();
    let mut text = without_asides(&text);
    if let Some(fields) = object::fields(&text).filter(|fields| !is_of_others || fields.is_envelope)
    {
        bare.exit_code = fields.exit_code;
        bare.streams = fields.streams;
        bare.failed = fields.failed;
        text = fields.text.unwrap_or(text);
    }
    let was_long = text.trim().len();
    let text = untagged(&text, &mut bare);
    let is_tagged = text.len() < was_long;
    let long = text.len();
    let text = without_header(&text, is_tagged, &mut bare);
    // The lines of a harness around an output are its own, even if the command prints the text of others.
    let is_bare = !is_tagged && text.len() == long;
    let (is_of_others, is_read) = (is_of_others && is_bare, is_read && is_bare);
    let text = without_trailers(text, is_of_others, &mut bare);
    let text = without_first(text, is_read, &mut bare);
    let lines = text.lines().filter(|line| !is_heading(line));
    bare.text = lines
        .collect::<Vec<_>>()
        .join("\n")
        .trim_matches('\n')
        .trim_end()
        .to_owned();
    bare
}

fn is_heading(line: &str) -> bool {
    HEADINGS
        .iter()
        .any(|heading| line.trim().eq_ignore_ascii_case(heading))
}

/// Removes the parts that only the model should read.
fn without_asides(text: &str) -> String {
    let mut text = text.to_owned();
    for tag in ASIDES {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(start) = text.find(&open) {
            let end = text[start..]
                .find(&close)
                .map_or(text.len(), |at| start + at + close.len());
            text.replace_range(start..end, "");
        }
    }
    text
}

/// Takes tags off that begin the answer; those further inside are the tool's own.
fn untagged(text: &str, bare: &mut Bare) -> String {
    let mut text = text.to_owned();
    // `<returncode>1</returncode>`
    if let Some(end) = text
        .find("</")
        .and_then(|at| Some(at + text.get(at..)?.find('>')? + 1))
        && let Some(element) = text
            .get(..end)
            .filter(|element| element.trim_start().starts_with('<'))
        && let Some(report) = exit_code::of_line(element)
    {
        bare.exit_code = Some(report.code);
        text = text.split_off(end).trim_start().to_owned();
    }
    if let Some((line, rest)) = first_line(text.trim_start())
        && is_title(line)
    {
        text = rest.to_owned();
    }
    while let Some(tag) = TAGS.iter().find(|tag| opens(text.trim_start(), tag)) {
        if tag.ends_with("error") {
            bare.failed = Some(true);
        }
        let inner = text.trim_start()[tag.len() + 2..].replacen(&format!("</{tag}>"), "\n", 1);
        text = inner.trim().to_owned();
    }
    text
}

fn opens(text: &str, tag: &str) -> bool {
    let rest = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_prefix(tag));
    rest.is_some_and(|rest| rest.starts_with('>') && rest.contains(&format!("</{tag}>")))
}

/// Takes off the lines before the output; without `Output:` they are the tool's own.
fn without_header<'t>(text: &'t str, is_tagged: bool, bare: &mut Bare) -> &'t str {
    let mut rest = text;
    let mut code = None;
    while let Some((line, after)) = first_line(rest) {
        let line = line.trim();
        let is_header = is_tagged || rest.len() < text.len();
        if is_header && line.starts_with(OUTPUT) {
            bare.exit_code = code.or(bare.exit_code);
            let at = rest.find(OUTPUT).unwrap_or_default();
            return rest[at + OUTPUT.len()..].trim_start_matches([' ', '\r', '\n']);
        }
        let report = exit_code::of_line(line);
        if report.is_none() && !HEADERS.iter().any(|head| line.starts_with(head)) {
            return text;
        }
        code = report.map(|report| report.code).or(code);
        rest = after;
    }
    text
}

/// Takes off a report of an exit code in the first line.
fn without_first<'t>(text: &'t str, is_read: bool, bare: &mut Bare) -> &'t str {
    let Some((line, after)) = first_line(text) else {
        return text;
    };
    let begun = || {
        let (report, rest) = exit_code::at_start(line)?;
        Some((report, text.get(line.len() - rest.len()..)?))
    };
    let report = exit_code::of_line(line).map(|report| (report, after));
    let report = report.or_else(begun);
    let counts = |report: &Report| report.is_certain || !is_read;
    match report.filter(|(report, _)| counts(report)) {
        Some((report, after)) => {
            bare.exit_code = bare.exit_code.or(Some(report.code));
            after
        }
        None => text,
    }
}

/// Removes the lines after the output, from the last one on.
fn without_trailers<'t>(text: &'t str, is_of_others: bool, bare: &mut Bare) -> &'t str {
    let mut text = text;
    loop {
        text = text.trim_end();
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].trim();
        // A log that is shown may end with the report of another program.
        let is_bracketed = line.ends_with([']', '>']);
        let report = exit_code::of_line(line).filter(|_| is_bracketed || !is_of_others);
        if report.is_none() && !TRAILERS.iter().any(|head| line.starts_with(head)) {
            return text;
        }
        let code = report.map(|report| report.code);
        bare.exit_code = bare.exit_code.or(code);
        text = &text[..start];
    }
}

/// The first line and the rest; absent for an empty text.
fn first_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}
