//! Worked examples of operations as sent by agents, good and bad.

use serde_json::{Value, json};

use super::*;

/// The stored form of a parsed operation.
fn stored(value: Value) -> Value {
    serde_json::to_value(read(value)).unwrap()
}

#[test]
fn operations_are_read_in_either_shape() {
    for (sent, expected) in [
        (
            json!({"op": "add", "content": "x", "tags": ["a"], "helpful": 2, "section": null}),
            json!({"op": "ADD", "content": "x", "tags": ["a"], "helpful": 2}),
        ),
        (
            json!({"type": " Add ", "section": "Errors", "content": "x", "bullet_id": "err-00001",
                   "metadata": {"helpful": 1, "neutral": 2}}),
            json!({"op": "ADD", "section": "Errors", "content": "x", "legacy_id": "err-00001",
                   "helpful": 1, "neutral": 2}),
        ),
        (
            json!({"type": "ADD", "section": "S", "content": "x", "bullet_id": "", "metadata": {}}),
            json!({"op": "ADD", "section": "S", "content": "x"}),
        ),
        (
            json!({"type": "update", "bullet_id": "e-1", "content": "y", "metadata": {"helpful": 0}}),
            json!({"op": "UPDATE", "id": "e-1", "content": "y", "helpful": 0}),
        ),
        (
            json!({"type": "TAG", "section": "S", "content": "", "bullet_id": "e-1",
                   "metadata": {"helpful": -9}}),
            json!({"op": "TAG", "id": "e-1", "helpful": -9}),
        ),
        (
            json!({"op": "TAG", "id": "#0", "helpful_count": 1}),
            json!({"op": "TAG", "id": "#0", "helpful": 1}),
        ),
        (
            json!({"type": "REMOVE", "section": "S", "bullet_id": "e-1", "content": null}),
            json!({"op": "REMOVE", "id": "e-1"}),
        ),
        (
            json!({"op": "REJECT", "id": "b_1", "reason": "wrong"}),
            json!({"op": "REJECT", "id": "b_1", "reason": "wrong"}),
        ),
        (
            json!({"op": "PIN", "id": "b_1"}),
            json!({"op": "PIN", "id": "b_1", "on": true}),
        ),
        (
            json!({"op": "POLICY", "floor": 0.1, "max_bullets": null}),
            json!({"op": "POLICY", "floor": 0.1, "max_bullets": null}),
        ),
    ] {
        assert_eq!(stored(sent.clone()), expected, "{sent}");
    }
}

#[test]
fn an_operation_without_a_known_word_or_text_is_refused() {
    assert_reasons(&[
        (json!(null), vec!["an object, not null"]),
        (json!({}), vec!["does not say what to do"]),
        (json!({"op": 3}), vec!["`op` must be a text"]),
        (
            json!({"op": "ADDD", "content": "x"}),
            vec!["did you mean `ADD`"],
        ),
        (
            json!({"op": "RESTORE", "id": "b_1"}),
            vec!["not an operation"],
        ),
        (json!({"op": "INSERT"}), vec!["not an operation"]),
        (json!({"op": "LINK"}), vec!["not an operation"]),
        (
            json!({"op": "MALFORMED", "reason": "x"}),
            vec!["not an operation"],
        ),
        (json!({"op": "ADD"}), vec!["`content` is missing"]),
        (
            json!({"op": "ADD", "content": null}),
            vec!["`content` is missing"],
        ),
        (
            json!({"op": "ADD", "content": 5, "helpful": -1, "tagz": []}),
            vec![
                "must be a text",
                "is -1; it must be 0 or more",
                "did you mean `tags`",
            ],
        ),
        (
            json!({"op": "ADD", "content": "x", "id": "b_1"}),
            vec!["`id` is not a field"],
        ),
        (
            json!({"op": "ADD", "content": "x", "memory_type": "muscle"}),
            vec!["semantic, episodic, procedural"],
        ),
    ]);
}

