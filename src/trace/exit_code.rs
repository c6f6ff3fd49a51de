//! Exit codes as chats and harnesses print them: one table of words for all of their forms.
//!
//! A line of nothing but such words and a number is a report of the harness. The number counts at the beginning or the
//! end of an answer only, since a tool may print the codes of others in between.

/// Words of such a line, each with a form in which it occurs; `1` is the code.
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("exit", "Exit code 1 (Claude Code), [exit code: 1], exit_code=1, EXIT=1 (`echo EXIT=$?`)"),
    ("code", "Process exited with code 1 (Codex)"),
    ("exitcode", "exitCode: 1"),
    ("exited", "<exited with exit code 1> (Copilot CLI)"),
    ("status", "exit status 1 (go run), status=1"),
    ("rc", "rc=1 (Ansible, chat harnesses)"),
    ("ret", "ret=1"),
    ("retcode", "retcode: 1"),
    ("return", "Return code: 1"),
    ("returned", "Command returned exit code 1"),
    ("returncode", "<returncode>1</returncode> (mini-swe-agent), returncode: 1"),
    ("failed", "Command failed with exit code 1 (Cline)"),
    ("finished", "[Command finished with exit code 1] (OpenHands)"),
    ("completed", "Process completed with exit code 1. (GitHub Actions)"),
    ("terminated", "Process terminated with exit code 1"),
    ("ended", "Script ended with exit code 1"),
    ("with", "exited with code 1"),
    ("a", "exited with a status of 1"),
    ("of", "exited with a status of 1"),
    ("non", "returned non-zero exit status 1"),
    ("zero", "returned non-zero exit status 1"),
    ("was", "Exit code was 1"),
    ("is", "Exit code is 1"),
    ("the", "[The command completed with exit code 1.] (OpenHands)"),
    ("command", "Command exited with code 1"),
    ("process", "Process exited with code 1 (Codex)"),
    ("program", "Program exited with code 1"),
    ("script", "Script exited with code 1"),
    ("shell", "Shell exited with code 1"),
    ("tool", "Tool exited with code 1"),
    ("error", "Error: Exit code 1 (Claude Code)"),
];
/// Words that alone make a number an exit code.
const SIGNS: &[&str] = &[
    "exit",
    "exitcode",
    "exited",
    "rc",
    "ret",
    "retcode",
    "returncode",
];
/// Pairs of words that do so together; `status code` is one of HTTP.
const PAIRS: &[(&str, &str)] = &[("return", "code"), ("with", "code"), ("with", "status")];
/// Words in the middle of a sentence that end with an exit code.
const SENTENCES: &[&str] = &[
    "exit code ",
    "exit code: ",
    "exit status ",
    "exited with code ",
    "exiting with code ",
    "exited with status ",
    "failed with code ",
];
/// The greatest exit code of a process.
const MAX: i32 = 255;
/// Numbers of a bare `status=` from here on may be those of HTTP.
const HTTP_FROM: i32 = 200;

/// A line that reports an exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    pub(crate) code: i32,
    /// It is in brackets, or a sentence: no tool prints it for another purpose.
    pub(crate) is_certain: bool,
}

/// Reads a line that consists of a report and nothing else.
pub(crate) fn of_line(line: &str) -> Option<Report> {
    let line = line.trim_matches(is_decoration);
    let inner = unbracketed(line);
    let is_bracketed = inner.len() < line.len();
    let line = inner.trim_end_matches(is_decoration);
    // `Exit code: 127 (command not found)`, `Exit code: 1 | Duration: 3s`
    let line = line.split_once(" (").map_or(line, |(line, _)| line);
    let line = line.split_once(" | ").map_or(line, |(line, _)| line);
    let words = line.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = line.strip_prefix(words).unwrap_or_default();
    let (words, number) = match words.strip_suffix('-') {
        Some(words) if words.ends_with([' ', '=', ':']) => (words, format!("-{number}")),
        _ => (words, number.to_owned()),
    };
    let is_apart = words.ends_with([' ', '=', ':', '>']);
    let code: i32 = number
        .parse()
        .ok()
        .filter(|code| is_apart && *code <= MAX)?;
    let lower = words.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_known = |word: &&str| WORDS.iter().any(|(known, _)| known == word);
    if words.is_empty() || !words.iter().all(is_known) {
        return None;
    }
    let is_status = words == ["status"] && code < HTTP_FROM && !is_bracketed;
    let is_sign = words.iter().any(|word| SIGNS.contains(word)) || is_status || has_pair(&words);
    is_sign.then_some(Report {
        code,
        is_certain: is_bracketed || words.len() > 1,
    })
}

