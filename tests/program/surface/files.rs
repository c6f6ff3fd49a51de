//! Exports and imports: an export comes back in, and a file is replaced as a whole.

use std::fs;

use serde_json::{Value, json};

use crate::world::World;

#[test]
fn an_export_is_lines_of_json_with_the_manifest_first() {
    let world = World::seeded();
    world.apply(&json!({"operations": [
        {"op": "ADD", "content": "never close the valve after every run"}]}));
    let digest = world.digest();
    let out = world.run(&["export"]).out;
    let lines: Vec<Value> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines[0]["hindlore_export"], 1);
    assert_eq!(lines[0]["memory"]["learner"], "default");
    for field in ["revision", "clock", "digest"] {
        assert_eq!(lines[0][field], digest[field]);
    }
    let bullets = lines.iter().filter(|line| line.get("bullet").is_some());
    assert_eq!(bullets.count(), 7);
    let link = lines.iter().find_map(|line| line.get("link")).unwrap();
    assert_eq!(link["kind"], "CONFLICTS_WITH");
    assert!(link.get("from").is_some() && link.get("to").is_some() && link.get("reason").is_some());
}

#[test]
fn no_export_takes_the_place_of_a_store() {
    let world = World::seeded();
    let (digest, own) = (world.digest(), world.store());
    let other = world.path("other.db").display().to_string();
    world.json(&format!("migrate --from {own} --to {other}"));
    for target in [&own, &other] {
        for verb in [&["export"][..], &["analyze", "export"]] {
            let arguments = [&["--json"], verb, &[target.as_str()]].concat();
            let message = world.run(&arguments).problem("unwritten_output");
            assert!(message.contains("holds a store"), "{message}");
        }
    }
    assert_eq!(world.digest(), digest);
    assert_eq!(world.json(&format!("digest --store {other}")), digest);
}

#[test]
fn a_memory_comes_back_from_its_export() {
    let world = World::seeded();
    let content = world.digest()["content_digest"].clone();
    let file = world.path("a.jsonl").to_str().unwrap().to_owned();
    fs::write(&file, "what was there").unwrap();
    world.json(&format!("export {file}"));
    world.json("erase --learner default --yes");
    world.json(&format!("import --format hindlore {file}"));
    assert_eq!(world.digest()["content_digest"], content);
    assert_eq!(world.json("replay")["sound"], true);
    let names = fs::read_dir(world.path("")).unwrap();
    let parts = names.filter(|name| {
        let name = name.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".part")
    });
    assert_eq!(parts.count(), 0);
}

#[test]
fn a_classic_file_is_named_by_the_variable_of_the_original() {
    let mut world = World::new();
    let text = json!({"access_clock": 7, "bullets": [
        {"id": "abc", "content": "check the seal", "helpful_count": 2, "tags": ["procedural"]}]});
    let file = world.file("ace_memory.json", text.to_string());
    world.set("ACE_MEMORY_FILE", &file);
    let answer = world.json("import --format classic");
    assert_eq!((&answer["read"], &answer["added"]), (&json!(1), &json!(1)));
    let shown = world.json("bullets show abc");
    assert_eq!(
        (&shown["helpful"], &shown["legacy_id"]),
        (&json!(2), &json!("abc"))
    );
    let out = world.run(&["export", "--format", "classic"]).out;
    let classic: Value = serde_json::from_str(&out).unwrap();
    let ids = classic["bullets"].as_array().unwrap().iter();
    assert!(ids.map(|one| &one["id"]).any(|id| id == "abc"));
}

#[test]
fn a_binary_file_is_no_playbook() {
    let world = World::seeded();
    let file = world.file("a.bin", [b'#', b'#', 0, 1, 2]);
    for format in [
        "classic",
        "kayba",
        "ace-playbook",
        "session-playbook",
        "hindlore",
    ] {
        world.refused(&["import", "--format", format, &file], b"", "not_text");
    }
}

#[test]
fn an_import_beyond_the_limit_is_refused_before_it_begins() {
    let world = World::seeded();
    world.json("policy set max_bullets=6");
    let records: Vec<Value> = (0..5)
        .map(|n| json!({"id": n.to_string(), "content": format!("rule {n} of the file")}))
        .collect();
    let file = world.file(
        "c.json",
        json!({"access_clock": 0, "bullets": records}).to_string(),
    );
    let message = world.refused(&["import", &file], b"", "memory_full");
    assert!(
        message.contains("5 new texts") && message.contains("room for 3 of its 6"),
        "{message}"
    );
    let small = world.file(
        "d.json",
        json!({"access_clock": 0, "bullets": [records[0]]}).to_string(),
    );
    world.json("policy set max_bullets=100");
    let ran = world.run(&["import", "--format", "classic", &small]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
}
