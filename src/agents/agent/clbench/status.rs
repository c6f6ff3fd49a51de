//! The status of requirements as rows and judges have it: a list of `yes` and `no`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Whether a requirement is met; `None` for any other word.
pub(super) fn met(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(met) => Some(*met),
        Value::String(word) => match word.trim().to_lowercase().as_str() {
            "yes" | "true" | "pass" => Some(true),
            "no" | "false" | "fail" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Writes it.
pub(super) fn serialize<S: Serializer>(
    status: &Option<Vec<bool>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let word = |met: &bool| if *met { "yes" } else { "no" };
    let words: Option<Vec<&str>> = status.as_ref().map(|all| all.iter().map(word).collect());
    words.serialize(to)
}

/// Reads it.
pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Vec<bool>>, D::Error> {
    let values: Option<Vec<Value>> = Option::deserialize(from)?;
    let read = |value: &Value| {
        met(value).ok_or_else(|| {
            D::Error::custom(format!(
                "`requirement_status`: {value} is neither yes nor no"
            ))
        })
    };
    values
        .map(|values| values.iter().map(read).collect())
        .transpose()
}
