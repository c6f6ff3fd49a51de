//! Reads one operation, native or kayba; any fault becomes its reason.
//!
//! Both shapes are first turned into one flat set of fields, then checked against the schema of the operation, so that
//! the documented fields are the accepted ones, and each field has one meaning.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::wire::SentOperation;
use crate::check::{described, faults};
use crate::nearest::{quoted, suggestion};
use crate::schema::of_request;
use hindlore_domain::memory::delta::{Malformed, Operation};

/// The schema of an operation: one alternative for each word.
pub(super) static SCHEMA: LazyLock<Value> = LazyLock::new(of_request::<SentOperation>);

/// Fields that count votes.
const COUNTS: [&str; 3] = ["helpful", "harmful", "neutral"];

/// Long names of counts in other programs.
pub(super) const LONG_NAMES: [(&str, &str); 3] = [
    ("helpful_count", "helpful"),
    ("harmful_count", "harmful"),
    ("neutral_count", "neutral"),
];

/// The operations that are accepted from outside, each with its schema.
fn alternatives() -> impl Iterator<Item = (&'static str, &'static Value)> {
    let choices = SCHEMA["oneOf"].as_array().into_iter().flatten();
    choices.filter_map(|one| Some((one["properties"]["op"]["const"].as_str()?, one)))
}

/// The schema of the operation with a word.
fn schema_of(word: &str) -> Option<&'static Value> {
    let mut found = alternatives().filter(|(known, _)| *known == word);
    found.next().map(|(_, schema)| schema)
}

/// The schema of an operation without some of its fields.
pub(super) fn schema_without(word: &str, names: &[&str]) -> Value {
    let mut schema = schema_of(word).cloned().unwrap_or_default();
    if let Some(fields) = schema["properties"].as_object_mut() {
        fields.retain(|name, _| !names.contains(&name.as_str()));
    }
    if let Some(required) = schema["required"].as_array_mut() {
        required.retain(|name| !name.as_str().is_some_and(|name| names.contains(&name)));
    }
    schema
}

/// Reads one operation; never fails, because a fault becomes a malformed operation.
pub(super) fn read(value: Value) -> Operation {
    try_read(value).unwrap_or_else(malformed)
}

/// Reads the fields of an ADD, without `op`, as a record to import.
pub(crate) fn read_added(value: &Value) -> Result<Operation, String> {
    match value {
        Value::Object(fields) => build("ADD", fields.clone()),
        _ => Err(format!("a record is an object, not {}", described(value))),
    }
}

/// The operation for unreadable input.
pub(super) fn malformed(reason: String) -> Operation {
    Operation::Malformed(Malformed { reason })
}

fn try_read(value: Value) -> Result<Operation, String> {
    let Value::Object(mut fields) = value else {
        return Err(format!(
            "an operation is an object, not {}",
            described(&value)
        ));
    };
    let (word, is_kayba) = take_word(&mut fields)?;
    if word == "POLICY" && fields.is_empty() {
        return Err("POLICY: names no policy field".to_owned());
    }
    if word != "POLICY" && schema_of(&word).is_some() {
        spread_metadata(&word, &mut fields)?;
        if is_kayba {
            drop_idle_fields(&word, &mut fields);
        }
        rename(&word, &mut fields)?;
    }
    build(&word, fields)
}

/// Checks flat fields against the operation's schema and builds the operation.
pub(super) fn build(word: &str, mut fields: Map<String, Value>) -> Result<Operation, String> {
    let Some(schema) = schema_of(word) else {
        return Err(format!(
            "{} is not an operation; {}",
            quoted(word),
            suggestion(word, &words())
        ));
    };
    if fields.insert("op".to_owned(), word.into()).is_some() {
        return Err(format!("{word}: `op` is not a field here"));
    }
    // Null means absent, except for a policy field, where it is a value.
    if word != "POLICY" {
        let is_known = |name: &str| schema["properties"].get(name).is_some();
        fields.retain(|name, value| !value.is_null() || !is_known(name));
    }
    let mut operation = Value::Object(fields);
    let faults = faults(schema, &mut operation);
    if !faults.is_empty() {
        return Err(format!("{word}: {}", faults.join("; ")));
    }
    SentOperation::deserialize(operation).map_err(|error| format!("{word}: {error}"))
}

fn words() -> Vec<&'static str> {
    alternatives().map(|(word, _)| word).collect()
}

/// Takes the operation's word out of the fields; true if it had kayba's name.
fn take_word(fields: &mut Map<String, Value>) -> Result<(String, bool), String> {
    let (name, is_kayba) = match (fields.contains_key("op"), fields.contains_key("type")) {
        (true, _) => ("op", false),
        (false, true) => ("type", true),
        (false, false) => {
            return Err(format!(
                "the operation does not say what to do; give it an `op`: one of {}",
                words().join(", ")
            ));
        }
    };
    match fields.remove(name) {
        Some(Value::String(word)) => Ok((word.trim().to_uppercase(), is_kayba)),
        Some(other) => Err(format!(
            "`{name}` must be a text, not {}",
            described(&other)
        )),
        None => Err(format!("`{name}` is missing")),
    }
}

/// Moves the counts in kayba's `metadata` to the top level.
fn spread_metadata(word: &str, fields: &mut Map<String, Value>) -> Result<(), String> {
    let metadata = match fields.remove("metadata") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::Object(metadata)) => metadata,
        Some(other) => {
            return Err(format!(
                "{word}: `metadata` must be an object, not {}",
                described(&other)
            ));
        }
    };
    for (name, value) in metadata {
        if !COUNTS.contains(&name.as_str()) {
            return Err(format!(
                "{word}: {} is not a count; {}",
                quoted(&name),
                suggestion(&name, &COUNTS)
            ));
        }
        if fields.insert(name.clone(), value).is_some() {
            return Err(format!("{word}: `{name}` is given twice"));
        }
    }
    Ok(())
}

/// Drops empty fields: kayba writes all fields in every operation.
fn drop_idle_fields(word: &str, fields: &mut Map<String, Value>) {
    let is_idle = |value: &Value| {
        value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
    };
    fields.retain(|name, value| match name.as_str() {
        "bullet_id" => !is_idle(value),
        "content" => word == "ADD" || !is_idle(value),
        // For existing bullets, kayba's section only names the location of the bullet.
        "section" => matches!(word, "ADD" | "UPDATE") && !is_idle(value),
        _ => true,
    });
}

/// Renames alternative field names to the native one.
fn rename(word: &str, fields: &mut Map<String, Value>) -> Result<(), String> {
    let id = if word == "ADD" { "legacy_id" } else { "id" };
    let names = LONG_NAMES.iter().chain(&[("bullet_id", "")]);
    for (other, name) in names {
        let name = if name.is_empty() { id } else { name };
        let Some(value) = fields.remove(*other) else {
            continue;
        };
        if value.is_null() {
            continue;
        }
        if fields
            .insert(name.to_owned(), value)
            .is_some_and(|old| !old.is_null())
        {
            return Err(format!(
                "{word}: `{other}` and `{name}` say the same; give one"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
