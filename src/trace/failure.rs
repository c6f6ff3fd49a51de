//! Whether words alone show a failure, for formats that have neither a flag nor an exit code.
//!
//! A tool that prints failures of others has not failed itself: the output of programs that show or search files is
//! never read this way. The price is that their rare failures pass as successes.

use hindlore_errors::shell::{program, words};
use serde_json::Value;

use crate::logs::is_exception;

/// Programs that print the text of others.
const SHOWS_TEXT: &[&str] = &[
    "cat",
    "less",
    "more",
    "head",
    "tail",
    "grep",
    "rg",
    "ag",
    "egrep",
    "fgrep",
    "sed",
    "awk",
    "find",
    "ls",
    "tree",
    "diff",
    "echo",
    "printf",
    "open",
    "goto",
    "scroll_down",
    "scroll_up",
    "search_file",
    "search_dir",
    "find_file",
    "view",
    "type",
    "Get-Content",
    "man",
    "jq",
    "bat",
    "nl",
    "strings",
    "journalctl",
    "dmesg",
];
/// Sub-commands of the same kind.
const SHOWS_TEXT_OF: &[(&str, &str)] = &[
    ("git", "log"),
    ("git", "show"),
    ("git", "diff"),
    ("git", "grep"),
    ("git", "blame"),
    ("docker", "logs"),
    ("kubectl", "logs"),
];

/// Beginnings of an answer that is an error from its first word on.
const BEGINS: &[&str] = &[
    "Error:",
    "Error ",
    "ERROR:",
    "ERROR ",
    "error:",
    "error[",
    "fatal:",
    "Fatal:",
    "FATAL",
    "Invalid ",
    "invalid ",
    "Failed to ",
    "failed to ",
    "Unknown ",
    "Missing required",
    "missing required",
    "Traceback (most recent call last)",
    "Exception:",
    "Exception in ",
    "panic:",
    "Permission denied",
    "Cannot ",
    "cannot ",
    "Could not ",
    "No such ",
    "Unauthorized",
    "Forbidden",
    "Not found",
    "Bad request",
    "Access denied",
    "Your proposed edit has introduced new",
    "Your edit was not applied",
    "The command timed out",
    "Command timed out",
    "EXECUTION TIMED OUT",
    "Timeout",
    "apply_patch verification failed",
    "execution error:",
    "unsupported call:",
    "command timed out",
    "failed in sandbox",
    "No replacement was performed",
    "usage: ",
    "Usage: ",
];

/// Beginnings of a line, anywhere, that a tool writes only about itself.
const LINES: &[&str] = &[
    "Traceback (most recent call last)",
    "error: ",
    "error[E",
    "fatal: ",
    "FAILED ",
    "FAILED(",
    "npm ERR! ",
    "npm error ",
    "make: *** ",
    "E   ",
    "ERROR: ",
    "ERROR! ",
    "--- FAIL: ",
    "FAIL\t",
    "panic: ",
    "Segmentation fault",
    "thread 'main' panicked",
    "Error from server",
    "BUILD FAILED",
    "FAILURE: ",
    "[ERROR] ",
    "collect2: error",
    "SyntaxError: ",
    "ModuleNotFoundError: ",
    "ImportError: ",
    "Exception in thread ",
    "test result: FAILED",
];

/// Errors that a shell or the program itself prints in the first or last line.
const OF_SHELLS: &[&str] = &[
    "command not found",
    "No such file or directory",
    "Permission denied",
    ": not found",
    "Is a directory",
    "Not a directory",
    "cannot execute binary file",
    "syntax error near unexpected token",
    "Operation not permitted",
    "is not recognized as an internal or external command",
    "No space left on device",
    "Connection refused",
    "Could not resolve host",
];

/// True when an answer reports a failure; `command` is the command line, empty for a call of another tool.
pub(crate) fn is_told(answer: &str, command: &str) -> bool {
    let answer = answer.trim();
    if answer.is_empty() {
        return false;
    }
    if let Some(is_error) = of_object(answer) {
        return is_error;
    }
    if BEGINS.iter().any(|head| answer.starts_with(head)) {
        return !shows_text(command) || is_of_shell(answer, command);
    }
    if is_of_shell(answer, command) {
        return true;
    }
    let is_prose = command.is_empty();
    !is_prose
        && !shows_text(command)
        && answer
            .lines()
            .any(|line| LINES.iter().any(|head| line.starts_with(head)) || is_exception(line))
}

