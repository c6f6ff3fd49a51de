//! The cure of a call by another tool: `change_item` for the order that `return_item` refuses, `find` where the search
//! of the harness is broken, a listing before a guess.
//!
//! Tools share no grammar, so that only equal values, a name in the message, or the same purpose tie two of them.

use super::nature::Nature;
use super::phrases::{ABSENT_FILE, ABSENT_RECORD, GONE, STALE, says};
use super::related::only_looks;
use super::step_view::StepView;

/// Steps between two calls that are tied.
const BETWEEN_MAX: usize = 3;
/// Characters of a value that can tie two calls.
const VALUE_MIN_CHARS: usize = 3;

/// Words of the names of tools that only look.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "get", "read", "list", "find", "search", "view", "show", "lookup", "fetch", "glob", "grep", "ls", "describe", "query",
    "open", "cat", "tree", "browse",
];
/// Words of the names of tools that search files.
const SEARCHES: &[&str] = &["glob", "grep", "search", "find", "list", "ls"];
/// Programs that search files.
const SEARCH_PROGRAMS: &[&str] = &["find", "fd", "rg", "grep", "ls", "tree"];

/// Returns true if another tool did the work of a call that failed, with the same values.
pub(super) fn does_the_work(
    failed: &StepView,
    worked: &StepView,
    nature: Nature,
    between: usize,
) -> bool {
    if !failed.is_tool_call() || between > BETWEEN_MAX || failed.program() == worked.program() {
        return false;
    }
    if !worked.is_tool_call() {
        let parts = name_parts(failed.program());
        let searches = parts.iter().any(|part| SEARCHES.contains(&part.as_str()));
        let is_search = SEARCH_PROGRAMS.contains(&worked.program());
        return searches && is_search && nature == Nature::Call && shares_a_value(failed, worked);
    }
    if is_named(failed, worked) {
        return shares_a_value(failed, worked);
    }
    let values = |step: &StepView| -> Vec<String> {
        step.leaves().into_iter().map(|leaf| leaf.value).collect()
    };
    let (a, b) = (values(failed), values(worked));
    !a.is_empty() && a == b && !looks(failed) && !looks(worked) && shares_a_name(failed, worked)
}

/// The place of the step that found the object which a failed call had guessed, where the call with the found object
/// then worked.
pub(super) fn look_before(steps: &[StepView], place: usize, at: usize) -> Option<usize> {
    let (failed, worked) = (&steps[place], &steps[at]);
    let message = &failed.failure.as_ref()?.message;
    let is_same =
        failed.program() == worked.program() && failed.action.intent() == worked.action.intent();
    let misses = says(&ABSENT_FILE, message)
        || says(&GONE, message)
        || says(&STALE, message)
        || (failed.is_tool_call() && says(&ABSENT_RECORD, message));
    if !is_same || !misses || failed.text == worked.text {
        return None;
    }
    let worked_between = |at: usize| steps[at].failure.is_none();
    let look = (place + 1..at)
        .rev()
        .find(|between| worked_between(*between) && finds(&steps[*between], failed))?;
    // Where the tool worked before anything was looked up, the look was for something else.
    let is_early =
        |between: usize| worked_between(between) && steps[between].program() == failed.program();
    (!(place + 1..look).any(is_early)).then_some(look)
}

/// Returns true if a step looks for the object that a failed one had guessed.
fn finds(step: &StepView, failed: &StepView) -> bool {
    let is_other_tool = step.program() != failed.program();
    match (failed.is_tool_call(), step.is_tool_call()) {
        (true, true) => {
            is_other_tool
                && looks(step)
                && (shares_a_value(failed, step) || shares_a_name(failed, step))
        }
        // `docker ps` lists the objects of `docker exec`.
        (false, false) => {
            !is_other_tool && only_looks(step) && step.words.get(1) != failed.words.get(1)
        }
        _ => false,
    }
}

fn looks(call: &StepView) -> bool {
    name_parts(call.program()).iter().any(|part| is_look(part))
}

/// The message names the other tool.
fn is_named(failed: &StepView, worked: &StepView) -> bool {
    let Some(failure) = &failed.failure else {
        return false;
    };
    let name = bare_name(worked.program()).to_lowercase();
    name.len() > VALUE_MIN_CHARS && failure.words.contains(&name)
}

/// A value, or a part of one, is in both.
fn shares_a_value(failed: &StepView, other: &StepView) -> bool {
    let parts = |step: &StepView| -> Vec<String> {
        let texts: Vec<String> = if step.is_tool_call() {
            step.leaves().into_iter().map(|leaf| leaf.value).collect()
        } else {
            step.words.clone()
        };
        let split = texts.iter().flat_map(|text| {
            text.split(|c: char| {
                c.is_whitespace() || matches!(c, '/' | '*' | '"' | '\'' | ',' | '[' | ']')
            })
        });
        let long = split.filter(|part| {
            part.len() >= VALUE_MIN_CHARS || part.chars().any(|c| c.is_ascii_digit())
        });
        long.map(str::to_owned).collect()
    };
    let theirs = parts(other);
    parts(failed).iter().any(|part| theirs.contains(part))
}

/// The names of two tools share a word.
fn shares_a_name(failed: &StepView, other: &StepView) -> bool {
    let stem = |part: &String| part.trim_end_matches('s').to_owned();
    let parts = |name: &str| -> Vec<String> {
        let all = name_parts(bare_name(name));
        let own = all
            .iter()
            .filter(|part| !is_look(part) && part.len() >= VALUE_MIN_CHARS);
        own.map(stem).collect()
    };
    let theirs = parts(other.program());
    parts(failed.program())
        .iter()
        .any(|part| theirs.contains(part))
}

fn is_look(part: &str) -> bool {
    LOOKS.contains(&part)
}

/// The name of a tool without the name of its server.
fn bare_name(name: &str) -> &str {
    name.rsplit("__").next().unwrap_or(name)
}

/// The words of a name in any case: `read_file`, `ReadFile`.
fn name_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in bare_name(name).chars() {
        let begins = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if begins || parts.is_empty() {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}
