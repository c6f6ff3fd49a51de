//! Messages of the check, and its support for every keyword of our schemas.

use serde_json::json;

use super::*;
use crate::patterns::{LINE, MOMENT, NAME, OBJECT, SUBJECT};

/// Keywords that describe a value without bounding it.
const WORDS_ONLY: [&str; 5] = ["title", "description", "default", "examples", "deprecated"];

/// Patterns that the check or the reader of a text enforces.
const PATTERNS: [&str; 7] = [NOT_BLANK, TEXT, LINE, NAME, SUBJECT, OBJECT, MOMENT];

/// Keywords enforced by the check.
const ENFORCED: [&str; 15] = [
    "type",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
];

/// Lists keywords of a schema that are documented but not enforced.
pub(crate) fn unknown_keywords(schema: &Value) -> Vec<String> {
    let Some(object) = schema.as_object() else {
        return Vec::new();
    };
    let mut unknown = Vec::new();
    for (keyword, value) in object {
        match keyword.as_str() {
            "properties" => {
                let properties = value.as_object().into_iter().flat_map(Map::values);
                unknown.extend(properties.flat_map(unknown_keywords));
            }
            "oneOf" | "anyOf" => {
                let choices = value.as_array().into_iter().flatten();
                unknown.extend(choices.flat_map(unknown_keywords));
            }
            "items" | "additionalProperties" => unknown.extend(unknown_keywords(value)),
            "format" if value == TIME => {}
            // Width of a number, which its reader rounds to.
            "format" if value == "double" || value == "float" => {}
            "pattern" if PATTERNS.iter().any(|known| value == known) => {}
            other if WORDS_ONLY.contains(&other) || ENFORCED.contains(&other) => {}
            other => unknown.push(other.to_owned()),
        }
    }
    unknown
}

/// Asserts that a value has exactly this fault.
fn breaks(schema: &Value, mut value: Value, said: &str) {
    let faults = faults(schema, &mut value);
    assert_eq!(faults, [format!("the request {said}")], "{schema}");
}

#[test]
fn a_type_says_what_it_wants() {
    for (schema, value, said) in [
        (
            json!({"type": "string"}),
            json!(1),
            "must be a text, not the number 1",
        ),
        (
            json!({"type": ["integer", "null"]}),
            json!("3"),
            "must be a whole number, not the text `3`",
        ),
        (
            json!({"type": "integer"}),
            json!(1.5),
            "must be a whole number, not the number 1.5",
        ),
        (
            json!({"type": "boolean"}),
            json!("yes"),
            "must be true or false, not the text `yes`",
        ),
        (
            json!({"enum": ["a", "b"]}),
            json!("c"),
            "is `c`, which is not one of a, b",
        ),
        (
            json!({"oneOf": [{"const": "a"}, {"const": "b"}]}),
            json!(1),
            "must be one of a, b, not the number 1",
        ),
        (
            json!({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
            json!("b"),
            "is `b`, which is not one of a",
        ),
        (
            json!({"type": "object"}),
            json!([]),
            "must be an object, not a list",
        ),
    ] {
        breaks(&schema, value, said);
    }
}

#[test]
fn a_bound_says_what_it_allows() {
    for (schema, value, said) in [
        (
            json!({"type": "string", "minLength": 1}),
            json!(""),
            "is empty",
        ),
        (
            json!({"type": "string", "maxLength": 2}),
            json!("abc"),
            "has 3 characters; the limit is 2",
        ),
        (
            json!({"type": "integer", "minimum": 0}),
            json!(-1),
            "is -1; it must be 0 or more",
        ),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 9}),
            json!(10),
            "is 10; it must lie in 1..=9",
        ),
        (
            json!({"type": "number", "maximum": 1}),
            json!(1.01),
            "is 1.01; it must be 1 or less",
        ),
        (
            json!({"type": "array", "maxItems": 1}),
            json!([1, 2]),
            "has 2 entries; the limit is 1",
        ),
        (
            json!({"type": "string", "pattern": NOT_BLANK}),
            json!(" "),
            "is empty",
        ),
        (
            json!({"type": "string", "format": TIME}),
            json!("soon"),
            "is the text `soon`; it must be a time like 2026-01-31T12:00:00.000Z",
        ),
    ] {
        breaks(&schema, value, said);
    }
}

#[test]
fn what_matches_has_no_fault() {
    for (schema, value) in [
        (json!(true), json!([1])),
        (
            json!({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
            json!(null),
        ),
        (
            json!({"type": "integer", "maximum": u64::MAX}),
            json!(u64::MAX),
        ),
    ] {
        assert_eq!(faults(&schema, &mut value.clone()), [""; 0], "{schema}");
    }
}

#[test]
fn all_faults_are_listed_with_their_places() {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["query"],
        "properties": {
            "query": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "place": {"type": "object", "additionalProperties": false, "properties": {"task": {"type": "string"}}},
        },
    });
    let mut value = json!({"qeury": "x", "tags": ["a", 1], "place": {"tusk": 1}});
    assert_eq!(
        faults(&schema, &mut value),
        [
            "`tusk` is not a field of `place`; did you mean `task`",
            "`qeury` is not a field here; did you mean `query`",
            "`tags[1]` must be a text, not the number 1",
            "`query` is missing",
        ]
    );
}

#[test]
fn a_whole_number_may_be_written_with_a_fraction_of_zero() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}, "x": {"type": "number"}}});
    let mut value = json!({"n": 5.0, "x": 5.0});
    assert!(faults(&schema, &mut value).is_empty());
    assert_eq!(value.to_string(), r#"{"n":5,"x":5.0}"#);
}

#[test]
fn a_field_may_be_named_in_camel_case_or_as_in_the_original_programs() {
    let schema = json!({"type": "object", "additionalProperties": false, "properties": {
        "conversation_id": {"type": "string"}, "evidence": {"type": "integer"}}});
    let mut value = json!({"conversationId": "c", "evidence_count": 3.0});
    assert_eq!(faults(&schema, &mut value), Vec::<String>::new());
    assert_eq!(value, json!({"conversation_id": "c", "evidence": 3}));
    for unclear in [
        json!({"conversationId": "c", "conversation_id": "d"}),
        json!({"conversationIds": "c"}),
        json!({"conversationId": 5}),
    ] {
        assert_eq!(faults(&schema, &mut unclear.clone()).len(), 1, "{unclear}");
    }
}
