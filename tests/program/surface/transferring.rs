//! Memories as text through `call`: exported, imported, looked at first, and erased by name.

use serde_json::{Value, json};

use crate::world::World;

fn call(world: &World, verb: &str, request: &Value) -> Value {
    let ran = world.run(&["call", verb, &request.to_string(), "--yes"]);
    assert_eq!(ran.code, 0, "{verb}: {ran:?}");
    ran.document()
}

fn exported(world: &World, request: &Value) -> String {
    let answer = call(world, "memory.export", request);
    let text = answer["text"].as_str().unwrap().to_owned();
    assert_eq!(answer["bytes"], text.len());
    text
}

#[test]
fn the_text_of_an_export_is_that_of_the_command_and_comes_back_equal() {
    let world = World::seeded();
    for format in [
        "hindlore",
        "classic",
        "ace-playbook",
        "kayba",
        "session-playbook",
    ] {
        let ran = world.run(&["export", "--format", format]);
        assert_eq!(exported(&world, &json!({ "format": format })), ran.out);
    }
    let text = exported(&world, &json!({}));
    let there = World::new();
    let answer = call(&there, "memory.import", &json!({ "text": text }));
    assert_eq!(answer["outcome"], "applied", "{answer}");
    let content = |world: &World| world.json("digest")["content_digest"].clone();
    assert_eq!(content(&there), content(&world));
}

#[test]
fn a_dry_run_gives_the_answer_of_the_import_and_writes_nothing() {
    let text = "[a-00001] helpful=1 harmful=0 :: check the oil\n[a-00002] check the water";
    let request = json!({"text": text, "dry_run": true});
    let world = World::seeded();
    let before = world.digest();
    let mut foreseen = call(&world, "memory.import", &request);
    assert_eq!(world.digest(), before);
    assert_eq!(foreseen["dry_run"].take(), true);
    assert_eq!(foreseen["added"], 2);
    let mut done = call(&world, "memory.import", &json!({ "text": text }));
    assert_ne!(world.digest(), before);
    assert!(done.get("dry_run").is_none());
    for answer in [&mut foreseen, &mut done] {
        // New bullets bear the moment of their import.
        for fresh in ["digest", "dry_run"] {
            answer.as_object_mut().unwrap().remove(fresh);
        }
    }
    assert_eq!(foreseen, done);

    let empty = World::new();
    let foreseen = call(&empty, "memory.import", &request);
    assert_eq!(
        (&foreseen["added"], &foreseen["revision"]),
        (&json!(2), &json!(1))
    );
    let listed = empty.run(&["memory", "list", "--json"]);
    assert_eq!(
        (listed.code, &listed.document()["memories"]),
        (1, &json!([]))
    );
}

#[test]
fn a_dry_run_of_the_command_says_so_and_makes_no_store() {
    let world = World::new();
    let file = world.file("book.txt", "[a-00001] check the oil");
    let words = ["import", "--format", "ace-playbook", &file, "--dry-run"];
    let ran = world.run(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("nothing was written"), "{ran:?}");
    assert!(!std::fs::exists(world.store()).unwrap());
    let document = world.run(&[&words[..], &["--json"]].concat()).document();
    assert_eq!(
        (&document["dry_run"], &document["added"]),
        (&json!(true), &json!(1))
    );
    let lessons = [
        "import",
        "--format",
        "classic-lessons",
        &file,
        "--dry-run",
        "--json",
    ];
    let ran = world.run(&lessons);
    assert!(ran.problem("invalid_usage").contains("--dry-run"));
}

#[test]
fn records_are_taken_once_and_what_is_left_out_is_told() {
    let world = World::seeded();
    let records = json!([
        {"content": "count the bolts", "tags": ["bolts"], "helpful": 2},
        {"content": "count the bolts"},
        {"content": 7},
        {"content": "oil the chain", "colour": "red"},
        "words",
    ]);
    let request = json!({ "records": records });
    let said = world.refused(
        &["call", "memory.import", &request.to_string()],
        b"",
        "bad_records",
    );
    for part in [
        "3 of 5 records",
        "line 3",
        "line 4: ADD: `colour`",
        "line 5",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let request = json!({"records": records, "skip_bad": true});
    let answer = call(&world, "memory.import", &request);
    assert_eq!(answer["read"], 5);
    assert_eq!(
        (&answer["added"], &answer["merged"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(answer["skipped"].as_array().unwrap().len(), 3);
    let before = world.digest();
    let again = call(&world, "memory.import", &request);
    assert_eq!(again["repeated"], true);
    assert_eq!(world.digest(), before);
}

#[test]
fn a_format_is_told_from_the_text_or_asked_for() {
    let world = World::seeded();
    let kayba = json!({"bullets": {"a-1": {"content": "mind the gap"}}, "next_id": 1});
    let answer = call(&world, "memory.import", &json!({"text": kayba.to_string()}));
    assert_eq!(answer["added"], 1);
    for (request, code, words) in [
        (json!({"text": "plain words"}), "unknown_format", "kayba"),
        (
            json!({"text": r#"{"lesson": "x"}"#}),
            "unknown_format",
            "lessons",
        ),
        (json!({}), "invalid_usage", "records"),
        (
            json!({"text": "x", "records": []}),
            "invalid_usage",
            "records",
        ),
        (
            json!({"records": [], "format": "kayba"}),
            "invalid_usage",
            "records",
        ),
        (
            json!({"text": "x", "format": "kaiba"}),
            "invalid_request",
            "kayba",
        ),
    ] {
        let said = world.refused(&["call", "memory.import", &request.to_string()], b"", code);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_is_erased_must_be_named() {
    let world = World::seeded();
    let before = world.digest();
    for (verb, request, code) in [
        (
            "memory.erase",
            json!({"learner": "other", "scope": "default"}),
            "needs_consent",
        ),
        (
            "memory.erase",
            json!({"learner": "default", "scope": "other"}),
            "needs_consent",
        ),
        (
            "memory.erase",
            json!({"learner": "default"}),
            "invalid_request",
        ),
        (
            "learner.erase",
            json!({"learner": "other"}),
            "needs_consent",
        ),
        ("learner.erase", json!({}), "invalid_request"),
    ] {
        let request = request.to_string();
        world.refused(&["call", verb, &request, "--yes"], b"", code);
    }
    let named = json!({"learner": "default"}).to_string();
    world.refused(&["call", "learner.erase", &named], b"", "needs_consent");
    assert_eq!(world.digest(), before);
    let answer = call(&world, "learner.erase", &json!({"learner": "default"}));
    assert_eq!(answer["memories"], 1);
}
