//! Failures as test runners print them: a section with the cause where the test ran, and a line in the summary.

use super::block::{Block, Rule, ends, indented, whole};
use super::marks::ruled;

const PYTEST: &str = "pytest";
const CARGO_TEST: &str = "cargo test";
const JEST: &str = "jest";

/// The rules.
pub(super) const RULES: &[Rule] = &[
    Rule {
        tool: PYTEST,
        begins: |line| ruled(line, '_').is_some(),
        goes_on: |_, line| ruled(line, '_').is_none() && ruled(line, '=').is_none(),
        text: causes,
    },
    Rule {
        tool: PYTEST,
        begins: |line| summary(line).is_some(),
        goes_on: ends,
        text: whole,
    },
    Rule {
        tool: CARGO_TEST,
        begins: |line| section(line).is_some(),
        goes_on: |_, line| {
            section(line).is_none()
                && line.trim() != "failures:"
                && !line.starts_with("test result:")
        },
        text: without_advice,
    },
    Rule {
        tool: "go test",
        begins: |line| line.starts_with("--- FAIL: "),
        goes_on: indented,
        text: whole,
    },
    Rule {
        tool: JEST,
        begins: |line| line.trim_start().starts_with("● ") && line.contains(" › "),
        goes_on: |_, line| {
            let text = line.trim_start();
            line.is_empty() || (line.starts_with("  ") && !text.starts_with("● "))
        },
        text: whole,
    },
];

/// A section: the test and the lines that pytest marks as the error, else all of it.
fn causes(lines: &[String]) -> Option<String> {
    let name = ruled(lines.first()?, '_')?;
    let marked: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("E "))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    // Sections of captured output have no name of a test, and no marks.
    if marked.is_empty() {
        return None;
    }
    Some(format!("{name}\n{}", marked.join("\n")))
}

/// The test of a line of the summary.
fn summary(line: &str) -> Option<&str> {
    let rest = ["FAILED ", "ERROR "]
        .iter()
        .find_map(|word| line.strip_prefix(word))?;
    let name = rest.split(" - ").next()?.trim();
    (name.contains("::") || name.ends_with(".py")).then_some(name)
}

/// The test of the heading `---- name stdout ----`.
fn section(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

fn without_advice(lines: &[String]) -> Option<String> {
    let kept = lines
        .iter()
        .filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE"));
    Some(kept.map(String::as_str).collect::<Vec<_>>().join("\n"))
}

/// The name under which a tool repeats a failure; absent where it does not.
pub(super) fn name(block: &Block) -> Option<String> {
    let (tool, lines) = block.parts();
    let first = lines.first()?;
    let name = match tool {
        PYTEST => match (ruled(first, '_'), summary(first)) {
            (Some(name), _) => name.trim_start_matches("ERROR collecting ").to_owned(),
            // The summary names the file and parts class and test by colons, the section by a dot.
            (None, Some(name)) => match name.split_once("::") {
                Some((_, test)) => test.replace("::", "."),
                None => name.to_owned(),
            },
            (None, None) => return None,
        },
        CARGO_TEST => section(first).unwrap_or_default().to_owned(),
        JEST => first.trim().to_owned(),
        // The compiler plugin reports each error twice.
        "maven" => lines.join("\n"),
        _ => return None,
    };
    Some(format!("{tool} {name}"))
}
