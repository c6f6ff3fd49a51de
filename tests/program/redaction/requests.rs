//! Requests made from the schemas of the catalogue, every text in them chosen by the test.

use serde_json::{Map, Value, json};

/// Levels of a schema that are followed.
const DEPTH_MAX: u8 = 6;

/// A request of a schema with all its fields. `text` gives each text by the name of its field and its limit.
pub(crate) fn filled(schema: &Value, text: &mut dyn FnMut(&str, Option<u64>) -> String) -> Value {
    value(schema, (schema, ""), text, 0)
}

fn value(
    schema: &Value,
    (root, name): (&Value, &str),
    text: &mut dyn FnMut(&str, Option<u64>) -> String,
    depth: u8,
) -> Value {
    if depth > DEPTH_MAX {
        return Value::Null;
    }
    if let Some(path) = schema["$ref"].as_str() {
        let found = root.pointer(path.trim_start_matches('#'));
        return value(found.unwrap_or(&Value::Null), (root, name), text, depth + 1);
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        let kinds = schema[several].as_array().into_iter().flatten();
        let mut kinds = kinds.filter(|kind| kind["type"] != "null");
        if let Some(kind) = kinds.next() {
            return value(kind, (root, name), text, depth + 1);
        }
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    let kinds = schema["type"].as_array();
    let kind = kinds.map_or(&schema["type"], |kinds| &kinds[0]).as_str();
    match kind {
        Some("string") if schema["format"] == "date-time" => json!("2026-01-02T03:04:05Z"),
        Some("string") => json!(text(name, schema["maxLength"].as_u64())),
        Some("integer") => json!(schema["minimum"].as_i64().unwrap_or(1).max(1)),
        Some("number") => json!(schema["minimum"].as_f64().unwrap_or(0.5)),
        Some("boolean") => json!(false),
        Some("array") => json!([value(&schema["items"], (root, name), text, depth + 1)]),
        Some("object") => {
            let mut fields = Map::new();
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                fields.insert(name.clone(), value(field, (root, name), text, depth + 1));
            }
            Value::Object(fields)
        }
        Some(_) => Value::Null,
        // Any data: a text below a key.
        None => json!({"note": text(name, None)}),
    }
}
