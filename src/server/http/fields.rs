//! The fields of a verb that are not in its body: those of a reading verb, from the query of its route, and the id that a
//! header gives.

use axum::http::HeaderMap;
use serde_json::{Map, Number, Value};

use super::description::IDEMPOTENCY_KEY;
use super::subject::text;
use hindlore_api::catalog::Registered;
use hindlore_api::check::{field_name, types_of};
use hindlore_api::problem::Problem;

/// Reads the pairs of a query; a field that is a list takes every pair of its name. An unsuitable value stays a text,
/// so that the check of the request reports it.
///
/// # Errors
///
/// A name that comes twice and is no list.
pub(super) fn of_query(schema: &Value, pairs: Vec<(String, String)>) -> Result<Value, String> {
    let mut fields = Map::new();
    for (name, text) in pairs {
        let own = schema["properties"].as_object();
        let name = own.and_then(|own| field_name(own, &name)).unwrap_or(name);
        let field = schema["properties"].get(&name).unwrap_or(&Value::Null);
        if let Some(item) = list_of(field) {
            let list = fields
                .entry(name)
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(value(item, &text));
            }
        } else if fields.contains_key(&name) {
            return Err(format!("`{name}` comes twice; give it once"));
        } else {
            fields.insert(name, value(field, &text));
        }
    }
    Ok(Value::Object(fields))
}

/// Adds the `Idempotency-Key` to the fields: the id by which a repeated request counts once. A verb without such an id
/// ignores the header.
///
/// # Errors
/// `invalid_request` where the fields name another id.
pub(super) fn with_idempotency_key(
    verb: &Registered,
    headers: &HeaderMap,
    mut fields: Value,
) -> Result<Value, Problem> {
    let (name, _) = IDEMPOTENCY_KEY;
    let (Some(field), Some(key)) = (verb.once_by, text(headers, name)?) else {
        return Ok(fields);
    };
    // Its draft standard writes it as a text in quotes.
    let quoted = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
    let key = Value::from(quoted.unwrap_or(key));
    let Some(object) = fields.as_object_mut() else {
        return Ok(fields);
    };
    match object.get(field) {
        None | Some(Value::Null) => {
            object.insert(field.to_owned(), key);
            Ok(fields)
        }
        Some(own) if *own == key => Ok(fields),
        Some(_) => {
            let message = format!("`{field}` and the header `{name}` name two ids");
            Err(Problem::new("invalid_request", message)
                .with_hint("send one of them; nothing was changed"))
        }
    }
}

/// The schemas that a schema may mean: itself, or its choices.
fn choices(schema: &Value) -> Vec<&Value> {
    let among = schema.get("anyOf").or(schema.get("oneOf"));
    match among.and_then(Value::as_array) {
        Some(among) => among.iter().collect(),
        None => vec![schema],
    }
}

fn has_type(schema: &Value, name: &str) -> bool {
    let objects = choices(schema).into_iter().filter_map(Value::as_object);
    objects.flat_map(types_of).any(|own| own == name)
}

/// The schema of the items, if the field is a list.
fn list_of(schema: &Value) -> Option<&Value> {
    let is_list = has_type(schema, "array");
    let items = choices(schema).into_iter().find_map(|one| one.get("items"));
    is_list.then(|| items.unwrap_or(&Value::Null))
}

fn value(schema: &Value, text: &str) -> Value {
    if has_type(schema, "boolean") {
        match text {
            "true" => return Value::Bool(true),
            "false" => return Value::Bool(false),
            _ => {}
        }
    }
    if has_type(schema, "integer") || has_type(schema, "number") {
        let whole = text.parse::<i64>().map(Number::from).ok();
        let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
        if let Some(number) = number {
            return Value::Number(number);
        }
    }
    if has_type(schema, "object")
        && let Ok(object @ Value::Object(_)) = serde_json::from_str(text)
    {
        return object;
    }
    Value::String(text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Value, String> {
        let schema = json!({"properties": {
            "limit": {"type": "integer"},
            "score": {"type": ["number", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "full": {"type": "boolean"},
            "kind": {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]},
        }});
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        of_query(&schema, pairs.iter().map(owned).collect())
    }

    #[test]
    fn texts_become_what_the_schema_says() {
        assert_eq!(read(&[("Limit", "10")]), Ok(json!({"limit": 10})));
        let pairs = [
            ("limit", "10"),
            ("score", "0.5"),
            ("tags", "a"),
            ("tags", "7"),
            ("full", "true"),
            ("kind", "a"),
            ("other", "x"),
        ];
        let fields = json!({"limit": 10, "score": 0.5, "tags": ["a", "7"], "full": true, "kind": "a", "other": "x"});
        assert_eq!(read(&pairs), Ok(fields));
    }

    #[test]
    fn what_does_not_fit_stays_a_text_and_a_double_is_refused() {
        let fields = json!({"limit": "ten", "full": "1", "score": "NaN"});
        let pairs = [("limit", "ten"), ("full", "1"), ("score", "NaN")];
        assert_eq!(read(&pairs), Ok(fields));
        assert!(
            read(&[("limit", "1"), ("limit", "2")])
                .unwrap_err()
                .contains("`limit`")
        );
    }
}
