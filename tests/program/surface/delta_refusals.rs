//! Deltas that are refused: each with exit 2, a clear problem, and a memory that stays as it was.

use serde_json::{Value, json};

use crate::world::World;

const APPLY: [&str; 3] = ["delta", "apply", "-"];

fn refused(world: &World, delta: &Value, code: &str) -> String {
    world.refused(&APPLY, delta.to_string().as_bytes(), code)
}

#[test]
fn text_that_is_no_json_is_refused_with_its_place() {
    let world = World::seeded();
    let deep = "[".repeat(100_000);
    let deep_object = "{\"operations\":".repeat(5_000);
    let cases: [(&[u8], &str, &str); 7] = [
        (
            b"{\"operations\": [\n{\"op\" \"ADD\"}]}",
            "invalid_json",
            "line 2",
        ),
        (b"", "invalid_json", "line 1"),
        (deep.as_bytes(), "invalid_json", "recursion"),
        (deep_object.as_bytes(), "invalid_json", "recursion"),
        (
            b"{\"operations\":[{\"op\":\"ADD\",\"content\":\"\xff\"}]}",
            "not_text",
            "byte offset 38",
        ),
        (b"12", "invalid_delta", "object"),
        (
            b"{\"operation\":[]}",
            "invalid_delta",
            "did you mean `operations`",
        ),
    ];
    for (text, code, word) in cases {
        let message = world.refused(&APPLY, text, code);
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_field_that_stands_twice_is_refused_and_not_lost() {
    let world = World::seeded();
    for (text, word, line) in [
        (
            "{\"operations\": [\n{\"op\": \"ADD\", \"content\": \"first\",\n \"content\": \"second\"}]}",
            "`content`",
            "line 3",
        ),
        (
            "{\"operations\": [],\n\"operations\": [1]}",
            "`operations`",
            "line 2",
        ),
        (
            "{\"update_bullets\": {\"b_1\": {\"helpful\": 1},\n \"b_1\": {\"helpful\": 2}}}",
            "`b_1`",
            "line 2",
        ),
    ] {
        let message = world.refused(&APPLY, text.as_bytes(), "invalid_json");
        assert!(
            message.contains(word) && message.contains(line),
            "{message}"
        );
    }
    let playbook = r#"{"bullets": {}, "bullets": {}}"#;
    for format in ["classic", "kayba"] {
        let message = world.refused(
            &["import", "--format", format, "-"],
            playbook.as_bytes(),
            "wrong_format",
        );
        assert!(message.contains("`bullets` stands twice"), "{message}");
    }
}

#[test]
fn operations_that_cannot_be_are_refused_and_named() {
    let world = World::seeded();
    let long = "x".repeat(10_000_000);
    for (operation, word) in [
        (
            json!({"op": "TAG", "id": "b_00000000000000000000", "helpful": 1}),
            "b_0000",
        ),
        (
            json!({"op": "UPDATE", "id": "nobody", "topic": "x"}),
            "nobody",
        ),
        (json!({"op": "FLY", "id": "b_1"}), "FLY"),
        (
            json!({"op": "ADD", "content": "x", "colour": "red"}),
            "colour",
        ),
        (json!({"op": "TAG", "id": "b_1", "good": 1}), "good"),
        (
            json!({"op": "ADD", "content": "x", "memory_type": "secret"}),
            "secret",
        ),
        (json!({"op": "ADD", "content": ""}), "empty"),
        (json!({"op": "ADD", "content": " \n\t"}), "empty"),
        (json!({"op": "ADD", "content": long}), "16384"),
        (json!({"op": "ADD", "content": "a\u{7}b"}), "U+0007"),
        (json!({"op": "ADD", "content": "a\u{0}b"}), "U+0000"),
        (json!({"op": "ADD", "content": "x", "helpful": -1}), "-1"),
        (json!({"op": "ADD"}), "content"),
        (json!({"op": "POLICY", "floor": 7}), "floor"),
        (json!({"op": "POLICY", "flor": 0.1}), "flor"),
        (json!(null), "null"),
    ] {
        let message = refused(&world, &json!({"operations": [operation]}), "delta_refused");
        assert!(
            message.contains("operation 0") && message.contains(word),
            "{message}"
        );
        assert!(message.len() < 2_000, "{}", message.len());
    }
}

#[test]
fn a_count_cannot_become_negative() {
    let world = World::seeded();
    let id = world.json("retrieve pump --peek")["results"][0]["id"].clone();
    let delta = json!({"operations": [{"op": "TAG", "id": id, "helpful": -1}]});
    assert!(refused(&world, &delta, "delta_refused").contains("become -1"));
}

#[test]
fn a_delta_that_is_partly_bad_changes_nothing_and_lists_every_fault() {
    let world = World::seeded();
    let delta = json!({"operations": [
        {"op": "ADD", "content": "a good one"},
        {"op": "REMOVE", "id": "b_00000000000000000000"},
        {"op": "ADD", "content": "x", "taggs": []},
    ]});
    let message = refused(&world, &delta, "delta_refused");
    assert!(
        message.contains("operation 1") && message.contains("operation 2"),
        "{message}"
    );
}

#[test]
fn an_id_is_used_once_and_a_revision_must_be_the_present_one() {
    let world = World::seeded();
    let other = json!({"id": "d1", "operations": [{"op": "ADD", "content": "another body"}]});
    refused(&world, &other, "delta_id_reused");
    let late = json!({"operations": [{"op": "ADD", "content": "x"}], "expected_revision": 7});
    let message = refused(&world, &late, "wrong_revision");
    assert!(
        message.contains('7') && message.contains("revision 1"),
        "{message}"
    );
    let options = ["delta", "apply", "-", "--expect-revision", "0"];
    world.refused(
        &options,
        br#"{"operations":[{"op":"ADD","content":"x"}]}"#,
        "wrong_revision",
    );
    let options = ["delta", "apply", "-", "--id", " "];
    world.refused(&options, b"[]", "invalid_delta_id");
}
