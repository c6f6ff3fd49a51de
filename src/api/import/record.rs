//! Shared by the JSON formats: parsed documents, and records with checked fields.
//!
//! A record is checked against its table before its fields are read, so the getters here cannot fail.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Format, wrong_format};
use crate::api::fields::{Shape, Table, described, faults};
use crate::api::json::{Member, check, members};
use crate::api::nearest::quoted;
use crate::api::problem::Problem;
use crate::domain::timestamp::Timestamp;

/// Members of a document, which must be an object.
pub(super) fn document(format: Format, text: &str) -> Result<Vec<Member<'_>>, Problem> {
    check("the file", text)?;
    match members(text, 1) {
        Some(found) if text.trim_start().starts_with('{') => {
            let mut seen = HashSet::new();
            let again = found.iter().find(|member| !seen.insert(&member.name));
            match again.and_then(|member| Some((member.name.as_deref()?, member.line))) {
                Some((name, line)) => {
                    let why = format!("{} stands twice, again on line {line}", quoted(name));
                    Err(wrong_format(format, &why))
                }
                None => Ok(found),
            }
        }
        _ => Err(wrong_format(format, "it is not a JSON object")),
    }
}

/// The member with a name.
pub(super) fn named<'m, 't>(document: &'m [Member<'t>], name: &str) -> Option<&'m Member<'t>> {
    document
        .iter()
        .find(|member| member.name.as_deref() == Some(name))
}

/// Records below a field of the document.
pub(super) fn records<'t>(
    format: Format,
    document: &[Member<'t>],
    name: &str,
) -> Result<Vec<Member<'t>>, Problem> {
    let Some(field) = named(document, name) else {
        return Err(wrong_format(format, &format!("it has no `{name}`")));
    };
    members(field.text, field.line)
        .ok_or_else(|| wrong_format(format, &format!("`{name}` holds no records")))
}

/// A whole number in a field of the document; none if absent or null.
pub(super) fn whole_number(
    format: Format,
    document: &[Member<'_>],
    name: &str,
) -> Result<Option<u64>, Problem> {
    let Some(field) = named(document, name) else {
        return Ok(None);
    };
    match field.value() {
        Ok(Value::Null) => Ok(None),
        Ok(value) if Shape::Count.check(&value).is_ok() => Ok(value.as_u64()),
        _ => Err(wrong_format(
            format,
            &format!(
                "`{name}` on line {} is not a whole number in range",
                field.line
            ),
        )),
    }
}

/// The fields of a record, or all their faults.
pub(super) fn fields(member: &Member<'_>, table: Table) -> Result<Map<String, Value>, String> {
    let object = match member.value()? {
        Value::Object(object) => object,
        other => return Err(format!("a record is an object, not {}", described(&other))),
    };
    let faults = faults(&object, table);
    if !faults.is_empty() {
        return Err(faults.join("; "));
    }
    Ok(object)
}

/// A text field.
pub(super) fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// A non-blank text field, trimmed.
pub(super) fn label(object: &Map<String, Value>, name: &str) -> Option<String> {
    let label = object.get(name).and_then(Value::as_str)?.trim();
    (!label.is_empty()).then(|| label.to_owned())
}

/// A count; 0 if absent.
pub(super) fn count(object: &Map<String, Value>, name: &str) -> u64 {
    object.get(name).and_then(Value::as_u64).unwrap_or_default()
}

/// A time.
pub(super) fn time(object: &Map<String, Value>, name: &str) -> Option<Timestamp> {
    Timestamp::parse(object.get(name).and_then(Value::as_str)?)
}

/// The content, which every record must have.
pub(super) fn content(object: &Map<String, Value>) -> Result<String, String> {
    let content = text(object, "content").ok_or("`content` is missing")?;
    if content.trim().is_empty() {
        return Err("the content is empty".to_owned());
    }
    Ok(content)
}

/// The record's own id, else its key.
pub(super) fn own_or_key(object: &Map<String, Value>, member: &Member<'_>) -> Option<String> {
    let key = member.name.as_deref().map(str::trim).unwrap_or_default();
    label(object, "id").or_else(|| (!key.is_empty()).then(|| key.to_owned()))
}
