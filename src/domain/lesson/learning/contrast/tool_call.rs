//! Compares two calls of one tool, argument by argument.
//!
//! Values that another caller would choose otherwise stay open: a rule keeps the names of arguments, and a value only
//! where the tool's message mentions it.

use std::collections::BTreeMap;

use super::command::requoted;
use super::phrases::{LIMIT, says};
use super::step_view::StepView;
use hindlore_errors::action::Leaf;
use hindlore_errors::value::placeholder_of;
use hindlore_text::similarity::edits_apart;

/// Arguments that a rule may change; with more it is another call.
const CHANGES_MAX: usize = 4;
/// Characters of a value that a rule keeps.
const VALUE_MAX_CHARS: usize = 40;
/// Matches any value.
const OPEN: &str = "…";

/// The two sides of a rule, from a failed call and its cure.
pub(super) struct CallContrast {
    pub(super) wrong: String,
    pub(super) correct: String,
    /// Whether the sides alone are enough advice; else the message is added.
    pub(super) speaks_for_itself: bool,
}

/// One argument that a rule names, with its value on either side.
struct Change {
    wrong: Option<(String, String)>,
    correct: Option<(String, String)>,
    is_rename: bool,
}

/// Compares two calls; absent when they differ only in the caller's own values.
pub(super) fn contrast(failed: &StepView, worked: &StepView) -> Option<CallContrast> {
    if failed.program() != worked.program() {
        return None;
    }
    let (ours, theirs) = (failed.leaves(), worked.leaves());
    let (a, b) = (by_path(&ours), by_path(&theirs));
    let changes = changes(failed, &a, &b);
    if changes.is_empty() || changes.len() > CHANGES_MAX {
        return None;
    }
    let name = failed.program();
    let wrong: Vec<_> = changes
        .iter()
        .filter_map(|change| change.wrong.clone())
        .collect();
    let correct: Vec<_> = changes
        .iter()
        .filter_map(|change| change.correct.clone())
        .collect();
    let speaks_for_itself = changes.iter().all(|change| change.is_rename);
    if wrong.is_empty() {
        // A pattern cannot express that an argument is absent; words can.
        let missing: Vec<&str> = correct.iter().map(|(path, _)| path.as_str()).collect();
        return Some(CallContrast {
            wrong: format!("{name} without {}", missing.join(", ")),
            correct: written(name, &theirs, &correct),
            speaks_for_itself: false,
        });
    }
    let (wrong, correct) = (
        written(name, &ours, &wrong),
        written(name, &theirs, &correct),
    );
    (wrong != correct).then_some(CallContrast {
        wrong,
        correct,
        speaks_for_itself,
    })
}

/// The side of a rule that a value is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Wrong,
    Correct,
}

type Values<'a> = BTreeMap<&'a str, Vec<&'a str>>;

fn by_path(leaves: &[Leaf]) -> Values<'_> {
    let mut values: Values<'_> = BTreeMap::new();
    for leaf in leaves {
        values.entry(&leaf.path).or_default().push(&leaf.value);
    }
    values
}

fn changes(failed: &StepView, a: &Values<'_>, b: &Values<'_>) -> Vec<Change> {
    let removed: Vec<&str> = a
        .keys()
        .copied()
        .filter(|path| !b.contains_key(path))
        .collect();
    let mut added: Vec<&str> = b
        .keys()
        .copied()
        .filter(|path| !a.contains_key(path))
        .collect();
    let mut found = Vec::new();
    let is_told = |path: &str| failed.is_told(last_name(path)) || failed.is_told(path);
    for old in removed.iter().copied() {
        let renamed = added.iter().position(|new| {
            // A switch has the same value everywhere; anything else that moved is the same argument.
            let is_telling = a[old]
                .iter()
                .any(|value| !matches!(*value, "true" | "false" | "null" | ""));
            (is_telling && a[old] == b[new])
                || (is_alike(old, new) && (is_told(old) || is_told(new) || removed.len() == 1))
        });
        match renamed {
            Some(at) => {
                let new = added.remove(at);
                found.push(Change {
                    wrong: Some((old.to_owned(), OPEN.to_owned())),
                    correct: Some((new.to_owned(), OPEN.to_owned())),
                    is_rename: true,
                });
            }
            None if is_told(old) => found.push(Change {
                wrong: Some((old.to_owned(), OPEN.to_owned())),
                correct: None,
                is_rename: false,
            }),
            None => {}
        }
    }
    let all_else_equal =
        found.is_empty() && removed.is_empty() && a.iter().all(|(path, values)| b[path] == *values);
    for new in added.iter().copied() {
        if is_told(new) || (all_else_equal && added.len() == 1) {
            found.push(Change {
                wrong: None,
                correct: Some((new.to_owned(), kept(failed, b[new][0], Side::Correct))),
                is_rename: false,
            });
        }
    }
    found.extend(changed_values(failed, a, b));
    found
}

