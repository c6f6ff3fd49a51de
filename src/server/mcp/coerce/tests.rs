//! Arguments in the forms in which clients send them.

use serde_json::json;

use super::*;
use crate::mcp::schema;
use hindlore_api::catalog;

fn schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["query"],
        "properties": {
            "query": {"type": "string"},
            "top_k": {"type": "integer"},
            "share": {"type": ["number", "null"]},
            "strict": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "numbers": {"type": "array", "items": {"type": "integer"}},
            "form": {"anyOf": [{"type": "string", "enum": ["short", "none"]}, {"type": "null"}]},
            "kind": {"type": "string", "enum": ["fact", "rule"]},
            "action": {"type": ["string", "object", "array", "null"]},
            "any": {},
            "steps": {"type": "array", "items": {"type": "object", "properties": {
                "step": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}, "error": {}}}},
            "place": {"type": "object", "properties": {"line": {"type": "integer"}}},
        },
    })
}

#[track_caller]
fn reads(given: Value, expected: Value) {
    let mut given = json!({ "query": "q" })
        .as_object()
        .cloned()
        .map(|mut fields| {
            fields.extend(given.as_object().cloned().unwrap_or_default());
            fields
        });
    let mut wanted = expected;
    if wanted.get("query").is_none() {
        wanted["query"] = json!("q");
    }
    let fields = given.as_mut().unwrap();
    read(&schema(), false, fields);
    assert_eq!(Value::Object(fields.clone()), wanted);
}

#[test]
fn texts_for_numbers_flags_lists_and_objects_are_read() {
    reads(json!({"top_k": " 5 "}), json!({"top_k": 5}));
    reads(json!({"top_k": "5.0"}), json!({"top_k": 5.0}));
    reads(json!({"share": "0.9"}), json!({"share": 0.9}));
    reads(json!({"strict": "True"}), json!({"strict": true}));
    reads(
        json!({"tags": "[\"a\",\"b\"]"}),
        json!({"tags": ["a", "b"]}),
    );
    reads(json!({"tags": "[]"}), json!({"tags": []}));
    reads(json!({"numbers": "[1, \"2\"]"}), json!({"numbers": [1, 2]}));
    reads(
        json!({"place": "{\"line\": \"7\"}"}),
        json!({"place": {"line": 7}}),
    );
    reads(
        json!({"steps": "[{\"step\": \"1\", \"tags\": \"a\", \"error\": \"7\"}]"}),
        json!({"steps": [{"step": 1, "tags": ["a"], "error": "7"}]}),
    );
    reads(
        json!({"steps": "[{\"error\": \"\\ud83d\"}]"}),
        json!({"steps": [{"error": "\u{fffd}"}]}),
    );
}

#[test]
fn one_for_a_list_and_a_number_for_a_text_are_read() {
    reads(json!({"tags": "paths"}), json!({"tags": ["paths"]}));
    reads(
        json!({"tags": "[WIP] paths"}),
        json!({"tags": ["[WIP] paths"]}),
    );
    reads(
        json!({"tags": "{\"a\": 1}"}),
        json!({"tags": ["{\"a\": 1}"]}),
    );
    reads(json!({"tags": 5}), json!({"tags": ["5"]}));
    reads(json!({"numbers": 3}), json!({"numbers": [3]}));
    reads(
        json!({"steps": {"step": 1}}),
        json!({"steps": [{"step": 1}]}),
    );
    reads(json!({"query": 404}), json!({"query": "404"}));
    reads(json!({"kind": " Fact "}), json!({"kind": "fact"}));
}

#[test]
fn what_is_left_out_is_removed_and_free_texts_stay() {
    for absent in [json!(null), json!(""), json!("null"), json!("None")] {
        let given = json!({"top_k": absent, "strict": absent, "tags": absent, "kind": absent, "place": absent});
        reads(given, json!({}));
    }
    reads(json!({"form": "none"}), json!({"form": "none"}));
    reads(json!({"form": ""}), json!({}));
    reads(json!({"share": null}), json!({"share": null}));
    for free in ["", "null", "{\"a\": 1}", "[1]", "5", "true"] {
        reads(
            json!({"query": free, "action": free, "any": free}),
            json!({"query": free, "action": free, "any": free}),
        );
    }
}

#[test]
fn what_is_not_clear_stays_for_the_check() {
    for unclear in [
        json!({"top_k": "five"}),
        json!({"top_k": true}),
        json!({"top_k": "NaN"}),
        json!({"strict": "maybe"}),
        json!({"strict": 1}),
        json!({"numbers": "a"}),
        json!({"steps": "tar xf"}),
        json!({"steps": "[1]"}),
        json!({"place": "[]"}),
        json!({"kind": "feeling"}),
        json!({"query": null}),
        json!({"query": ["a"]}),
        json!({"topk": 5}),
    ] {
        reads(unclear.clone(), unclear);
    }
}

#[test]
fn fields_of_clients_are_passed_over_and_slips_are_not() {
    let pass = |is_strict, given: Value| {
        let mut fields = given.as_object().cloned().unwrap();
        let passed = read(&schema(), is_strict, &mut fields);
        (passed, fields.keys().cloned().collect::<Vec<_>>())
    };
    let names = |names: &[&str]| {
        names
            .iter()
            .map(|one| (*one).to_owned())
            .collect::<Vec<_>>()
    };
    let given =
        json!({"query": "q", "random_string": "x", "_meta": {}, "purpose": "x", "tag": "x"});
    let left = names(&["query", "tag"]);
    assert_eq!(
        pass(false, given.clone()),
        (names(&["_meta", "purpose", "random_string"]), left)
    );
    // It may be meant to narrow the destruction.
    let left = names(&["purpose", "query", "tag"]);
    assert_eq!(
        pass(true, given),
        (names(&["_meta", "random_string"]), left)
    );
    // One may be meant for the field that is missing.
    assert_eq!(
        pass(false, json!({"text": "q"})),
        (vec![], names(&["text"]))
    );
}

#[test]
fn every_verb_takes_its_own_fields_as_text_and_fields_of_clients() {
    for verb in catalog::all() {
        let schema = schema::read(verb.request());
        let properties = schema["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        for (name, property) in &properties {
            let types = types(property);
            let given = match types.as_slice() {
                ["integer", ..] => "7",
                ["number", ..] => "0.5",
                ["boolean", ..] => "true",
                ["array", ..] => "[]",
                ["object", ..] => "{}",
                _ => continue,
            };
            let mut fields = Map::from_iter([(name.clone(), given.into())]);
            read(&schema, true, &mut fields);
            let is_read = fields[name].as_str().is_none();
            assert!(is_read, "{}: `{name}` {types:?}", verb.name);
        }
        let mut fields = Map::new();
        for name in OF_CLIENTS
            .iter()
            .filter(|name| !properties.contains_key(**name))
        {
            fields.insert((*name).to_owned(), "x".into());
        }
        read(&schema, true, &mut fields);
        assert!(fields.is_empty(), "{}: {fields:?}", verb.name);
    }
}
