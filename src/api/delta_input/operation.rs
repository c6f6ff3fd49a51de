//! Reads one operation, native or kayba; any fault becomes its reason.
//!
//! Both shapes are first turned into one flat set of fields, then checked against the operation's table, then
//! passed to the domain's own reader, so that each field has one meaning.

use serde_json::{Map, Value};

use crate::fields::{Shape, Table, described, faults};
use crate::nearest::{quoted, suggestion};
use hindlore_domain::memory::delta::{Malformed, Operation, PolicyChange};
use hindlore_domain::memory::policy::Policy;

/// Operations accepted from outside.
const OPERATIONS: [&str; 7] = ["ADD", "UPDATE", "TAG", "REMOVE", "REJECT", "PIN", "POLICY"];

/// Fields of ADD.
const ADD: Table = &[
    ("content", Shape::Text),
    ("section", Shape::Text),
    ("tags", Shape::Texts),
    ("memory_type", Shape::MemoryType),
    ("kind", Shape::Kind),
    ("topic", Shape::Text),
    ("concept", Shape::Text),
    ("ttl_days", Shape::Days),
    ("importance", Shape::Share),
    ("helpful", Shape::Count),
    ("harmful", Shape::Count),
    ("neutral", Shape::Count),
    ("source", Shape::Source),
    ("follows", Shape::Name),
    ("created_at", Shape::Time),
    ("legacy_id", Shape::Text),
    ("pinned", Shape::Flag),
    ("embedding", Shape::Vector),
];

const UPDATE: Table = &[
    ("id", Shape::Name),
    ("content", Shape::Text),
    ("section", Shape::Text),
    ("tags", Shape::Texts),
    ("memory_type", Shape::MemoryType),
    ("kind", Shape::Kind),
    ("topic", Shape::Text),
    ("concept", Shape::Text),
    ("ttl_days", Shape::Days),
    ("importance", Shape::Share),
    ("helpful", Shape::Count),
    ("harmful", Shape::Count),
    ("neutral", Shape::Count),
    ("source", Shape::Source),
    ("embedding", Shape::Vector),
];

/// Fields of TAG.
const TAG: Table = &[
    ("id", Shape::Name),
    ("helpful", Shape::Change),
    ("harmful", Shape::Change),
    ("neutral", Shape::Change),
];

const REMOVE: Table = &[("id", Shape::Name), ("reason", Shape::Text)];
const PIN: Table = &[("id", Shape::Name), ("on", Shape::Flag)];

/// The fields of all operations in one list, the first meaning of each first.
pub(crate) fn operation_fields() -> Vec<(&'static str, Shape)> {
    let op: Table = &[("op", Shape::Text)];
    [op, UPDATE, ADD, TAG, REMOVE, PIN].concat()
}

/// Long names of counts in other programs.
const LONG_NAMES: [(&str, &str); 3] = [
    ("helpful_count", "helpful"),
    ("harmful_count", "harmful"),
    ("neutral_count", "neutral"),
];

/// Reads one operation; never fails, because a fault becomes a malformed operation.
pub(super) fn read(value: &Value) -> Operation {
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

fn try_read(value: &Value) -> Result<Operation, String> {
    let Value::Object(object) = value else {
        return Err(format!(
            "an operation is an object, not {}",
            described(value)
        ));
    };
    let mut fields = object.clone();
    let (word, is_kayba) = take_word(&mut fields)?;
    if !OPERATIONS.contains(&word.as_str()) {
        return Err(format!(
            "{} is not an operation; {}",
            quoted(&word),
            suggestion(&word, &OPERATIONS)
        ));
    }
    if word == "POLICY" {
        return read_policy(fields);
    }
    spread_metadata(&word, &mut fields)?;
    if is_kayba {
        drop_idle_fields(&word, &mut fields);
    }
    rename(&word, &mut fields)?;
    build(&word, fields)
}

/// Checks flat fields against the operation's table and builds the operation.
pub(super) fn build(word: &str, mut fields: Map<String, Value>) -> Result<Operation, String> {
    let (table, needed) = match word {
        "ADD" => (ADD, "content"),
        "UPDATE" => (UPDATE, "id"),
        "TAG" => (TAG, "id"),
        "PIN" => (PIN, "id"),
        _ => (REMOVE, "id"),
    };
    let mut faults = faults(&fields, table);
    fields.retain(|_, value| !value.is_null());
    if !fields.contains_key(needed) {
        faults.push(format!("`{needed}` is missing"));
    }
    if !faults.is_empty() {
        return Err(format!("{word}: {}", faults.join("; ")));
    }
    fields.insert("op".to_owned(), Value::String(word.to_owned()));
    serde_json::from_value(Value::Object(fields)).map_err(|error| format!("{word}: {error}"))
}

/// Takes the operation's word out of the fields; true if it had kayba's name.
fn take_word(fields: &mut Map<String, Value>) -> Result<(String, bool), String> {
    let (name, is_kayba) = match (fields.contains_key("op"), fields.contains_key("type")) {
        (true, _) => ("op", false),
        (false, true) => ("type", true),
        (false, false) => {
            return Err(format!(
                "the operation does not say what to do; give it an `op`: one of {}",
                OPERATIONS.join(", ")
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
    let counts = [TAG[1], TAG[2], TAG[3]];
    for (name, value) in metadata {
        if !counts.iter().any(|(known, _)| *known == name) {
            let known: Vec<&str> = counts.iter().map(|(known, _)| *known).collect();
            return Err(format!(
                "{word}: {} is not a count; {}",
                quoted(&name),
                suggestion(&name, &known)
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

/// POLICY holds policy fields; their values are checked where the policy is known.
fn read_policy(fields: Map<String, Value>) -> Result<Operation, String> {
    let names = Policy::field_names();
    let table: Vec<&str> = names.iter().map(String::as_str).collect();
    let unknown: Vec<String> = fields
        .keys()
        .filter(|name| !table.contains(&name.as_str()))
        .map(|name| {
            format!(
                "{} is not a policy field; {}",
                quoted(name),
                suggestion(name, &table)
            )
        })
        .collect();
    if !unknown.is_empty() {
        return Err(format!("POLICY: {}", unknown.join("; ")));
    }
    if fields.is_empty() {
        return Err("POLICY: names no policy field".to_owned());
    }
    Ok(Operation::Policy(PolicyChange { fields }))
}

#[cfg(test)]
mod tests;
