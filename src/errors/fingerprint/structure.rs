//! The parts of data other than text that a fingerprint takes: the keys, and of an action its tool and the names of its
//! arguments. Values differ between two occurrences, so they stay out.

use serde_json::{Map, Value};

use crate::action::{Action, Intent};

/// Levels of nesting that are read; deeper levels add nothing about an error.
const DEPTH_MAX: usize = 8;
/// Keys that are read in all.
const KEYS_MAX: usize = 256;

/// Writes JSON with sorted keys and a blank after each comma and colon, as Python does.
pub(super) fn sorted_json(value: &Value) -> String {
    let mut out = String::new();
    write_sorted(value, &mut out);
    out
}

fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_sorted(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (at, (key, item)) in sorted(map).into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                out.push_str(&Value::from(key).to_string());
                out.push_str(": ");
                write_sorted(item, out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

pub(super) fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = map
        .iter()
        .map(|(key, value)| (key.as_str(), value))
        .collect();
    entries.sort_unstable_by_key(|entry| entry.0);
    entries
}

/// The keys of a state, in order; of a text the keys of its `key=value` pairs.
pub(super) fn of_state(state: &Value) -> String {
    let mut keys = Vec::new();
    match state {
        Value::String(text) => {
            let pairs = text
                .split_whitespace()
                .filter_map(|piece| piece.split_once('='));
            keys.extend(
                pairs
                    .map(|(key, _)| key.to_lowercase())
                    .filter(|key| is_name(key)),
            );
            keys.sort_unstable();
            keys.dedup();
            keys.truncate(KEYS_MAX);
        }
        other => push_keys(other, DEPTH_MAX, &mut keys),
    }
    keys.join(" ")
}

fn push_keys(value: &Value, depth: usize, keys: &mut Vec<String>) {
    if depth == 0 || keys.len() >= KEYS_MAX {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, item) in sorted(map) {
                if keys.len() < KEYS_MAX {
                    keys.push(key.to_lowercase());
                }
                push_keys(item, depth - 1, keys);
            }
        }
        // The elements of a list are alike; the first represents all.
        Value::Array(items) => items
            .first()
            .into_iter()
            .for_each(|item| push_keys(item, depth - 1, keys)),
        _ => {}
    }
}

fn is_name(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | '.'))
}

/// The tool and the names of the arguments, or the program of a command line.
pub(super) fn of_action(action: &Value) -> String {
    match Action::read(action).intent() {
        Some(Intent::Tool { name, arguments }) => {
            let names: Vec<String> = arguments.iter().map(|name| name.to_lowercase()).collect();
            format!("{} {}", name.to_lowercase(), names.join(" "))
        }
        Some(Intent::Command { program, .. }) => program.to_lowercase(),
        Some(Intent::PlanStep(_)) | None => of_state(action),
    }
}
