//! Data in the order of its keys, because two adapters that write one object in two orders report one error.

use serde_json::{Map, Value};

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

/// Returns the fields of an object by name.
pub(super) fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = map
        .iter()
        .map(|(key, value)| (key.as_str(), value))
        .collect();
    entries.sort_unstable_by_key(|entry| entry.0);
    entries
}
