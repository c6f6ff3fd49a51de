//! Data of the original programs: files of several learners, times of use, and playbooks in both directions.

use serde_json::{Value, json};

use crate::world::World;

fn shared_file(world: &World) -> String {
    let bullet = |content: &str, learner: &str, scope: Value| json!({"content": content, "learner_id": learner, "context_scope_id": scope});
    let text = json!({"access_clock": 3, "bullets": [
        bullet("alice plays the opening slowly", "alice", json!("chess")),
        bullet("alice reads the statute first", "alice", json!("law")),
        bullet("bob labels the samples", "bob", Value::Null),
    ]});
    world.file("ace_memory.json", text.to_string())
}

#[test]
fn a_file_of_several_learners_is_refused_with_counts_and_split_on_request() {
    let world = World::seeded();
    let file = shared_file(&world);
    let message = world.refused(&["import", &file], b"", "several_memories");
    assert!(
        message.contains("3 memories") && message.contains("`alice/chess` 1"),
        "{message}"
    );
    assert!(world.run(&["import", &file]).err.contains("--split"));
    let split = world.json(&format!("import --split {file}"));
    assert_eq!((&split["added"], &split["read"]), (&json!(3), &json!(3)));
    let files = split["files"].as_array().unwrap();
    let memories: Vec<&str> = files
        .iter()
        .map(|one| one["memory"].as_str().unwrap())
        .collect();
    assert_eq!(memories, ["alice/chess", "alice/law", "bob/default"]);
    let law = world.run(&["bullets", "list", "--learner", "alice", "--scope", "law"]);
    assert!(
        law.out.contains("statute") && !law.out.contains("opening"),
        "{law:?}"
    );
    let again = world.json(&format!("import --split {file}"));
    assert_eq!(again["files"][0]["outcome"], "repeated", "{again}");
    let together = World::new();
    let one = together.json(&format!("import --together {}", shared_file(&together)));
    assert_eq!(
        (&one["added"], &one["foreign_learners"]),
        (&json!(3), &json!(3))
    );
}

#[test]
fn the_variable_of_the_original_names_the_file_of_an_import_without_a_format() {
    let mut world = World::new();
    let text = json!({"access_clock": 1, "bullets": [{"content": "check the seal"}]});
    let file = world.file("ace_memory.json", text.to_string());
    world.set("ACE_MEMORY_FILE", &file);
    assert_eq!(world.json("import")["added"], 1);
}

#[test]
fn a_session_playbook_keeps_its_times_of_use_on_the_way_in_and_out() {
    let world = World::new();
    let text = json!({"strategies": {"fil-00000": {"id": "fil-00000",
        "category": "file_operations", "content": "List before reading", "helpful_count": 4,
        "harmful_count": 1, "neutral_count": 2, "created_at": "2025-10-23T09:00:00",
        "last_used": "2025-10-24T10:00:00"}}, "next_id": 1});
    let file = world.file("playbook.json", text.to_string());
    world.json(&format!("import {file}"));
    let shown = world.json("bullets show fil-00000");
    assert_eq!(shown["last_used"], "2025-10-24T10:00:00.000Z");
    let out = world.run(&["export", "--format", "session-playbook"]).out;
    let written: Value = serde_json::from_str(&out).unwrap();
    let strategy = &written["strategies"]["fil-00000"];
    assert_eq!(strategy["last_used"], "2025-10-24T10:00:00.000");
    assert_eq!(
        (&strategy["category"], &strategy["neutral_count"]),
        (&json!("file_operations"), &json!(2))
    );
    let kayba = world.run(&["export", "--format", "kayba"]).out;
    let kayba: Value = serde_json::from_str(&kayba).unwrap();
    assert_eq!(kayba["bullets"]["fil-00000"]["helpful"], 4);
    assert_eq!(kayba["sections"]["file_operations"], json!(["fil-00000"]));
}