/// Reads a line that begins with a report, and gives the rest: `[rc=1] no such file`, `returncode: 1, stderr: no`.
pub(crate) fn at_start(line: &str) -> Option<(Report, &str)> {
    ["] ", ": ", ", ", "; "].iter().find_map(|mark| {
        let mut ends = line.match_indices(mark);
        ends.find_map(|(at, _)| {
            let end = at + usize::from(mark.starts_with(']'));
            let report = of_line(line.get(..end)?)?;
            Some((report, line.get(at + mark.len()..)?))
        })
    })
}

/// Signs around a line that are no part of it.
fn is_decoration(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | ';' | '-' | '=' | '#')
}

fn has_pair(words: &[&str]) -> bool {
    words.windows(2).any(|pair| {
        PAIRS
            .iter()
            .any(|(first, second)| pair == [*first, *second])
    })
}

/// Takes a pair of brackets off, or the tags of one element.
fn unbracketed(line: &str) -> &str {
    for (open, close) in [('[', ']'), ('<', '>'), ('(', ')'), ('`', '`')] {
        let inner = line
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        // `<rc>1</rc>` is one element: its first tag names the number.
        let inner = inner.map(|inner| inner.split("</").next().unwrap_or(inner));
        if let Some(inner) = inner {
            return inner;
        }
    }
    line.trim_matches('*')
}

/// The exit code other than 0 in a sentence of a tool, such as `npm run x exited with code 1`.
pub(crate) fn of_sentence(line: &str) -> Option<i32> {
    let lower = line.to_lowercase();
    let code = SENTENCES.iter().find_map(|words| {
        let (_, rest) = lower.split_once(words)?;
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..end].parse::<i32>().ok()
    });
    code.filter(|code| (1..=MAX).contains(code))
}

/// True for the name of a field that holds an exit code: `exitCode`, `return_code`, `rc`.
pub(crate) fn is_field(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    matches!(
        plain.to_lowercase().as_str(),
        "exitcode" | "returncode" | "exitstatus" | "retcode" | "rc" | "exit"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_report_is_read() {
        for line in [
            "rc=1",
            "RC: 1",
            "exit_code: 1",
            "exit_code=1",
            "[exit code: 1]",
            "Exit Code: 1",
            "Exit code 1",
            "Error: Exit code 1",
            "exit status 1",
            "exitCode=1",
            "EXIT=1",
            "exit: 1",
            "status=1",
            "Process exited with code 1",
            "<exited with exit code 1>",
            "Command failed with exit code 1",
            "[The command completed with exit code 1.]",
            "[Command finished with exit code 1]",
            "Process completed with exit code 1.",
            "**Exit code:** 1",
            "Return code: 1",
            "returncode: 1",
            "<returncode>1</returncode>",
            "<exit_code>1</exit_code>",
            "Exit code: 1 (command not found)",
            "Exit code: 1 | Duration: 3s",
            "--- exit code: 1 ---",
            "Command exited with non-zero status 1",
        ] {
            assert_eq!(of_line(line).map(|report| report.code), Some(1), "{line}");
        }
        assert_eq!(of_line("exit code: -1").map(|report| report.code), Some(-1));
        assert_eq!(of_line("rc=0").map(|report| report.code), Some(0));
    }

    #[test]
    fn other_numbers_are_no_exit_codes() {
        for line in [
            "status code: 404",
            "status=404",
            "status: 200",
            "error code: 1",
            "code=1",
            "return 1",
            "exit_code=many",
            "exit 1 of 3",
            "rc1",
            "port=1",
            "1",
            "exited with code 1234",
            "retries=1",
            "the code is 1",
            "",
        ] {
            assert_eq!(of_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_report_may_begin_a_line() {
        for (line, rest) in [
            ("[rc=1] no such file", Some("no such file")),
            ("returncode: 1, stderr: no", Some("stderr: no")),
            ("Command failed with exit code 1: make", Some("make")),
            ("rc=1: no: such file", Some("no: such file")),
            ("exit 1 of 3, done", None),
            ("exited: early", None),
            ("rc=1", None),
        ] {
            let read = at_start(line);
            assert_eq!(read.map(|(_, rest)| rest), rest, "{line}");
        }
    }

    #[test]
    fn a_tool_may_name_the_code_of_another_in_a_sentence() {
        for (line, code) in [
            ("npm run x exited with code 2", Some(2)),
            ("Command failed with exit code 1: vite build", Some(1)),
            ("Command '['x']' returned non-zero exit status 3.", Some(3)),
            ("No tests found, exiting with code 1", Some(1)),
            ("exited with code 0", None),
            ("an exit code of its own", None),
        ] {
            assert_eq!(of_sentence(line), code, "{line}");
        }
    }
}