#[test]
fn a_wrong_field_or_count_is_named() {
    assert_reasons(&[
        (
            json!({"op": "UPDATE", "content": "x"}),
            vec!["`id` is missing"],
        ),
        (
            json!({"op": "UPDATE", "id": "b_1", "helpful": -2}),
            vec!["0 or more"],
        ),
        (json!({"op": "TAG", "id": 7}), vec!["`id` must be a text"]),
        (json!({"op": "TAG", "id": " "}), vec!["`id` is empty"]),
        (
            json!({"op": "TAG", "id": "b_1", "good": 1}),
            vec!["`good`", "harmful, helpful, id, neutral"],
        ),
        (
            json!({"op": "TAG", "id": "b_1", "helpful": 1.5}),
            vec!["whole number"],
        ),
        (
            json!({"type": "TAG", "bullet_id": "e", "metadata": {"good": 1}}),
            vec!["`good` is not a count", "helpful, harmful, neutral"],
        ),
        (
            json!({"type": "TAG", "bullet_id": "e", "metadata": [1]}),
            vec!["`metadata` must be"],
        ),
        (
            json!({"op": "TAG", "id": "b", "helpful": 1, "metadata": {"helpful": 1}}),
            vec!["given twice"],
        ),
        (
            json!({"op": "TAG", "id": "a", "bullet_id": "b"}),
            vec!["say the same"],
        ),
        (
            json!({"type": "REMOVE", "bullet_id": "e", "metadata": {"helpful": 1}}),
            vec!["`helpful`"],
        ),
        (
            json!({"op": "PIN", "id": "b_1", "on": 1}),
            vec!["true or false"],
        ),
        (
            json!({"op": "POLICY", "flor": 1}),
            vec!["did you mean `floor`"],
        ),
        (json!({"op": "POLICY"}), vec!["names no policy field"]),
    ]);
}

/// Asserts that each operation is malformed, with all given words in its reason.
fn assert_reasons(cases: &[(Value, Vec<&str>)]) {
    for (sent, words) in cases {
        let Operation::Malformed(found) = read(sent.clone()) else {
            panic!("{sent} was read");
        };
        for word in words {
            assert!(found.reason.contains(word), "{sent}: {}", found.reason);
        }
    }
}

/// A value that a schema of a field accepts.
fn sample(schema: &Value) -> Value {
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    let words = choices.chain([schema]).find_map(|one| one["enum"].get(0));
    if let Some(word) = words {
        return word.clone();
    }
    let types = [&schema["type"], &schema["type"][0]];
    match types.into_iter().find_map(Value::as_str) {
        Some("string") if schema["format"] == "date-time" => json!("2026-01-31T12:00:00.000Z"),
        Some("string") => json!("x"),
        Some("array") => json!([sample(&schema["items"])]),
        Some("boolean") => json!(true),
        Some("integer") => json!(1),
        Some("number") => json!(1.0),
        // The examples of a field of the policy are its default.
        _ => schema["examples"][0].clone(),
    }
}

#[test]
fn the_reader_takes_the_fields_of_the_schema_and_no_others() {
    let fields = |schema: &Value| schema["properties"].as_object().cloned().unwrap();
    let all: Map<String, Value> = alternatives().flat_map(|(_, one)| fields(one)).collect();
    let mut known = Vec::new();
    for (word, schema) in alternatives() {
        let own = fields(schema);
        let mut whole: Map<String, Value> = own
            .iter()
            .map(|(name, field)| (name.clone(), sample(field)))
            .collect();
        whole.insert("op".to_owned(), word.into());
        // No field is lost on the way to the domain, in which flags and counts are stored unless they are 0.
        assert_eq!(
            stored(Value::Object(whole.clone())),
            Value::Object(whole.clone())
        );
        let mut needed = schema["required"].as_array().cloned().unwrap();
        needed.sort_by_key(|name| name != "op");
        known.push(format!("{word}: {}", json!(needed)));
        for name in all.keys().filter(|name| !own.contains_key(*name)) {
            let mut more = whole.clone();
            more.insert(name.clone(), sample(&all[name]));
            let read = read(Value::Object(more));
            let is_named = |reason: &str| reason.contains(&format!("`{name}` is not a field"));
            assert!(
                matches!(&read, Operation::Malformed(found) if is_named(&found.reason)),
                "{word}: `{name}`: {read:?}"
            );
        }
        for (name, field) in own.iter().filter(|_| word != "POLICY") {
            let about = field["description"].as_str().unwrap_or_default();
            assert!(name == "op" || about.ends_with('.'), "{word}: `{name}`");
        }
    }
    assert_eq!(
        known,
        [
            r#"ADD: ["op","content"]"#,
            r#"UPDATE: ["op","id"]"#,
            r#"TAG: ["op","id"]"#,
            r#"REMOVE: ["op","id"]"#,
            r#"REJECT: ["op","id"]"#,
            r#"PIN: ["op","id"]"#,
            r#"POLICY: ["op"]"#,
        ]
    );
}