/// Whether a JSON answer reports an error: absent when it is no JSON object.
fn of_object(answer: &str) -> Option<bool> {
    if !answer.starts_with('{') {
        return None;
    }
    let value: Value = serde_json::from_str(answer).ok()?;
    let says = |name: &str| value.get(name);
    for name in ["isError", "is_error"] {
        if let Some(is_error) = says(name).and_then(Value::as_bool) {
            return Some(is_error);
        }
    }
    for name in ["success", "ok"] {
        if let Some(is_good) = says(name).and_then(Value::as_bool) {
            return Some(!is_good);
        }
    }
    let is_set = |value: &Value| !matches!(value, Value::Null | Value::Bool(false)) && value != "";
    let status = says("status").and_then(Value::as_str).unwrap_or_default();
    let is_error = says("error").is_some_and(is_set)
        || matches!(status, "error" | "failed" | "failure")
        || says("errors")
            .and_then(Value::as_array)
            .is_some_and(|all| !all.is_empty());
    Some(is_error)
}

/// True for the message of the shell, or of the program itself, in the first or the last line.
fn is_of_shell(answer: &str, command: &str) -> bool {
    if command.is_empty() {
        return false;
    }
    let program = program(command);
    let own = [
        program,
        "bash",
        "sh",
        "zsh",
        "/bin/bash",
        "/bin/sh",
        "-bash",
        "/usr/bin/bash",
        "dash",
    ];
    let mut ends = answer.lines().take(1).chain(answer.lines().next_back());
    ends.any(|line| {
        let is_own = own.iter().any(|name| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(": "))
        });
        let is_complaint = OF_SHELLS.iter().any(|end| line.contains(end));
        is_complaint && (is_own || line.ends_with("command not found"))
    })
}

/// True when the last program of a command line prints the text of others.
fn shows_text(command: &str) -> bool {
    let last = command
        .rsplit(['|', ';', '&', '\n'])
        .find(|part| !part.trim().is_empty());
    let last = last.unwrap_or(command);
    let name = program(last);
    let sub = words(last).get(1).copied().unwrap_or_default();
    SHOWS_TEXT.contains(&name) || SHOWS_TEXT_OF.contains(&(name, sub))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_told_by_their_words() {
        for (command, answer) in [
            ("", "Error: certificate cannot be used"),
            ("", "Invalid arguments: missing required property 'query'"),
            ("", r#"{"error": {"message": "no such user"}}"#),
            ("", r#"{"success": false}"#),
            (
                "python gen.py",
                "/bin/bash: line 1: python: command not found",
            ),
            (
                "python a.py",
                "Traceback (most recent call last):\n  File \"a\"\nValueError: bad",
            ),
            (
                "pytest",
                "collected 1 item\nFAILED tests/a.py::b - assert 1 == 2",
            ),
            ("cat nofile", "cat: nofile: No such file or directory"),
            ("make", "gcc -c a.c\nmake: *** [a.o] Error 1"),
            (
                "node x.js",
                "work\nmy.pkg.ConfigError: key missing\n    at x",
            ),
        ] {
            assert!(is_told(answer, command), "{command}: {answer}");
        }
    }

    #[test]
    fn the_text_of_others_is_no_failure() {
        for (command, answer) in [
            ("", "[]"),
            ("", r#"{"error": null, "items": []}"#),
            ("", "The tool reported: error: x"),
            ("cat build.log", "error: it failed\nFAILED x"),
            ("git log", "fatal: fixed a crash"),
            ("grep -r Error src | head", "ERROR: a"),
            ("cargo test", "test result: ok. 3 passed"),
            ("ls", "error: a.txt"),
            ("make", ""),
        ] {
            assert!(!is_told(answer, command), "{command}: {answer}");
        }
    }
}
