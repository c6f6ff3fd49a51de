//! The message of a tool: the line that counts, without the additions of a harness.
//!
//! An agent's harness adds a header, a tag, a colour; a build tool adds that the build failed. The tool's own
//! complaint is between them, and a rule quotes that alone.

use serde_json::Value;

use super::phrases::{BARE, SUMMARY, says, without_marks};
use crate::lesson::rule::clipped;
use hindlore_errors::value::without_case_values;

/// The longest part of a tool's message that a rule quotes, in characters.
const MESSAGE_MAX_CHARS: usize = 200;
/// Lines of a message that are read.
const LINES_MAX: usize = 400;

/// Words by which a line names a fault.
const COMPLAINTS: &[&str] = &[
    "error",
    "fatal",
    "rejected",
    "no ",
    "but ",
    "exceeds",
    "fail",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable",
    "not ",
    "no such",
    "missing",
    "invalid",
    "denied",
    "refused",
    "unknown",
    "unexpected",
    "unrecognized",
    "unrecognised",
    "unsupported",
    "required",
    "must ",
    "expected",
    "forbidden",
    "does not",
    "doesn't",
    "conflict",
    "exceeded",
    "only ",
    "deprecated",
];

/// The message without the harness' own lines and marks; empty when there is nothing else.
pub(super) fn cleaned(message: &str) -> String {
    let message = spoken(message);
    let message = without_marks(&message);
    let kept: Vec<&str> = message
        .lines()
        .take(LINES_MAX)
        .map(str::trim_end)
        .filter(|line| !line.trim().is_empty() && !says(&BARE, line))
        .collect();
    kept.join("\n")
}

/// The words in a message that is JSON.
fn spoken(message: &str) -> String {
    let text = message.trim();
    let words = |value: &Value| -> Option<String> {
        let mut at = value;
        for _ in 0..4 {
            let keys = [
                "message",
                "error",
                "detail",
                "msg",
                "reason",
                "stderr",
                "description",
                "title",
            ];
            at = match at {
                Value::String(text) => return Some(text.clone()),
                Value::Array(items) => items.first()?,
                Value::Object(_) => keys
                    .iter()
                    .find_map(|key| at.get(*key).filter(|v| !v.is_null()))?,
                _ => return None,
            };
        }
        None
    };
    if !text.starts_with(['{', '[']) {
        return message.to_owned();
    }
    let read = serde_json::from_str::<Value>(text).ok();
    read.as_ref()
        .and_then(words)
        .unwrap_or_else(|| message.to_owned())
}

/// The most informative line of a cleaned message, without values of one case and cut between two words.
///
/// The first line that complains is the cause; later lines are its consequences. A traceback is the exception, it ends
/// with its cause.
pub(super) fn headline(message: &str) -> String {
    let lines = || message.lines().filter(|line| !says(&SUMMARY, line.trim()));
    let complains =
        |line: &&str| !line.starts_with([' ', '\t']) && !is_warning(line) && complains(line);
    let is_traceback = message
        .lines()
        .any(|line| line.trim_start().starts_with("Traceback ("));
    let last = || lines().rfind(|line| !line.starts_with([' ', '\t']));
    let line = is_traceback
        .then(last)
        .flatten()
        .or_else(|| lines().find(complains))
        .or_else(|| lines().next())
        .or_else(|| message.lines().next())
        .unwrap_or_default();
    clipped(&without_case_values(line), MESSAGE_MAX_CHARS)
}

/// Returns true if a line names a fault.
fn complains(line: &str) -> bool {
    // A build tool prints the commands that it runs, and `-Werror` is none of their errors.
    let words = line.split_whitespace();
    let said: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    let lower = said.join(" ").to_lowercase();
    COMPLAINTS.iter().any(|word| lower.contains(word))
}

/// A warning is no failure.
fn is_warning(line: &str) -> bool {
    let mut words = line.split_whitespace().take(3);
    words.any(|word| {
        let word = word
            .trim_matches(['*', '[', ']', ':', '(', ')'])
            .to_lowercase();
        matches!(
            word.as_str(),
            "warning" | "warn" | "wrn" | "deprecationwarning" | "notice" | "info" | "note"
        )
    })
}

/// Words of a text that can be compared with an action: without marks around them, longer than one
/// character, in lower case.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let between = |c: char| c.is_whitespace() || "\"'`()[]{},;!?<>|=*".contains(c);
    text.split(between)
        .map(|word| word.trim_matches([':', '.', '$', '/', '-']).to_lowercase())
        .filter(|word| word.chars().count() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_a_tag_and_a_code_are_no_message() {
        for message in [
            "Exit code 1",
            "exit code: 2",
            "exit status 1",
            "ERROR:",
            "<tool_use_error></tool_use_error>",
            "\u{1b}[31mError\u{1b}[0m",
            "Command failed with exit code 1",
            "Process exited with code 127.",
            "[stderr]\n\n",
            "failed",
            "",
        ] {
            assert_eq!(cleaned(message), "", "{message}");
        }
    }

    #[test]
    fn the_line_that_counts_is_the_first_cause() {
        for (message, expected) in [
            (
                "Exit code 1\nfatal: no upstream branch",
                "fatal: no upstream branch",
            ),
            (
                "ERROR:\nParameter `to` is required",
                "Parameter `to` is required",
            ),
            (
                "<tool_use_error>File has not been read yet.</tool_use_error>",
                "File has not been read yet.",
            ),
            (
                "/bin/sh: 1: cd: can't cd to out\nmake: *** [Makefile:9: all] Error 2",
                "/bin/sh: 1: cd: can't cd to out",
            ),
            (
                "npm ERR! code E404\nnpm ERR! missing script: lint",
                "npm ERR! missing script: lint",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1\nModuleNotFoundError: No module named 'x'",
                "ModuleNotFoundError: No module named 'x'",
            ),
            (
                "{\"error\": {\"code\": 4, \"message\": \"sort must be asc or desc\"}}",
                "sort must be asc or desc",
            ),
            (
                "cc -Werror -c cart.c\ncart.c:3:9: error: unused variable 'n'\nmake: *** [cart.o] Error 1",
                "cart.c:3:9: error: unused variable 'n'",
            ),
            (
                "warning: LF will be replaced\nfatal: no upstream branch",
                "fatal: no upstream branch",
            ),
            (
                "note: a\nerror: two rooms are taken",
                "error: two rooms are taken",
            ),
        ] {
            assert_eq!(headline(&cleaned(message)), expected);
        }
    }
}
