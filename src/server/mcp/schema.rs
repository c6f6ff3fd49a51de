//! The schema of a tool: the one by which its arguments are read, and the simpler one for clients.
//!
//! Many clients take only schemas in which each field has one type and each list has a type of elements; some refuse
//! the whole list of tools otherwise. The published schema may be narrower than the accepted one.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use hindlore_api::check::{types_of, words_of};
use hindlore_api::entry;

/// Lists of any shape, with the type of their entries.
const OPEN_LISTS: [(&str, &str); 2] = [("new_bullets", "object"), ("remove_bullets", "string")];
/// Fields of any shape that are best sent as a text; it may hold JSON.
const OPEN_TEXTS: [&str; 4] = ["action", "error", "state", "state_after"];

/// The schema of a request with the entries of its open lists filled in.
pub(super) fn read(request: &Value) -> Value {
    let mut schema = request.clone();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in properties.into_iter().flatten() {
        let Some(field) = field.as_object_mut() else {
            continue;
        };
        let is_list = types_of(field).contains(&"array");
        if is_list && is_open(field.get("items")) {
            field.insert("items".to_owned(), entry::schema(name));
        }
    }
    schema
}

/// The published schema of arguments.
pub(super) fn told(schema: &Value) -> JsonObject {
    let mut told = simple("", schema);
    for own in ["description", "title", "$schema"] {
        told.remove(own);
    }
    told.entry("properties").or_insert_with(|| json!({}));
    told
}

fn is_open(schema: Option<&Value>) -> bool {
    match schema {
        Some(Value::Object(schema)) => schema.is_empty(),
        _ => true,
    }
}

/// A schema with one type, without alternatives.
fn simple(name: &str, schema: &Value) -> JsonObject {
    let Some(schema) = schema.as_object() else {
        return open(name);
    };
    if let Some(words) = words_of(schema) {
        return enumerated(schema, &words);
    }
    let choices = schema.get("anyOf").or(schema.get("oneOf"));
    if let Some(Value::Array(choices)) = choices {
        let is_null = |choice: &&Value| choice.get("type").and_then(Value::as_str) == Some("null");
        let chosen = choices.iter().find(|choice| !is_null(choice));
        let mut simple = chosen.map_or_else(|| open(name), |chosen| simple(name, chosen));
        keep(schema, &mut simple);
        return simple;
    }
    let types = types_of(schema);
    // A text can hold a value of any other type, and is read so.
    let is_text = types.contains(&"string").then_some(&"string");
    let one = is_text.or_else(|| types.iter().find(|one| **one != "null"));
    let Some(one) = one else {
        let mut simple = open(name);
        keep(schema, &mut simple);
        return simple;
    };
    let mut simple = JsonObject::new();
    for (keyword, value) in schema {
        let value = match (keyword.as_str(), value) {
            ("type", _) => Value::from(*one),
            (keyword, value) if is_left_to_the_reader(one, keyword, value) => continue,
            ("properties", Value::Object(fields)) => {
                let fields = fields.iter();
                let told =
                    fields.map(|(name, field)| (name.clone(), self::simple(name, field).into()));
                Value::Object(told.collect())
            }
            ("items", items) => Value::Object(self::simple(name, items)),
            (_, value) => value.clone(),
        };
        simple.insert(keyword.clone(), value);
    }
    if *one == "array" && !simple.contains_key("items") {
        simple.insert("items".to_owned(), entry::schema(name));
    }
    simple
}

/// Returns true for a keyword that clients cannot read or that tells a model nothing. That there are no other fields
/// is one: `false` in place of a schema stops the adapter of Google, and others add it themselves.
fn is_left_to_the_reader(of: &str, keyword: &str, value: &Value) -> bool {
    match keyword {
        "title" => true,
        "additionalProperties" => value.is_boolean(),
        "default" => says_nothing(value),
        "format" => value != "date-time",
        "items" => of != "array",
        _ => false,
    }
}

