//! Commands that bring a text of their own: a script after `-c` or in a here-document. Two of them differ in that text,
//! which belongs to one task, so one is neither the mistake nor the cure of another.

use super::phrases::{NO_SUCH_PROGRAM, says};
use super::step_view::StepView;

/// Programs that run the text that they are given, without version numbers.
const INTERPRETERS: [&str; 14] = [
    "python",
    "pypy",
    "node",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "bash",
    "sh",
    "zsh",
    "rscript",
    "lua",
    "osascript",
];
/// Flags that precede the text.
const FLAGS: [&str; 6] = ["-c", "-e", "-r", "-p", "--eval", "eval"];
/// Programs that write down the text that they are given.
const WRITERS: [&str; 2] = ["cat", "tee"];

/// True if one of the two brings a text of its own, so that they cannot be compared.
pub(super) fn differ_in_text(failed: &StepView, worked: &StepView) -> bool {
    !is_absent(failed) && (has_text(failed) || has_text(worked))
}

fn is_absent(step: &StepView) -> bool {
    let failure = step.failure.as_ref();
    // A module that the text itself imports is no program.
    failure.is_some_and(|failure| {
        says(&NO_SUCH_PROGRAM, &failure.message) && !failure.message.contains("ModuleNotFoundError")
    })
}

fn has_text(step: &StepView) -> bool {
    if step.is_tool_call() {
        return false;
    }
    let program = step
        .program()
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_document = step.text.contains("<<") && !step.text.contains("<<<");
    let has_flag = || {
        step.words
            .iter()
            .skip(1)
            .any(|word| FLAGS.contains(&word.as_str()))
    };
    (INTERPRETERS.contains(&program) && (has_document || has_flag()))
        || (WRITERS.contains(&program) && has_document)
}
