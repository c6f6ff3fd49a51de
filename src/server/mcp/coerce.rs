//! Coercion: arguments as clients send them, read by the schema of their tool where the meaning is clear.
//!
//! Models and clients send lists and objects as texts that hold JSON, numbers and flags as texts, `null` or an empty
//! text for a field that they leave out, one text for a list of one, and fields of their own. Unclear values stay as
//! they are, and the check of the verb names them.

use serde_json::{Map, Value};

use hindlore_api::check::{types_of, words_of};
use hindlore_api::json::replace_halves;
use hindlore_api::nearest::nearest;

/// Fields that clients and agent frameworks add to the arguments of any tool.
const OF_CLIENTS: [&str; 9] = [
    "chatInput",
    "dummy",
    "explanation",
    "random_string",
    "reasoning",
    "security_risk",
    "sessionId",
    "task_progress",
    "toolCallId",
];
/// Texts for a value that is left out.
const ABSENT: [&str; 5] = ["", "null", "none", "nil", "undefined"];

/// Reads the arguments of a tool. Returns the fields that were passed over.
pub(super) fn read(
    schema: &Value,
    is_strict: bool,
    arguments: &mut Map<String, Value>,
) -> Vec<String> {
    let mut reading = Reading {
        is_strict,
        passed_over: Vec::new(),
    };
    if let Some(schema) = schema.as_object() {
        reading.object(schema, arguments);
    }
    reading.passed_over
}

struct Reading {
    /// A field that might narrow the effect of the tool is not ignored.
    is_strict: bool,
    passed_over: Vec<String>,
}

impl Reading {
    fn object(&mut self, schema: &Map<String, Value>, fields: &mut Map<String, Value>) {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.unwrap_or(&none);
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, property) in properties {
            let Some(value) = fields.get_mut(name) else {
                continue;
            };
            let may_lack = !required.contains(&name.as_str());
            if may_lack && is_left_out(property, value) {
                fields.remove(name);
            } else {
                self.value(property, value);
            }
        }
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            // Where a field is missing, another one may be meant for it.
            let is_whole = required.iter().all(|name| fields.contains_key(*name));
            self.pass_over(properties, is_whole, fields);
        }
    }

    fn pass_over(
        &mut self,
        properties: &Map<String, Value>,
        is_whole: bool,
        fields: &mut Map<String, Value>,
    ) {
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        let unknown = fields.keys().filter(|name| !properties.contains_key(*name));
        let unknown: Vec<String> = unknown.cloned().collect();
        for name in unknown {
            let is_of_client = name.starts_with('_') || OF_CLIENTS.contains(&name.as_str());
            let is_clear = is_whole && !self.is_strict && nearest(&name, &known).is_none();
            if is_of_client || is_clear {
                fields.remove(&name);
                if !self.passed_over.contains(&name) {
                    self.passed_over.push(name);
                }
            }
        }
    }

    fn value(&mut self, schema: &Value, value: &mut Value) {
        let types = types(schema);
        if let Some(read) = converted(schema, &types, value) {
            *value = read;
        }
        match value {
            Value::Object(fields) => {
                let of_object = |one: &&Map<String, Value>| one.contains_key("properties");
                if let Some(schema) = choices(schema).into_iter().find(of_object) {
                    self.object(schema, fields);
                }
            }
            Value::Array(list) => {
                let items = choices(schema).into_iter().find_map(|one| one.get("items"));
                if let Some(items) = items {
                    list.iter_mut().for_each(|item| self.value(items, item));
                }
            }
            _ => {}
        }
    }
}

/// The alternatives of a schema, or itself.
fn choices(schema: &Value) -> Vec<&Map<String, Value>> {
    let Some(schema) = schema.as_object() else {
        return Vec::new();
    };
    let several = schema.get("anyOf").or(schema.get("oneOf"));
    match several.and_then(Value::as_array) {
        Some(several) if words_of(schema).is_none() => several.iter().flat_map(choices).collect(),
        _ => vec![schema],
    }
}

/// All types that a schema takes; none where it takes anything.
fn types(schema: &Value) -> Vec<&str> {
    let of_one = |one: &'_ Map<String, Value>| match words_of(one) {
        Some(_) => vec!["string"],
        None => Vec::new(),
    };
    let mut all = Vec::new();
    for one in choices(schema) {
        let types = types_of(one);
        all.extend(if types.is_empty() { of_one(one) } else { types });
    }
    all
}

