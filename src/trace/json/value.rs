//! Fields of JSON values as texts, exit codes and packed values.

use serde_json::Value;

use super::halves::replace_halves;

/// A field that is a text.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// The text of a content, which is a text, a list of parts with texts, or an object with one.
pub(crate) fn content(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().map(content).filter(|text| !text.is_empty());
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Object(object) => {
            let inner = ["text", "content", "output", "result"];
            match inner.iter().find_map(|name| object.get(*name)) {
                Some(value) => content(value),
                // An image has no text to compare.
                None if object.get("type").and_then(Value::as_str) == Some("image") => {
                    String::new()
                }
                None => value.to_string(),
            }
        }
        other => other.to_string(),
    }
}

/// A whole number of a field as an exit code.
pub(crate) fn exit_code(value: &Value) -> Option<i32> {
    let code = value
        .as_i64()
        .or_else(|| value.as_str()?.trim().parse().ok())?;
    i32::try_from(code).ok()
}

/// A value that may be written as JSON in a text.
pub(crate) fn unpacked(value: &Value) -> Value {
    if let Value::String(text) = value
        && text.trim_start().starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str(&replace_halves(text))
    {
        return value;
    }
    value.clone()
}