/// Returns true for a default that anyone expects.
fn says_nothing(default: &Value) -> bool {
    match default {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// Copies the description of a field.
fn keep(schema: &Map<String, Value>, simple: &mut JsonObject) {
    for keyword in ["description", "default", "examples"] {
        if let Some(value) = schema.get(keyword).filter(|value| !says_nothing(value)) {
            simple.insert(keyword.to_owned(), value.clone());
        }
    }
}

/// A field that takes any shape.
fn open(name: &str) -> JsonObject {
    let list = OPEN_LISTS.iter().find(|(known, _)| *known == name);
    let schema = match list {
        Some((_, entry)) => json!({ "type": "array", "items": { "type": entry } }),
        None if OPEN_TEXTS.contains(&name) => json!({ "type": "string" }),
        None => json!({ "type": "object" }),
    };
    match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

/// A choice of words; the meaning of each becomes part of the description.
fn enumerated(schema: &Map<String, Value>, words: &[&Value]) -> JsonObject {
    let choices = schema.get("oneOf").and_then(Value::as_array);
    let mut about: Vec<String> = schema
        .get("description")
        .and_then(Value::as_str)
        .map(str::to_owned)
        .into_iter()
        .collect();
    for choice in choices.into_iter().flatten() {
        let word = choice.get("const").and_then(Value::as_str);
        let means = choice.get("description").and_then(Value::as_str);
        if let (Some(word), Some(means)) = (word, means) {
            about.push(format!("`{word}`: {means}"));
        }
    }
    let mut told = JsonObject::new();
    let words: Vec<&Value> = words
        .iter()
        .copied()
        .filter(|word| !word.is_null())
        .collect();
    told.insert("type".to_owned(), "string".into());
    told.insert("enum".to_owned(), json!(words));
    keep(schema, &mut told);
    if !about.is_empty() {
        told.insert("description".to_owned(), about.join(" ").into());
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_api::catalog;

    /// Places of a schema that some clients do not take.
    fn faults(place: &str, schema: &Value, found: &mut Vec<String>) {
        let Some(fields) = schema.as_object() else {
            return found.push(format!("{place} is no object"));
        };
        let unread = [
            "anyOf",
            "oneOf",
            "allOf",
            "const",
            "$ref",
            "prefixItems",
            "title",
        ];
        for keyword in unread {
            if fields.contains_key(keyword) {
                found.push(format!("{place} has {keyword}"));
            }
        }
        if !fields.get("type").is_some_and(Value::is_string) {
            found.push(format!("{place} has no single type"));
        }
        let more = fields.get("additionalProperties");
        if more.is_some_and(|more| !more.is_object()) {
            found.push(format!("{place} has fields without a schema"));
        }
        if fields["type"] == "array" {
            match fields.get("items") {
                Some(items) => faults(&format!("{place}[]"), items, found),
                None => found.push(format!("{place} has no items")),
            }
        }
        let properties = fields.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            faults(&format!("{place}.{name}"), property, found);
        }
    }

    #[test]
    fn every_field_has_one_type_and_every_list_says_what_it_holds() {
        let mut found = Vec::new();
        for verb in catalog::all() {
            let schema = Value::Object(told(&read(verb.request())));
            faults(verb.name, &schema, &mut found);
        }
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn a_choice_keeps_what_its_words_mean() {
        let schema = json!({"type": "object", "properties": {
            "mode": {"description": "How.", "default": "a", "oneOf": [
                {"const": "a", "description": "One."}, {"const": "b", "description": "Two."}]},
            "least": {"description": "Bound.", "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
            "action": {"type": ["array", "null", "object", "string"], "items": true},
            "lists": {"type": ["array", "null"], "items": {"type": "number", "format": "double"}, "default": []},
        }, "additionalProperties": false});
        assert_eq!(
            Value::Object(told(&schema)),
            json!({"type": "object", "properties": {
                "mode": {"type": "string", "enum": ["a", "b"], "default": "a", "description": "How. `a`: One. `b`: Two."},
                "least": {"type": "integer", "minimum": 1, "description": "Bound."},
                "action": {"type": "string"},
                "lists": {"type": "array", "items": {"type": "number"}},
            }})
        );
    }
}
