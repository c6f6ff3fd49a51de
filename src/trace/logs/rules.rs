//! The meaning of a line of a log: the table of all tools, and the lines that only repeat other lines.

use super::block::{Rule, ends, indented, whole};
use super::ci::bare;
use super::compilers;
use super::marks::{is_blank_or_indented, is_exception};
use super::tests_of;
use super::windows;

/// The meaning of a line.
pub(super) enum Meaning<'l> {
    /// It is none of ours.
    Nothing,
    /// A task of a playbook begins.
    Task(&'l str),
    /// A diagnostic begins.
    Begins(&'static Rule),
    /// It only reports that something failed, and is a diagnostic where there is no other.
    Consequence(&'static Rule),
}

/// Returns true if the diagnostic of a tool begins with a line.
pub(crate) fn begins_diagnostic(line: &str) -> bool {
    matches!(meaning(bare(line)), Meaning::Begins(_))
}

/// Beginnings and parts of lines that follow from other diagnostics.
const CONSEQUENCES: &[&str] = &[
    "error: could not compile",
    "error: aborting due to",
    "error: build failed",
    "error: test failed",
    "error: recipe",
    "error: failed to run custom build command",
    "error: 1 target failed",
    "error: process didn't exit",
    "make: ***",
    "make[",
    "gmake: ***",
    "ninja: build stopped",
    "collect2: error",
    "clang: error: linker",
    "Process completed with exit code",
    "Error: Process completed with exit code",
    "[ERROR] COMPILATION ERROR",
    "[ERROR] BUILD ERROR",
    "ERROR: Job failed",
    "error Command failed with exit code",
    "FAILURE: Build failed",
    "Execution failed for task",
    "npm ERR! Test failed",
    "npm error Lifecycle script",
];
/// Marks of a Maven summary that repeats the errors before it.
const REPEATED: &[&str] = &["Compilation failure", "There are test failures"];
/// Maven's advice after its errors.
const ADVICE: &[&str] = &[
    "[ERROR] -> [Help",
    "[ERROR] To see the full",
    "[ERROR] Re-run Maven",
    "[ERROR] For more information",
    "[ERROR] [Help",
    "[ERROR] Please refer to",
    "[ERROR] After correcting",
    "[ERROR]   mvn",
];

/// The rule of a consequence.
const FOLLOWS: Rule = Rule {
    tool: "",
    begins: |_| false,
    goes_on: ends,
    text: whole,
};

/// The rules of everything but compilers and test runners.
const RULES: &[Rule] = &[
    Rule {
        tool: "npm",
        begins: npm,
        goes_on: |_, line| npm(line),
        text: |lines| {
            // The path of the log is another one each time.
            let is_said = |line: &&String| !line.contains("A complete log of this run");
            let said = lines.iter().take_while(is_said).map(String::as_str);
            Some(said.collect::<Vec<_>>().join("\n"))
        },
    },
    Rule {
        tool: "maven",
        begins: |line| line.starts_with("[ERROR] "),
        goes_on: |_, line| line.starts_with("[ERROR]   "),
        text: whole,
    },
    Rule {
        tool: "gradle",
        begins: |line| line.starts_with("* What went wrong:"),
        goes_on: |_, line| !line.starts_with("* ") && !line.starts_with("BUILD FAILED"),
        text: |lines| Some(lines[1..].join("\n")),
    },
    Rule {
        tool: "terraform",
        begins: |line| line.starts_with('╷'),
        goes_on: |_, line| line.starts_with('│') || line.starts_with('╵'),
        text: |lines| {
            let said = lines.iter().filter_map(|line| line.strip_prefix('│'));
            let text = said.map(str::trim_end).collect::<Vec<_>>().join("\n");
            // Warnings have the same box.
            text.trim_start()
                .starts_with("Error: ")
                .then(|| text.trim().to_owned())
        },
    },
    Rule {
        tool: "ansible",
        begins: |line| {
            let is_host = line.starts_with("fatal: [") || line.starts_with("failed: [");
            (is_host && line.contains("=> ")) || line.starts_with("ERROR! ")
        },
        // Some settings write the answer of the host over several lines.
        goes_on: |lines, line| {
            let opens = lines
                .first()
                .is_some_and(|first| first.trim_end().ends_with("=> {"));
            opens
                && lines.last().is_some_and(|last| last != "}")
                && (is_blank_or_indented(line) || line == "}")
        },
        text: whole,
    },
    Rule {
        tool: "kubectl",
        begins: |line| {
            line.starts_with("Error from server")
                || line.starts_with("Unable to connect to the server")
                || (line.starts_with("The ") && line.contains(" is invalid:"))
        },
        goes_on: |_, line| line.starts_with("* ") || indented(&[], line),
        text: whole,
    },
    Rule {
        tool: "python",
        begins: |line| line.starts_with("Traceback (most recent call last)"),
        goes_on: traceback,
        text: whole,
    },
    Rule {
        tool: "java",
        begins: |line| line.starts_with("Exception in thread "),
        goes_on: |_, line| indented(&[], line) || line.starts_with("Caused by: "),
        text: whole,
    },
    Rule {
        tool: "rust",
        begins: |line| line.starts_with("thread '") && line.contains(" panicked at "),
        goes_on: |_, line| !line.trim().is_empty() && !line.starts_with("note: run with"),
        text: whole,
    },
    Rule {
        tool: "go",
        begins: |line| line.starts_with("panic: "),
        goes_on: |_, line| {
            line.starts_with('\t') || line.starts_with("goroutine ") || line.is_empty()
        },
        text: whole,
    },
    Rule {
        tool: "git",
        begins: |line| line.starts_with("fatal: "),
        goes_on: ends,
        text: whole,
    },
    Rule {
        tool: "docker",
        begins: |line| {
            line.starts_with("ERROR: failed to solve") || line.starts_with("docker: Error response")
        },
        goes_on: ends,
        text: whole,
    },
    Rule {
        tool: "powershell",
        begins: windows::begins_box,
        goes_on: windows::box_goes_on,
        text: windows::text_of_box,
    },
    Rule {
        tool: "powershell",
        begins: |line| line.trim_end() == "Line |",
        goes_on: |_, line| windows::behind_bar(line).is_some(),
        text: windows::text_of_frame,
    },
    Rule {
        tool: "shell",
        begins: of_shell,
        goes_on: ends,
        text: whole,
    },
    Rule {
        tool: "",
        begins: |line| {
            ["error: ", "Error: ", "ERROR: ", "FATAL: "]
                .iter()
                .any(|head| line.starts_with(head))
        },
        goes_on: |lines, line| compilers::frame(lines, line) || line.starts_with("hint: "),
        text: whole,
    },
    Rule {
        tool: "",
        begins: is_exception,
        goes_on: indented,
        text: whole,
    },
];

/// Finds the meaning of a line.
pub(super) fn meaning(line: &str) -> Meaning<'_> {
    if line.is_empty() || ADVICE.iter().any(|head| line.starts_with(head)) {
        return Meaning::Nothing;
    }
    if let Some(task) = task(line) {
        return Meaning::Task(task);
    }
    let is_make = line.starts_with("make[") && !line.contains("***");
    let follows = CONSEQUENCES.iter().any(|head| line.starts_with(head)) && !is_make;
    let repeats = line.starts_with("[ERROR] ") && REPEATED.iter().any(|part| line.contains(part));
    if follows || repeats {
        return Meaning::Consequence(&FOLLOWS);
    }
    let all = tests_of::RULES.iter().chain(compilers::RULES).chain(RULES);
    all.into_iter()
        .find(|rule| (rule.begins)(line))
        .map_or(Meaning::Nothing, Meaning::Begins)
}

/// The name in `TASK [name] ****`.
fn task(line: &str) -> Option<&str> {
    let heads = ["TASK [", "RUNNING HANDLER ["];
    let rest = heads.iter().find_map(|head| line.strip_prefix(head))?;
    Some(rest.rsplit_once(']')?.0)
}

fn npm(line: &str) -> bool {
    line.starts_with("npm ERR!") || line.starts_with("npm error")
}

/// Frames, then the exception, which may be followed by the one that it led to.
fn traceback(lines: &[String], line: &str) -> bool {
    let is_within = |line: &String| is_blank_or_indented(line) || line.starts_with("Traceback ");
    if lines.last().is_some_and(is_within) {
        return !line.is_empty() || lines.iter().any(|line| is_exception(line));
    }
    let goes_on = [
        "During handling of",
        "The above exception",
        "Traceback (most recent",
    ];
    let leads_on = lines
        .last()
        .is_some_and(|last| goes_on.iter().any(|head| last.starts_with(head)));
    leads_on || line.is_empty() || goes_on.iter().any(|head| line.starts_with(head))
}

fn of_shell(line: &str) -> bool {
    let shells = [
        "bash: ",
        "sh: ",
        "zsh: ",
        "-bash: ",
        "/bin/sh: ",
        "/bin/bash: ",
        "/usr/bin/bash: ",
    ];
    let ends = [
        "not found",
        "No such file or directory",
        "Permission denied",
        "Is a directory",
    ];
    let is_windows = line.contains("is not recognized as ");
    is_windows
        || (shells.iter().any(|head| line.starts_with(head))
            && ends.iter().any(|end| line.contains(end)))
}
