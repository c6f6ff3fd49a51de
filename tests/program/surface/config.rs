//! Settings: file, environment, flags; later wins, and a slip is an error.

use serde_json::{Value, json};

use crate::world::World;

fn setting(world: &World, words: &str, name: &str) -> (Value, String) {
    let shown = world.json(&format!("config show {words}"));
    let settings = shown["settings"].as_array().unwrap();
    let found = settings.iter().find(|one| one["name"] == name).unwrap();
    (
        found["value"].clone(),
        found["source"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn later_wins() {
    let mut world = World::new();
    let file = world.file(
        "c.toml",
        "tenant = 'from-file'\nscope = 'from-file'\n[policy]\nfloor = 0.3\nmax_bullets = 5\n\
         [policy.weights]\nrelevance = 0.5\n",
    );
    assert_eq!(
        setting(&world, "--color never", "tenant"),
        (json!("default"), "default".to_owned())
    );
    world.set("HINDLORE_CONFIG", &file);
    world.set("HINDLORE_SCOPE", "from-environment");
    world.set("ACE_MEMORY_MAX_BULLETS", "9");
    for (words, name, value, source) in [
        ("--color never", "tenant", json!("from-file"), "file"),
        ("--tenant flag", "tenant", json!("flag"), "flag --tenant"),
        (
            "--color never",
            "scope",
            json!("from-environment"),
            "environment HINDLORE_SCOPE",
        ),
        ("--color never", "policy.floor", json!(0.3), "file"),
        (
            "--color never",
            "policy.max_bullets",
            json!(9),
            "environment ACE_MEMORY_MAX_BULLETS",
        ),
        (
            "--color never",
            "policy.weights.relevance",
            json!(0.5),
            "file",
        ),
        (
            "--color never",
            "policy.weights.strength",
            json!(0.06),
            "default",
        ),
    ] {
        assert_eq!(
            setting(&world, words, name),
            (value, source.to_owned()),
            "{name}"
        );
    }
    world.apply(&json!([{"op": "ADD", "content": "x"}]));
    assert_eq!(world.json("policy show")["policy"]["floor"], 0.3);
    let memories = world.json("memory list");
    assert_eq!(memories["memories"][0]["scope"], "from-environment");
}

#[test]
fn a_slip_is_an_error_with_the_likely_name() {
    for (text, word) in [
        ("tenent = 'x'", "`tenant`"),
        ("[policy]\nflor = 0.1", "`floor`"),
        ("[policy]\nfloor = 3.0", "0..=1"),
        ("[neo4j]\nuser = 'x'", "neo4j.u"),
        ("tenant = 1", "a text"),
        ("tenant", "is not TOML"),
    ] {
        let mut world = World::new();
        let file = world.file("c.toml", text);
        world.set("HINDLORE_CONFIG", &file);
        let ran = world.run(&["digest", "--json"]);
        let code = if text.contains("[policy]") {
            "invalid_policy"
        } else {
            "invalid_config"
        };
        let message = ran.problem(code);
        assert!(message.contains(word), "{message}");
    }
    let mut world = World::new();
    world.set("HINDLORE_DURABILITY", "maybe");
    let message = world.run(&["digest", "--json"]).problem("invalid_config");
    assert!(message.contains("durability is `maybe`"), "{message}");
    let mut world = World::new();
    world.set("HINDLORE_TENNANT", "x");
    let message = world.run(&["digest", "--json"]).problem("invalid_config");
    assert!(
        message.contains("did you mean `HINDLORE_TENANT`"),
        "{message}"
    );
}

#[test]
fn secrets_are_never_shown() {
    let mut world = World::new();
    world.set("NEO4J_PASSWORD", "hunter2");
    world.set("NEO4J_URI", "neo4j://ann:hunter3@host");
    for arguments in [&["config", "show"][..], &["config", "show", "--json"]] {
        let ran = world.run(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(!ran.out.contains("hunter"), "{}", ran.out);
        assert!(ran.out.contains("NEO4J_PASSWORD"), "{}", ran.out);
    }
}

#[test]
fn a_server_that_is_away_keeps_no_settings_from_being_shown() {
    let world = World::seeded();
    let show = [
        "config",
        "show",
        "--learner",
        "x",
        "--store",
        "bolt://127.0.0.1:1",
    ];
    let ran = world.run(&show);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("was not looked at"), "{ran:?}");
}

#[test]
fn the_word_tables_can_be_replaced() {
    let mut world = World::new();
    world.file("antonyms.json", r#"[["hot", "cold"]]"#);
    let file = world.file("c.toml", "antonyms = 'antonyms.json'");
    world.set("HINDLORE_CONFIG", &file);
    world.apply(&json!([{"op": "ADD", "content": "serve the soup hot"}]));
    let other = World::new();
    let ran = other.run_with(
        &["delta", "apply", "-", "--json", "--store", &world.store()],
        r#"[{"op":"ADD","content":"x"}]"#,
    );
    ran.problem("other_word_tables");
    let file = world.path("a.jsonl").to_str().unwrap().to_owned();
    world.json(&format!("export {file}"));
    other.json(&format!("import --format hindlore {file}"));
    other.apply(&json!([{"op": "ADD", "content": "x"}]));
    world.file("antonyms.json", "{}");
    world.run(&["digest", "--json"]).problem("invalid_policy");
}

#[test]
fn the_rules_of_lessons_are_a_file() {
    let mut world = World::new();
    let file = world.file("c.toml", "lesson_rules = 'lessons.json'");
    world.set("HINDLORE_CONFIG", &file);
    world.file(
        "lessons.json",
        r#"{"numbers": {"control_rate": 0.25, "gates": {"failures_min": 5}}, "idle_minutes": 5,
            "opposites": [["wide", "narrow"]], "tags": {"aliases": [], "rules": []}}"#,
    );
    world.apply(&json!([{"op": "ADD", "content": "x"}]));
    for (wrong, word) in [
        ("{", "cannot be read"),
        (r#"{"number": {}}"#, "unknown field"),
        (r#"{"numbers": {"control_rate": 1.5}}"#, "control_rate"),
        (r#"{"idle_minutes": 0}"#, "idle_minutes"),
    ] {
        world.file("lessons.json", wrong);
        let problem = world
            .run(&["digest", "--json"])
            .problem("invalid_lesson_rules");
        assert!(problem.contains(word), "{problem}");
    }
}
