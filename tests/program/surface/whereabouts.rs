//! Unknown names: every command reports a mistyped store, tenant, learner or scope with the nearest name, and a command
//! that reads creates nothing.

use std::fs;

use serde_json::{Value, json};

use crate::world::World;

/// A store with a learner who has bullets, and one who has lessons only.
fn world() -> World {
    let world = World::new();
    world.apply_to(
        &json!([{"op": "ADD", "content": "prime the pump"}]),
        &["--learner", "agent-7"],
    );
    world.run(&[
        "learn",
        "--learner",
        "builder",
        "--run",
        "r1",
        "--",
        "false",
    ]);
    world.run(&["runs", "end", "r1", "--learner", "builder"]);
    world
}

const LOOKS: [&str; 16] = [
    "retrieve pump",
    "retrieve pump --peek",
    "retrieve --prompt pump",
    "bullets list",
    "bullets search pump",
    "bullets show b_12",
    "memory list",
    "policy show",
    "digest",
    "replay",
    "export",
    "analyze",
    "delta log",
    "lessons list",
    "runs list",
    "doctor",
];

#[test]
fn a_mistyped_learner_is_told_by_every_command_with_the_nearest() {
    let mut world = world();
    let before = fs::read(world.store()).unwrap();
    for (typed, meant) in [("agnet-7", "agent-7"), ("bulider", "builder")] {
        for command in LOOKS.iter().chain(&[
            "health",
            "errors list",
            "lessons retrieve x",
            "feedback r_1 --used b_1",
        ]) {
            let mut arguments: Vec<&str> = command.split(' ').collect();
            arguments.extend(["--learner", typed]);
            let ran = world.run(&arguments);
            let said = format!("{}{}", ran.out, ran.err).replace('\n', " ");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let told = format!("there is no learner `{typed}`; nearest: `{meant}`");
            assert!(said.contains(&told), "{command}: {said}");
        }
    }
    assert_eq!(
        fs::read(world.store()).unwrap(),
        before,
        "a look changed the store"
    );
    world.set("HINDLORE_LEARNER", "agnet-7");
    let ran = world.run(&["memory", "list"]);
    assert!(
        ran.err.contains("only `agnet-7` is listed") && ran.err.contains("HINDLORE_LEARNER"),
        "{ran:?}"
    );
    let ran = world.run(&["retrieve", "pump", "--json"]);
    let note: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(note["notes"][0]["code"], "not_there");
    assert_eq!(ran.document()["results"], json!([]));
}

#[test]
fn a_learner_who_is_there_is_not_doubted() {
    let world = world();
    for (learner, command) in [
        ("agent-7", "retrieve nothing-of-the-kind"),
        ("builder", "lessons list --status promoted"),
        ("builder", "health"),
    ] {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(["--learner", learner]);
        let ran = world.run(&arguments);
        assert!(!ran.err.contains("there is no"), "{ran:?}");
    }
    let ran = world.run(&[
        "retrieve",
        "pump",
        "--learner",
        "agent-7",
        "--scope",
        "prod",
    ]);
    assert!(
        ran.err
            .contains("there is no scope `prod`; the only one is `default`"),
        "{ran:?}"
    );
}

#[test]
fn a_write_says_when_it_makes_somebody_new_beside_a_near_name() {
    let world = world();
    let add = json!([{"op": "ADD", "content": "x"}]).to_string();
    let ran = world.run_with(&["delta", "apply", "-", "--learner", "agnet-7"], &add);
    assert!(
        ran.err
            .contains("`agnet-7` is a new learner; nearest: `agent-7`"),
        "{ran:?}"
    );
    let again = world.run_with(&["delta", "apply", "-", "--learner", "agnet-7"], &add);
    assert_eq!(again.err, "");
    let step = r#"{"run":"r","step":1,"error":"x"}"#;
    let ran = world.run_with(&["errors", "capture", "-", "--learner", "bulider"], step);
    assert!(
        ran.err
            .contains("`bulider` is a new learner; nearest: `builder`"),
        "{ran:?}"
    );
    let far = world.run_with(&["delta", "apply", "-", "--learner", "zzz"], &add);
    assert_eq!(far.err, "");
}

