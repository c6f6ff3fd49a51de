//! Bad input to the verbs of playbooks and reflections: a clear error, exit code 2, and nothing changed.

use hindlore_api::catalog;
use serde_json::{Value, json};

use crate::world::World;

fn lived() -> World {
    let world = World::new();
    world.json("add a bullet of its own");
    world.json("playbook create p --strategies [{\"pattern\":\"one\"}]");
    world.json("playbook create gone");
    world.json("playbook delete gone");
    world
}

fn state(world: &World) -> Vec<Value> {
    let all = [
        "playbook list",
        "playbook list --archived",
        "playbook show p",
        "playbook versions p",
    ];
    let mut state: Vec<Value> = all.iter().map(|words| world.json(words)).collect();
    state.push(world.digest());
    state
}

/// A command, the code of its refusal, and the name in the message.
const REFUSED: &[(&str, &str, &str)] = &[
    ("playbook create p", "playbook_exists", "`p`"),
    ("playbook create gone", "playbook_exists", "--revive"),
    ("playbook show none", "no_playbook", "`none`"),
    (
        "playbook show p --version 9",
        "no_version",
        "newest version is 1",
    ),
    (
        "playbook show p --version 1 --as-of 2026-01-01T00:00:00Z",
        "invalid_request",
        "not by both",
    ),
    (
        "playbook show p --as-of 2001-01-01T00:00:00Z",
        "no_version",
        "2001",
    ),
    (
        "playbook update p --replace",
        "invalid_request",
        "strategies",
    ),
    (
        "playbook update p --strategies [{\"pattern\":\"\"}]",
        "invalid_request",
        "pattern",
    ),
    (
        "playbook update p --strategies [{\"patern\":\"x\"}]",
        "invalid_request",
        "patern",
    ),
    (
        "playbook update p --strategies [{\"pattern\":\"x\",\"confidence\":2}]",
        "invalid_request",
        "confidence",
    ),
    ("playbook update p --scope moon", "invalid_usage", "moon"),
    ("playbook curate p", "invalid_request", "reflection"),
    (
        "playbook curate p --reflection rf_none",
        "no_reflection",
        "rf_none",
    ),
    ("playbook curate p --trajectory none", "no_run", "none"),
    ("playbook delete none", "no_playbook", "none"),
    ("playbook delete gone", "no_playbook", "gone"),
    (
        "playbook restore p --version 0",
        "invalid_request",
        "version",
    ),
    ("playbook restore p --version 7", "no_version", "7"),
    ("playbook diff p --from 1 --to 5", "no_version", "5"),
    ("playbook use p --success 1.5", "invalid_request", "success"),
    ("playbook use none --success 1", "no_playbook", "none"),
    (
        "playbook strategies x --playbook none",
        "no_playbook",
        "none",
    ),
    ("playbook into-memory none", "no_playbook", "none"),
    (
        "playbook from-memory p --scope elsewhere",
        "no_memory",
        "elsewhere",
    ),
    ("reflect none", "no_run", "none"),
    ("reflection show rf_none", "no_reflection", "rf_none"),
    (
        "reflection batch --min-trajectories 0",
        "invalid_request",
        "min_trajectories",
    ),
];

#[test]
fn bad_requests_are_refused_by_name_and_change_nothing() {
    let world = lived();
    let before = state(&world);
    for (words, code, names) in REFUSED {
        let arguments: Vec<&str> = words.split(' ').chain(["--json"]).collect();
        let ran = world.run(&arguments);
        let said = ran.problem(code);
        assert!(said.contains(names), "{words}: {said}");
    }
    for (text, names) in [
        ("", "JSON"),
        ("{}", "strategies"),
        ("{\"strategies\": [{\"pattern\": 3}]}", "string"),
        ("{\"x\": 1}", "x"),
    ] {
        let ran = world.run_with(&["playbook", "import", "-", "--json"], text);
        let said = ran.problem("invalid_playbook");
        assert!(said.contains(names), "{text}: {said}");
    }
    assert_eq!(state(&world), before);
}

#[test]
fn every_verb_refuses_a_field_that_it_does_not_know() {
    let world = lived();
    let before = state(&world);
    let is_ours = |name: &str| {
        name.starts_with("playbook.")
            || name.starts_with("reflection.")
            || name.starts_with("share.")
    };
    let ours: Vec<&str> = catalog::all()
        .iter()
        .map(|verb| verb.name)
        .filter(|name| is_ours(name))
        .collect();
    assert!(ours.len() >= 26, "{ours:?}");
    for verb in ours {
        let ran = world.run(&["call", verb, &json!({"nonsense": 1}).to_string(), "--json"]);
        assert!(
            ran.problem("invalid_request").contains("nonsense"),
            "{verb}: {ran:?}"
        );
    }
    assert_eq!(state(&world), before);
}

#[test]
fn the_templates_can_be_imported_and_come_out_as_they_went_in() {
    let world = World::new();
    for name in ["release", "debugging"] {
        let path = format!("{}/docs/playbooks/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let made = world.json(&format!("playbook import {path}"));
        assert_eq!(
            (&made["playbook"], &made["version"]),
            (&json!(name), &json!(1)),
            "{made}"
        );
        let again = world.json(&format!("playbook import {path}"));
        assert_eq!(again["new_version"], false, "{again}");
        let text = world.run(&["playbook", "export", name]).out;
        let file = world.file("out.json", &text);
        world.json(&format!("playbook import {file} --name copy-of-{name}"));
        let patterns = |name: &str| -> Vec<Value> {
            let shown = world.json(&format!("playbook show {name}"));
            shown["strategies"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["pattern"].clone())
                .collect()
        };
        assert_eq!(patterns(name), patterns(&format!("copy-of-{name}")));
    }
}