/// The words that a schema takes, if it takes no other text.
fn words(schema: &Value) -> Option<Vec<&str>> {
    let choices = choices(schema);
    let words = choices.iter().filter_map(|one| words_of(one)).flatten();
    let words: Vec<&str> = words.filter_map(Value::as_str).collect();
    (!words.is_empty()).then_some(words)
}

/// Returns true if a value means that an optional field is left out.
fn is_left_out(schema: &Value, value: &Value) -> bool {
    let types = types(schema);
    match value {
        Value::Null => !types.is_empty() && !types.contains(&"null"),
        Value::String(text) => {
            let text = text.trim().to_lowercase();
            let words = words(schema);
            let is_free = types.is_empty() || (types.contains(&"string") && words.is_none());
            let is_word = words.is_some_and(|words| words.contains(&text.as_str()));
            !is_free && !is_word && ABSENT.contains(&text.as_str())
        }
        _ => false,
    }
}

/// The value that is meant; `None` where it is right already, or where nothing is clear.
fn converted(schema: &Value, types: &[&str], value: &Value) -> Option<Value> {
    let takes = |name: &str| types.contains(&name);
    if types.is_empty() || takes(type_of(value)) {
        return value.as_str().and_then(|text| word(schema, text));
    }
    match value {
        Value::String(text) => {
            let text = text.trim();
            let scalar = scalar(types, text);
            scalar.or_else(|| structure(schema, types, text))
        }
        Value::Number(number) if takes("number") => Some(number.clone().into()),
        Value::Number(number) if takes("string") && words(schema).is_none() => {
            Some(number.to_string().into())
        }
        Value::Object(_) | Value::Number(_) if takes("array") => listed(schema, value.clone()),
        _ => None,
    }
}

/// A word in another case.
fn word(schema: &Value, text: &str) -> Option<Value> {
    let words = words(schema)?;
    let meant = words
        .into_iter()
        .find(|word| word.eq_ignore_ascii_case(text.trim()))?;
    (meant != text).then(|| meant.into())
}

fn scalar(types: &[&str], text: &str) -> Option<Value> {
    let takes = |name: &str| types.contains(&name);
    if takes("boolean") {
        let lower = text.to_lowercase();
        return match lower.as_str() {
            "true" => Some(true.into()),
            "false" => Some(false.into()),
            _ => None,
        };
    }
    if takes("integer") || takes("number") {
        let number: serde_json::Number = serde_json::from_str(text).ok()?;
        return Some(number.into());
    }
    None
}

/// A list or an object that a text holds as JSON; a list of one text.
fn structure(schema: &Value, types: &[&str], text: &str) -> Option<Value> {
    let takes = |name: &str| types.contains(&name);
    let parsed = match text.as_bytes().first() {
        Some(b'[' | b'{') => serde_json::from_str::<Value>(text)
            .or_else(|_| serde_json::from_str(&replace_halves(text)))
            .ok(),
        _ => None,
    };
    match parsed {
        Some(object @ Value::Object(_)) if takes("object") => Some(object),
        Some(object @ Value::Object(_)) if takes("array") => {
            listed(schema, object).or_else(|| listed(schema, text.into()))
        }
        Some(Value::Array(list)) if takes("array") => {
            let is_right = list.iter().all(|item| is_item(schema, item));
            let alone = || listed(schema, text.into());
            if is_right { Some(list.into()) } else { alone() }
        }
        _ if takes("array") && !text.is_empty() => listed(schema, text.into()),
        _ => None,
    }
}

/// A list of one value, if the list takes it.
fn listed(schema: &Value, value: Value) -> Option<Value> {
    is_item(schema, &value).then(|| Value::Array(vec![value]))
}

/// Returns true if a list takes a value as it is, or as the number or text in it.
fn is_item(schema: &Value, value: &Value) -> bool {
    let items = choices(schema).into_iter().find_map(|one| one.get("items"));
    let Some(items) = items else { return true };
    let types = types(items);
    types.is_empty() || types.contains(&type_of(value)) || converted(items, &types, value).is_some()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        // 5.0 is a whole number, too, which the check rewrites.
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests;
