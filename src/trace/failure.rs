//! Whether words alone show a failure: where a format has neither a flag nor an exit code, and where the exit code of a
//! command line hides the failure of a part.
//!
//! A tool that prints failures of others has not failed itself: the output of programs that show or search files is
//! never read this way. The price is that their rare failures pass as successes.

mod words;

use hindlore_errors::shell::{program, words};

use crate::chain::{self, Part};
use crate::logs::marks::is_exception;
use crate::logs::rules::begins_diagnostic;
use crate::object;
use crate::step::{Action, Outcome};
use words::{BEGINS, COMPLAINTS, LINES, PRINTS_NAMES, READS, SHELLS, SHOWS_TEXT, SHOWS_TEXT_OF};

/// Words after the name of a program among which its sub-command is looked for.
const OPTIONS_MAX: usize = 3;

/// True when an answer reports a failure of its action.
pub(crate) fn is_told(answer: &str, action: &Action) -> bool {
    let answer = answer.trim();
    let command = action.command();
    // A text of several lines that a tool was asked to read is not its own.
    let is_read = command.is_empty() && prints_others(action) && answer.lines().count() > 1;
    if answer.is_empty() || is_read {
        return false;
    }
    if let Some(is_error) = object::is_error(answer) {
        return is_error;
    }
    if BEGINS.iter().any(|head| answer.starts_with(head)) {
        return !shows_text(command) || is_of_shell(answer, command);
    }
    if is_of_shell(answer, command) {
        return true;
    }
    let is_prose = command.is_empty();
    !is_prose && !shows_text(command) && answer.lines().any(is_diagnostic)
}

/// The outcome of a line that ended well although its exit code hides the failure of a part; absent when none is seen.
///
/// A program that prints the text of others may complain about one file of many: its complaint alone is a failure,
/// next to other lines it is unknown how much of the call failed.
pub(crate) fn hidden(answer: &str, command: &str) -> Option<Outcome> {
    let parts = chain::parts(command);
    let hidden = || parts.iter().filter(|part| part.is_hidden);
    hidden().next()?;
    let mut sources = parts.iter().filter(|part| !part.is_piped);
    let prints_own = !sources.any(|part| shows_content(part.text));
    let mut is_partly = false;
    for (at, line) in answer.lines().enumerate() {
        // Further down, programs print `Error: ` for errors that they handle, such as those that tests expect.
        let is_handled = at > 0 && line.starts_with("Error: ");
        let is_own = prints_own && !is_handled && !command.contains(line.trim());
        if is_own && is_diagnostic(line) {
            return Some(Outcome::Failed);
        }
        match hidden().find(|part| is_complaint_of(line, part.text)) {
            Some(part) if shows(part.text) => is_partly = true,
            Some(_) => return Some(Outcome::Failed),
            None => {}
        }
    }
    let is_whole = answer.lines().count() == 1;
    if is_partly {
        return Some(if is_whole {
            Outcome::Failed
        } else {
            Outcome::Unknown
        });
    }
    let is_swallowed = |part: &Part<'_>| chain::is_swallowed(part) && !shows(part.text);
    let is_left_running = parts.last().is_some_and(|part| part.is_left_running);
    (is_left_running || hidden().any(is_swallowed)).then_some(Outcome::Unknown)
}

/// True for a line that a tool writes only about its own failure.
fn is_diagnostic(line: &str) -> bool {
    LINES.iter().any(|head| line.starts_with(head)) || is_exception(line) || begins_diagnostic(line)
}

/// True for `program: message`, by which a program of a command line, or its shell, reports its own error.
fn is_complaint_of(line: &str, command: &str) -> bool {
    let Some((head, message)) = line.split_once(": ") else {
        return false;
    };
    let head = head.rsplit('/').next().unwrap_or(head);
    let is_own = head == program(command) || SHELLS.contains(&head);
    let message = message.to_lowercase();
    is_own && COMPLAINTS.iter().any(|word| message.contains(word))
}

/// True for the message of the shell, or of the program itself, in the first or the last line.
fn is_of_shell(answer: &str, command: &str) -> bool {
    if command.is_empty() {
        return false;
    }
    let mut ends = answer.lines().take(1).chain(answer.lines().next_back());
    ends.any(|line| {
        let is_of_part = || {
            let mut parts = chain::parts(command).into_iter();
            parts.any(|part| is_complaint_of(line, part.text))
        };
        line.ends_with("command not found") || is_of_part()
    })
}

/// True for an action that prints the text of others.
pub(crate) fn prints_others(action: &Action) -> bool {
    match action {
        Action::Command(line) => {
            let parts = chain::parts(line);
            parts.last().is_some_and(|part| shows_content(part.text))
        }
        Action::Call { name, .. } => {
            let words = name.split(|c: char| !c.is_alphanumeric()).flat_map(humps);
            let mut words = words.map(|word| word.to_lowercase());
            words.any(|word| READS.contains(&word.as_str()))
        }
        Action::Unknown => false,
    }
}