#[test]
fn learners_with_lessons_only_are_listed() {
    let world = world();
    let listed = world.json("memory list");
    assert_eq!(listed["lessons_only"], json!(["builder"]));
    let text = world.run(&["memory", "list"]).out;
    assert!(
        text.contains("builder") && text.contains("(lessons only)"),
        "{text}"
    );
}

#[test]
fn a_store_that_is_not_there_is_told_with_the_nearest_and_not_made() {
    let world = world();
    for command in LOOKS {
        for (typed, near) in [("memroy.db", true), ("no/such/folder/x.db", false)] {
            let path = world.path(typed).display().to_string();
            let mut arguments: Vec<&str> = command.split(' ').collect();
            arguments.extend(["--store", &path]);
            let ran = world.run(&arguments);
            // Who asks gets an answer: nothing is known there.
            let is_asked = command.starts_with("retrieve") && !command.contains("--peek");
            let code = if is_asked { 1 } else { 2 };
            assert_eq!(ran.code, code, "{command}: {ran:?}");
            let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains("there is no store at"), "{command}: {said}");
            assert_eq!(said.contains("memory.db`"), near, "{command}: {said}");
            assert!(!fs::exists(&path).unwrap() && !fs::exists(world.path("no")).unwrap());
        }
    }
}

#[test]
fn a_look_at_a_store_of_the_settings_that_is_not_there_yet_makes_nothing() {
    let world = World::new();
    for command in [
        "retrieve pump",
        "lessons list",
        "memory list",
        "lessons retrieve x",
        "retrieve --prompt x",
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = world.run(&arguments);
        let said = match command {
            "retrieve pump" => "nothing found\n",
            _ => "",
        };
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (1, said),
            "{command}: {ran:?}"
        );
        assert!(
            ran.err.contains("there is no store at"),
            "{command}: {ran:?}"
        );
        assert!(!fs::exists(world.store()).unwrap(), "{command}");
    }
}

#[test]
fn a_hint_carries_the_store_and_the_learner_that_were_typed() {
    let world = world();
    let other = world.path("my store's.db").display().to_string();
    fs::copy(world.store(), &other).unwrap();
    let ran = world.run(&[
        "bullets",
        "show",
        "b_12",
        "--store",
        &other,
        "--learner",
        "agent-7",
    ]);
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`bullets list --store '"), "{said}");
    assert!(
        said.contains("my store'\\''s.db' --learner agent-7`"),
        "{said}"
    );
}

#[test]
fn a_setting_that_cannot_be_used_is_named_by_what_shows_it_and_stops_the_rest() {
    let mut world = world();
    let file = world.file(
        "c.toml",
        "tenant = 'default'\n[policy]\nfloor = \"high\"\nbase_strength = 50\n",
    );
    world.set("HINDLORE_CONFIG", &file);
    world.set("ACE_MEMORY_FLOOR", "9");
    world.set("HINDLORE_DURABILITY", "maybe");
    let shown = world.json("config show");
    let faults = shown["faults"].to_string();
    for part in [
        "ACE_MEMORY_FLOOR",
        "`floor` is",
        "line 3",
        "it takes a number",
        "durability is `maybe`",
    ] {
        assert!(faults.contains(part), "{part}: {faults}");
    }
    let settings = shown["settings"].as_array().unwrap().iter();
    let mut base = settings.filter(|one| one["name"] == "policy.base_strength");
    assert_eq!(base.next().unwrap()["value"], 50.0);
    let text = world.run(&["config", "show"]);
    assert!(text.code == 0 && text.out.contains("not valid"), "{text:?}");
    assert_eq!(world.run(&["--help"]).code, 0);
    let doctor = world.run(&["doctor"]);
    assert!(
        doctor.code == 2 && doctor.out.contains("line 3") && doctor.out.contains("sound"),
        "{doctor:?}"
    );
    let stopped = world
        .run(&["digest", "--learner", "agent-7", "--json"])
        .problem("invalid_config");
    assert!(stopped.contains("ACE_MEMORY_FLOOR"), "{stopped}");
}
