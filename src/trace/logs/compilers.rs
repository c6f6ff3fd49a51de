//! Diagnostics of compilers, linkers and type checkers.

use super::block::{Rule, ends, indented, whole};
use super::marks::{is_code, place};

/// The rules, those of a sharper form first.
pub(super) const RULES: &[Rule] = &[
    Rule {
        tool: "rustc",
        begins: |line| line.starts_with("error[E"),
        goes_on: frame,
        text: whole,
    },
    Rule {
        tool: "tsc",
        begins: |line| coded(line) == Some("TS"),
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: "dotnet",
        begins: |line| {
            matches!(
                coded(line),
                Some("CS" | "MSB" | "BC" | "FS" | "NU" | "NETSDK")
            )
        },
        goes_on: ends,
        text: whole,
    },
    Rule {
        tool: "msvc",
        begins: |line| coded(line).is_some(),
        goes_on: ends,
        text: whole,
    },
    Rule {
        tool: "go",
        begins: |line| {
            place(line).is_some_and(|(path, message)| path.ends_with(".go") && !message.is_empty())
        },
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: "javac",
        begins: |line| of(line, &[".java"]),
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: "kotlin",
        begins: |line| {
            of(line, &[".kt", ".kts"]) || (line.starts_with("e: ") && line.contains(".kt"))
        },
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: "swift",
        begins: |line| of(line, &[".swift"]),
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: "mypy",
        begins: |line| of(line, &[".py", ".pyi"]),
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: "cc",
        begins: |line| of(line, &[]),
        goes_on: |_, line| indented(&[], line) || is_note(line),
        text: whole,
    },
    Rule {
        tool: "ld",
        begins: links,
        goes_on: |lines, line| {
            // The missing symbols are below the function that needs them.
            let names_function = lines
                .last()
                .is_some_and(|last| last.contains("in function `"));
            indented(&[], line) || line.starts_with(">>> ") || (names_function && links(line))
        },
        text: whole,
    },
    Rule {
        tool: "eslint",
        begins: |line| stylish(line).is_some(),
        goes_on: ends,
        text: |lines| stylish(lines.first()?).map(str::to_owned),
    },
    Rule {
        tool: "lint",
        begins: lints,
        goes_on: ends,
        text: whole,
    },
];

/// A diagnostic of rustc ends at an empty line; its frame has numbers and bars at the margin.
pub(super) fn frame(_: &[String], line: &str) -> bool {
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_number = behind.len() < line.len() && behind.trim_start().starts_with('|');
    indented(&[], line) || line.starts_with("...") || has_number
}

/// `path:line: error: `, with a path that ends so; with any path where no end is named.
fn of(line: &str, ends: &[&str]) -> bool {
    let Some((path, message)) = place(line) else {
        return false;
    };
    let is_error = message.starts_with("error: ") || message.starts_with("fatal error: ");
    is_error && (ends.is_empty() || ends.iter().any(|end| path.ends_with(end)))
}

/// `path:line:column: E501 text`, and the same with the code in brackets. Codes of four digits that begin with C, R or W
/// are advice.
fn lints(line: &str) -> bool {
    let Some((_, message)) = place(line) else {
        return false;
    };
    let message = message.strip_prefix('[').unwrap_or(message);
    let code = message.split([' ', ':', '(']).next().unwrap_or_default();
    let is_advice = code.len() == 5 && code.starts_with(['C', 'R', 'W']);
    is_code(code) && !is_advice
}

/// The text of `  3:5  error  message  rule` after the place; absent for a warning.
fn stylish(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("  ")?.trim_start();
    let (place, said) = inner.split_once(char::is_whitespace)?;
    let (row, column) = place.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let said = said.trim();
    (is_number(row) && is_number(column) && said.starts_with("error  ")).then_some(said)
}

fn is_note(line: &str) -> bool {
    place(line).is_some_and(|(_, message)| message.starts_with("note: "))
}

/// The letters of the code in `path(line,column): error TS2304: ` and `path:line:column - error TS2304: `.
fn coded(line: &str) -> Option<&str> {
    let (_, rest) = [": error ", " - error ", ": fatal error "]
        .iter()
        .find_map(|mark| line.split_once(mark))?;
    let code = rest.split(':').next()?.trim();
    is_code(code).then(|| code.trim_end_matches(|c: char| c.is_ascii_digit()))
}

fn links(line: &str) -> bool {
    let is_summary = line.contains("ld returned") || line.contains("linker command failed");
    let names = [
        "ld: ",
        "/usr/bin/ld: ",
        "ld.lld: error: ",
        "rust-lld: error: ",
        "Undefined symbols for ",
    ];
    !is_summary
        && (names.iter().any(|name| line.starts_with(name)) && !line.contains("warning")
            || line.contains("undefined reference to `"))
}