/// The words of a name in camel case.
fn humps(name: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = name
        .char_indices()
        .filter(|(_, c)| c.is_uppercase())
        .map(|(at, _)| at)
        .collect();
    starts.insert(0, 0);
    starts.push(name.len());
    starts
        .windows(2)
        .filter_map(|pair| name.get(*pair.first()?..*pair.last()?))
        .collect()
}

/// True when the last command of a line prints the text of others, or their names.
fn shows_text(line: &str) -> bool {
    chain::parts(line)
        .last()
        .is_some_and(|part| shows(part.text))
}

/// True for a command that prints the text of others, or their names.
fn shows(command: &str) -> bool {
    let name = program(command);
    // Options may come before the sub-command: `kubectl -n shop logs`.
    let words = words(command);
    let mut subs = words.iter().skip(1).take(OPTIONS_MAX);
    SHOWS_TEXT.contains(&name) || subs.any(|sub| SHOWS_TEXT_OF.contains(&(name, *sub)))
}

/// True for a command that prints the content of files, logs or pages.
fn shows_content(command: &str) -> bool {
    shows(command) && !PRINTS_NAMES.contains(&program(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(command: &str) -> Action {
        match command {
            "" => Action::Unknown,
            line => Action::Command(line.to_owned()),
        }
    }

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
            ("ls --colr notes", "ls: unrecognized option '--colr'"),
            ("cd app && frob list", "frob: unknown flag: --colour"),
            (
                "",
                "An error occurred while running the tool. Please try again.",
            ),
            (
                "",
                "Error executing tool get_order: 1 validation error\nid\n  Field required",
            ),
            (
                "node x.js",
                "work\nmy.pkg.ConfigError: key missing\n    at x",
            ),
        ] {
            assert!(is_told(answer, &action(command)), "{command}: {answer}");
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
            ("ls", "ls: a folder of that name"),
            ("make", "make: Nothing to be done for 'all'."),
            ("make", ""),
        ] {
            assert!(!is_told(answer, &action(command)), "{command}: {answer}");
        }
        let read = Action::Call {
            name: "read_file".to_owned(),
            arguments: serde_json::Value::Null,
        };
        assert!(!is_told("error: in a log\nsecond line", &read));
        assert!(is_told("Error: no such file", &read));
    }

    #[test]
    fn a_failure_that_the_exit_code_hides_is_found() {
        use Outcome::{Failed, Unknown};
        for (command, answer, outcome) in [
            ("make; ls", "error: no rule\nout", Some(Failed)),
            ("pytest | tail -3", "FAILED tests/a.py::b", Some(Failed)),
            (
                "rm a; ls",
                "rm: cannot remove 'a': Permission denied\nb",
                Some(Failed),
            ),
            ("frob x || true", "frob: unknown flag: -x", Some(Failed)),
            (
                "grep x nofile; ls",
                "grep: nofile: No such file or directory\na",
                Some(Unknown),
            ),
            ("sudo rm -r out 2>/dev/null; ls", "out", Some(Unknown)),
            ("make > log 2>&1; echo done", "done", Some(Unknown)),
            ("find . -name x 2>/dev/null | head", "./x", None),
            ("npm start &", "started", Some(Unknown)),
            (
                "tsc | head",
                "src/a.ts(1,2): error TS2304: Cannot find name 'x'.",
                Some(Failed),
            ),
            (
                "gcc a.c 2>&1 | head",
                "a.c:1:2: error: expected ';'",
                Some(Failed),
            ),
            (
                "terraform plan | tail",
                "Error: no configuration",
                Some(Failed),
            ),
            (
                "npm test | tail",
                "prints\nError: expected here\n3 passed",
                None,
            ),
            ("serve & curl x", "page", None),
            ("docker logs app 2>&1 | tail", "ERROR: of the app", None),
            ("kubectl -n shop logs app | tail", "ERROR: of the app", None),
            ("cat build.log | tail", "error: of yesterday", None),
            ("make | tail; echo 'ERROR: none'", "ERROR: none", None),
            ("git log | head", "fatal: fixed", None),
            ("cd app && make", "error: in a name", None),
            ("make | tail", "all good", None),
            ("rm a; ls", "rm: removed", None),
        ] {
            assert_eq!(hidden(answer, command), outcome, "{command}");
        }
    }

    #[test]
    fn tools_that_print_the_text_of_others_are_known_by_their_names() {
        let call = |name: &str| Action::Call {
            name: name.to_owned(),
            arguments: serde_json::Value::Null,
        };
        for name in [
            "read_file",
            "Read",
            "mcp__fs__read_file",
            "webFetch",
            "view-page",
        ] {
            assert!(prints_others(&call(name)), "{name}");
        }
        for name in [
            "bash",
            "get_order",
            "thread_create",
            "Edit",
            "target",
            "run_tests",
        ] {
            assert!(!prints_others(&call(name)), "{name}");
        }
    }
}
