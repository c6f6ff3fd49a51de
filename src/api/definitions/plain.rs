//! Schemas in the forms that generators of clients take.
//!
//! Many of them leave out, or refuse, a schema that is `true`, an alternative without a name, and words that are
//! listed as alternatives.

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value, json};

use crate::check::{types_of, words_of};
use crate::schema::reference;

/// Rewrites one schema and those in it.
#[derive(Clone, Debug)]
pub(super) struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if schema.as_bool() == Some(true) {
            *schema = Schema::default();
        }
        let Some(fields) = schema.as_object_mut() else {
            return;
        };
        // The name of a schema is its title; a default of null says as much as none.
        fields.remove("title");
        if fields.get("default").is_some_and(Value::is_null) {
            fields.remove("default");
        }
        // Every number of JSON is one.
        if fields
            .get("format")
            .is_some_and(|format| format == "double" || format == "float")
        {
            fields.remove("format");
        }
        let is_list = types_of(fields).contains(&"array");
        if is_list && !fields.contains_key("items") {
            fields.insert("items".to_owned(), json!({}));
        }
        listed(fields);
    }
}

/// Moves the defaults of optional fields into their descriptions: some generators require each field that has one.
pub(super) fn describe_defaults(schema: &mut Value) {
    let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    choices.into_iter().flatten().for_each(describe_defaults);
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for field in fields
        .into_iter()
        .flat_map(Map::values_mut)
        .filter_map(Value::as_object_mut)
    {
        let Some(default) = field.remove("default") else {
            continue;
        };
        let is_nothing = [json!(false), json!(""), json!([]), json!({})].contains(&default);
        if !is_nothing {
            let about = field.get("description").and_then(Value::as_str);
            let about = format!("{} Default: {default}.", about.unwrap_or_default());
            field.insert("description".to_owned(), about.trim_start().into());
        }
    }
}

/// A schema of another source in the same form.
pub(super) fn plain(schema: Value) -> Value {
    let Ok(mut schema) = Schema::try_from(schema) else {
        return json!({});
    };
    Plain.transform(&mut schema);
    schema.to_value()
}

/// Lists the words of alternatives in one `enum`; their meanings go into the description.
fn listed(fields: &mut Map<String, Value>) {
    let Some(words) = words_of(fields).filter(|_| fields.contains_key("oneOf")) else {
        return;
    };
    let words: Vec<Value> = words.into_iter().cloned().collect();
    let choices = fields.remove("oneOf");
    let mut about: Vec<String> = Vec::new();
    about.extend(fields["description"].as_str().map(str::to_owned));
    for choice in choices
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        if let (Some(word), Some(means)) =
            (choice["const"].as_str(), choice["description"].as_str())
        {
            about.push(format!("`{word}`: {means}"));
        }
    }
    fields.insert("type".to_owned(), "string".into());
    fields.insert("enum".to_owned(), words.into());
    if !about.is_empty() {
        fields.insert("description".to_owned(), about.join(" ").into());
    }
}

/// Gives a name to each alternative that is an object with a fixed word: that of the whole, and the word.
pub(super) fn name_choices(schemas: &mut Map<String, Value>) {
    let mut found = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(choices) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        for choice in choices {
            let words = choice["properties"].as_object().into_iter().flatten();
            let word = words
                .filter_map(|(_, field)| field["const"].as_str())
                .next();
            if let Some(word) = word {
                let own = format!("{name}{}", capitalized(word));
                found.push((own.clone(), std::mem::replace(choice, reference(&own))));
            }
        }
    }
    schemas.extend(found);
}

fn capitalized(word: &str) -> String {
    let part = |part: &str| {
        let (first, rest) = part.split_at(1.min(part.len()));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    };
    word.split('_').map(part).collect()
}

/// Refers to the named list of words wherever a schema repeats its words.
pub(super) fn name_words(schemas: &mut Map<String, Value>) {
    let lists = schemas.iter().filter_map(|(name, schema)| {
        let words = schema.get("enum")?;
        Some((words.clone(), name.clone()))
    });
    let lists: Vec<(Value, String)> = lists.collect();
    for schema in schemas.values_mut() {
        let is_list = schema.get("enum").is_some();
        if !is_list {
            refer_words(schema, &lists);
        }
    }
}

fn refer_words(schema: &mut Value, lists: &[(Value, String)]) {
    match schema {
        Value::Object(fields) => {
            let known = fields.get("enum").and_then(|words| {
                let known = lists.iter().find(|(list, _)| list == words)?;
                Some(known.1.clone())
            });
            if let Some(name) = known {
                fields.remove("enum");
                fields.remove("type");
                fields.insert("$ref".to_owned(), reference(&name)["$ref"].take());
            }
            fields.values_mut().for_each(|it| refer_words(it, lists));
        }
        Value::Array(items) => items.iter_mut().for_each(|it| refer_words(it, lists)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_take_every_form() {
        for (schema, expected) in [
            (json!(true), json!({})),
            (
                json!({"type": ["array", "null"]}),
                json!({"type": ["array", "null"], "items": {}}),
            ),
            (
                json!({"description": "How.", "oneOf": [{"const": "a", "description": "One."}, {"const": "b"}]}),
                json!({"description": "How. `a`: One.", "type": "string", "enum": ["a", "b"]}),
            ),
            (
                json!({"type": "number", "format": "double", "default": null}),
                json!({"type": "number"}),
            ),
        ] {
            assert_eq!(plain(schema), expected);
        }
    }

    #[test]
    fn alternatives_and_lists_of_words_have_names() {
        let word = json!({"type": "string", "enum": ["a", "b"]});
        let choice =
            json!({"type": "object", "properties": {"op": {"const": "ADD"}, "kind": word}});
        let mut schemas = Map::new();
        schemas.insert("Kind".to_owned(), word);
        schemas.insert("Change".to_owned(), json!({"oneOf": [choice]}));
        name_choices(&mut schemas);
        name_words(&mut schemas);
        assert_eq!(schemas["Change"]["oneOf"][0], reference("ChangeAdd"));
        assert_eq!(
            schemas["ChangeAdd"]["properties"]["kind"],
            reference("Kind")
        );
    }

    #[test]
    fn a_default_is_described_and_its_field_may_be_left_out() {
        let mut schema = json!({"properties": {
            "limit": {"type": "integer", "default": 20, "description": "At most this many."},
            "off": {"type": "boolean", "default": false},
        }});
        describe_defaults(&mut schema);
        let expected = json!({"properties": {
            "limit": {"type": "integer", "description": "At most this many. Default: 20."},
            "off": {"type": "boolean"},
        }});
        assert_eq!(schema, expected);
    }
}
