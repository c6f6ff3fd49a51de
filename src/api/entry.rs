//! Entries: the fields of objects in lists that the schema of a verb leaves open, so that a fault stays at its entry.

use serde_json::{Map, Value, json};

use super::delta_input;
use super::fields::Shape;
use super::steps;

/// The schema of an entry of a list, by the name of the list. Other fields than these are refused by its reader.
pub fn schema(list: &str) -> Value {
    let fields: Vec<(&str, Shape)> = match list {
        "operations" => delta_input::operation_fields(),
        "steps" => steps::STEP.to_vec(),
        _ => Vec::new(),
    };
    let mut properties = Map::new();
    for (name, shape) in fields {
        properties
            .entry(name)
            .or_insert_with(|| Value::Object(shape.schema()));
    }
    if properties.is_empty() {
        return json!({ "type": "object" });
    }
    json!({ "type": "object", "properties": properties })
}