/// Arguments that both calls give with different values, where the message or the form of the values shows that this
/// was the fault.
fn changed_values(failed: &StepView, a: &Values<'_>, b: &Values<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    for (path, olds) in a {
        let Some(news) = b.get(path).filter(|news| *news != olds) else {
            continue;
        };
        let place = (0..olds.len().min(news.len())).find(|at| olds[*at] != news[*at]);
        let Some(at) = place else {
            continue;
        };
        let (old, new) = (olds[at], news[at]);
        let is_told = failed.is_told(last_name(path))
            || is_value_told(failed, old)
            || is_value_told(failed, new);
        let is_same_in_another_form = folded(old) == folded(new) && !folded(old).is_empty();
        if !is_told && !is_same_in_another_form {
            continue;
        }
        if let Some((wrong, correct)) = requoted(failed, old, new) {
            found.push(Change {
                wrong: Some(((*path).to_owned(), wrong)),
                correct: Some(((*path).to_owned(), correct)),
                is_rename: false,
            });
            continue;
        }
        let correct = kept(failed, new, Side::Correct);
        // A limit that the message names is right for everybody, and any other number would be a form that
        // the right one has too.
        let is_limit = correct == new && is_number(new) && placeholder_of(old).is_none();
        // A number that was worked out for this request is no limit: the next request has another.
        if is_limit && !is_limit_told(failed) {
            continue;
        }
        let wrong = if is_limit {
            old.to_owned()
        } else {
            kept(failed, old, Side::Wrong)
        };
        // A rule whose right value is left open is no advice.
        if wrong == correct || wrong == OPEN || correct == OPEN {
            continue;
        }
        found.push(Change {
            wrong: Some(((*path).to_owned(), wrong)),
            correct: Some(((*path).to_owned(), correct)),
            is_rename: false,
        });
    }
    found
}

/// The value as a rule keeps it: unchanged when the message contains it or it is a word of the tool's own
/// language, else its kind.
fn kept(failed: &StepView, value: &str, side: Side) -> String {
    let value = value.trim();
    if let Some(placeholder) = placeholder_of(value) {
        return placeholder;
    }
    let is_switch = matches!(value, "true" | "false" | "null");
    // A colon parts the name of a plug-in from that of its command.
    let is_word = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '-' | ':');
    // A number that the message repeats is the caller's value; a limit is only right on the right side.
    let is_told = failed.is_told(value)
        && !value.contains(char::is_whitespace)
        && (side == Side::Correct || !is_number(value));
    let is_short = value.chars().count() <= VALUE_MAX_CHARS;
    if value.is_empty() {
        return OPEN.to_owned();
    }
    if is_switch || (is_short && (is_told || value.chars().all(is_word))) {
        return value.to_owned();
    }
    if is_number(value) {
        return "<num>".to_owned();
    }
    if value.starts_with(['/', '~']) || value.starts_with("./") {
        return "<path>".to_owned();
    }
    OPEN.to_owned()
}

fn is_number(value: &str) -> bool {
    value
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | ','))
}

fn is_limit_told(failed: &StepView) -> bool {
    let said = failed.failure.as_ref();
    said.is_some_and(|failure| says(&LIMIT, &failure.message))
}

/// The message names the value, or the kind of id that it is.
fn is_value_told(failed: &StepView, value: &str) -> bool {
    let kind = placeholder_of(value)
        .and_then(|text| text.strip_suffix("_id>").map(|kind| kind[1..].to_owned()));
    match kind {
        Some(kind) => failed.is_told(&kind) || kind.split('_').all(|word| failed.is_told(word)),
        None => failed.is_told(value),
    }
}

/// A call with the arguments of a rule, in the order of the call, the others left open.
fn written(name: &str, leaves: &[Leaf], named: &[(String, String)]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for leaf in leaves {
        let wanted = named.iter().find(|(path, _)| *path == leaf.path);
        match wanted {
            Some((path, value)) if !done.contains(&path.as_str()) => {
                done.push(path);
                parts.push(format!("{path}={value}"));
            }
            // Nothing may follow an open value, which takes the rest as it is.
            _ if parts.last().is_some_and(|part| part.ends_with(OPEN)) => {}
            _ => parts.push(OPEN.to_owned()),
        }
    }
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            let is_open = part == OPEN || parts[at - 1].ends_with(OPEN);
            text.push_str(if is_open { " " } else { ", " });
        }
        text.push_str(part);
    }
    format!("{name}({text})")
}

/// Two names of one thing: one holds the other, or a few letters differ.
fn is_alike(a: &str, b: &str) -> bool {
    let bare = |path: &str| -> String {
        let letters = last_name(path).chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    let (a, b) = (bare(a), bare(b));
    let (short, long) = if a.len() < b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    (short.len() > 2 && long.contains(short.as_str()))
        || (short.len() > 3 && edits_apart(&a, &b) <= 2)
}

/// The value without the parts that belong to its form alone.
fn folded(value: &str) -> String {
    let letters = value.chars().filter(|c| c.is_alphanumeric());
    letters.collect::<String>().to_lowercase()
}

fn last_name(path: &str) -> &str {
    let name = path.rsplit('.').next().unwrap_or(path);
    name.trim_end_matches("[]")
}
