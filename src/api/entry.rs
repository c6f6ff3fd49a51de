//! Entries: the objects in lists and maps that the schema of a verb leaves open, so that a fault stays at its entry.
//!
//! The reader of an entry checks it by the schema that is described here.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::delta_input::entry_schema;
use super::fields::Shape;
use super::schema::reference;
use super::steps;

/// Returns the schema of a request as callers see it: with the entries of its open lists and maps.
pub fn described(request: &Value) -> Value {
    let mut described = request.clone();
    let fields = described.get_mut("properties");
    let fields = fields.and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        for keyword in ["items", "additionalProperties"] {
            let is_open = field.get(keyword) == Some(&Value::Bool(true));
            if let Some(entry) = is_open.then(|| exact(name)).flatten() {
                field[keyword] = entry;
            }
        }
    }
    described
}

/// The names of the entries of open lists and maps, where a document names its schemas.
const NAMES: [(&str, &str); 6] = [
    ("new_bullets", "ClassicBullet"),
    ("operations", "Operation"),
    ("records", "BulletRecord"),
    ("remove_bullets", "ClassicId"),
    ("steps", "Step"),
    ("update_bullets", "VoteChange"),
];

/// Refers from the open lists and maps of a request to the named schemas of their entries.
pub(super) fn refer(request: &mut Value) {
    let fields = request.get_mut("properties");
    let fields = fields.and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        let Some((_, entry)) = NAMES.iter().find(|(list, _)| list == name) else {
            continue;
        };
        for keyword in ["items", "additionalProperties"] {
            if field.get(keyword).is_some_and(Value::is_object) {
                field[keyword] = reference(entry);
            }
        }
    }
}

/// The named schemas of the entries.
pub(super) fn named() -> Map<String, Value> {
    let schema = |(list, name): &(&str, &str)| Some(((*name).to_owned(), exact(list)?));
    NAMES.iter().filter_map(schema).collect()
}

/// Serializes the schema of a request as callers see it.
pub(super) fn serialize<S: Serializer>(request: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    described(request).serialize(serializer)
}

/// Returns the schema of an entry of a list, by the name of the list, as one object without alternatives, which is
/// all that many clients of tools take. Fields that it lacks are left to the reader.
pub fn schema(list: &str) -> Value {
    let mut flat = match exact(list) {
        Some(entry) => flat(entry),
        None => json!({ "type": "object" }),
    };
    if let Some(flat) = flat.as_object_mut() {
        flat.remove("additionalProperties");
    }
    let fields = flat.get_mut("properties").and_then(Value::as_object_mut);
    for field in fields.into_iter().flat_map(Map::values_mut) {
        if let Some(field) = field.as_object_mut() {
            field.remove("pattern");
        }
    }
    flat
}

fn exact(list: &str) -> Option<Value> {
    match list {
        "steps" => {
            let field = |(name, shape): &(&str, Shape)| {
                let mut schema = shape.schema().clone();
                // Null means absent.
                if let Some(kind) = schema.get("type").cloned() {
                    schema["type"] = json!([kind, "null"]);
                }
                ((*name).to_owned(), schema)
            };
            let mut fields: Map<String, Value> = steps::STEP.iter().map(field).collect();
            for (name, meaning) in steps::MEANINGS {
                fields[*name]["description"] = (*meaning).into();
            }
            Some(json!({ "type": "object", "properties": fields, "additionalProperties": false }))
        }
        _ => entry_schema(list),
    }
}

/// Joins alternatives that differ in `op`: a field has the first meaning, without the bounds that do not always hold.
fn flat(entry: Value) -> Value {
    let Some(choices) = entry["oneOf"].as_array() else {
        return entry;
    };
    let mut words = Vec::new();
    let mut fields = Map::new();
    for choice in choices {
        let word = choice["properties"]["op"]["const"]
            .as_str()
            .unwrap_or_default();
        let about = choice["description"].clone();
        words.push(json!({ "const": word, "description": about }));
        let of_word = choice["properties"].as_object().into_iter().flatten();
        // A field without a type is one of the policy.
        for (name, field) in
            of_word.filter(|(name, field)| *name != "op" && !field["examples"].is_array())
        {
            match fields.get_mut(name).and_then(Value::as_object_mut) {
                Some(known) => join(known, word, field),
                None => drop(fields.insert(name.clone(), field.clone())),
            }
        }
    }
    fields.insert("op".to_owned(), json!({ "oneOf": words }));
    json!({ "type": "object", "properties": fields, "required": ["op"] })
}

/// Adds the meaning of a field in another operation, and drops the bounds that do not hold there.
fn join(known: &mut Map<String, Value>, word: &str, field: &Value) {
    known.retain(|keyword, value| {
        matches!(keyword.as_str(), "type" | "description") || field.get(keyword) == Some(value)
    });
    let about = |field: &Value| field.as_str().unwrap_or_default().to_owned();
    let (old, new) = (about(&known["description"]), about(&field["description"]));
    if !old.contains(&new) {
        known["description"] = format!("{old} `{word}`: {new}").into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::find;
    use crate::check::tests::unknown_keywords;

    #[test]
    fn entries_are_described_and_every_keyword_is_enforced() {
        let request = described(find("delta.apply").unwrap().request());
        assert_eq!(unknown_keywords(&request), [""; 0]);
        let fields = &request["properties"];
        let choices = fields["operations"]["items"]["oneOf"].as_array().unwrap();
        let words = choices.iter().map(|one| &one["properties"]["op"]["const"]);
        let all = ["ADD", "UPDATE", "TAG", "REMOVE", "REJECT", "PIN", "POLICY"];
        assert_eq!(words.collect::<Vec<_>>(), all);
        let new = &fields["new_bullets"]["items"];
        assert!(new["properties"]["helpful_count"]["description"].is_string());
        let counts = &fields["update_bullets"]["additionalProperties"];
        assert_eq!(counts["required"], json!([]));
        assert_eq!(fields["remove_bullets"]["items"]["type"], "string");
        for (verb, list) in [("errors.capture", "steps"), ("memory.import", "records")] {
            let request = described(find(verb).unwrap().request());
            let items = &request["properties"][list]["items"];
            assert!(items["properties"]["tags"].is_object(), "{verb}: {items}");
        }
    }

    #[test]
    fn operations_in_one_object_keep_the_meaning_of_each() {
        let flat = schema("operations");
        assert_eq!(flat["required"], json!(["op"]));
        let helpful = &flat["properties"]["helpful"];
        assert_eq!(
            (&helpful["type"], &helpful["minimum"]),
            (&json!("integer"), &Value::Null)
        );
        let about = helpful["description"].as_str().unwrap();
        assert!(about.contains("`TAG`: Helpful votes to add"), "{about}");
        assert!(flat["properties"]["op"].to_string().contains("\"REJECT\""));
        assert_eq!(schema("others"), json!({ "type": "object" }));
    }
}
