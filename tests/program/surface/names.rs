//! Names of the original programs, other spellings of fields, settings without effect, and answers in sentences.

use serde_json::json;

use crate::world::{World, texts};

#[test]
fn the_commands_of_the_originals_lead_to_ours() {
    let world = World::seeded();
    world.json("memory trajectory start fetch_the_data --id t1");
    let open = world.json("memory trajectory query --status open");
    assert_eq!(texts(&open["trajectories"], "id"), ["t1"]);
    world.json("memory trajectory complete t1 --status success");
    let listed = world.run(&["trajectory", "query", "--status", "open"]);
    assert_eq!(listed.code, 1, "{listed:?}");
    assert_eq!(world.json("trajectory get t1")["id"], "t1");
    let made = world
        .json("memory playbook update --strategies [{\"pattern\":\"Test\",\"evidence_count\":2}]");
    assert_eq!(made["version"], 1);
    let shown = world.json("memory playbook get");
    assert_eq!(shown["strategies"][0]["evidence"], 2);
    assert!(shown["strategies"][0]["confidence"].as_f64().unwrap() > 0.2);
    let batch = world.run(&["memory", "reflect", "--batch"]);
    assert!(batch.out.contains("ended trajector"), "{batch:?}");
    let trial = world.run(&["consolidate", "--dry-run"]);
    assert_ne!(trial.code, 2, "{trial:?}");
}

#[test]
fn a_positional_text_may_be_typed_by_its_name_and_a_verb_found_by_its_last_word() {
    let world = World::seeded();
    let ran = world.run(&["lessons", "retrieve", "--intent", "make a report"]);
    assert_ne!(ran.code, 2, "{ran:?}");
    let all = world.run(&["call"]).out;
    assert!(all.contains("store.health"), "{all}");
    let near = world.run(&["call", "--schema", "health"]);
    assert!(near.err.contains("did you mean `store.health`"), "{near:?}");
    let camel = world.run(&[
        "call",
        "retrieve",
        "{\"query\": \"pump\", \"topK\": 1, \"peek\": true}",
    ]);
    assert_eq!(camel.document()["results"].as_array().unwrap().len(), 1);
}

#[test]
fn a_grant_of_something_unknown_is_refused_and_one_of_something_known_is_a_sentence() {
    let world = World::seeded();
    let unknown = ["grant", "agent:b", "viewer", "--of", "playbook:none"];
    world.refused(&unknown, b"", "no_playbook");
    world.json("playbook update site --strategies [{\"pattern\":\"Test\"}]");
    let granted = world.run(&["grant", "agent:b", "viewer", "--of", "playbook:site"]);
    assert_eq!(
        granted.out.trim(),
        "agent:b now has these relations to playbook:site: viewer"
    );
    let listed = world.json("share subjects --of playbook:site");
    assert!(listed.to_string().contains("agent:b"), "{listed}");
    for (words, said) in [
        (
            &["playbook", "use", "site", "--success", "1"][..],
            "success rate 1",
        ),
        (
            &["playbook", "use", "site", "--success", "0"],
            "success rate 0.5",
        ),
        (&["playbook", "list"], "SUCCESS RATE"),
        (&["playbook", "into-memory", "site"], "applied d_"),
        (
            &["playbook", "delete", "site"],
            "archived the playbook `site`",
        ),
    ] {
        let ran = world.run(words);
        assert!(ran.out.contains(said), "{words:?}: {ran:?}");
        assert!(!ran.out.contains(['{', '[']), "{ran:?}");
    }
}

#[test]
fn a_setting_without_effect_is_named() {
    let mut world = World::seeded();
    world.set("CONSOLIDATION_BATCH_SIZE", "100");
    world.set("ACE_WEIGHT_RELEVANCE", "0.55");
    let ran = world.run(&["retrieve", "prime the pump", "--peek"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for said in [
        "memory consolidate --batch",
        "ACE_WEIGHT_RELEVANCE",
        "keeps its own",
        "0.92",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    world.json("policy set weights.relevance=0.55");
    let ran = world.run(&["retrieve", "prime the pump", "--peek"]);
    assert!(!ran.err.contains("ACE_WEIGHT_RELEVANCE"), "{}", ran.err);
}

#[test]
fn the_address_of_a_server_alone_selects_none_and_a_note_says_so() {
    let world = World::new();
    let mut command = world.command();
    command
        .env_remove("HINDLORE_STORE")
        .env("XDG_DATA_HOME", world.path("data"))
        .env("NEO4J_URI", "bolt://127.0.0.1:1")
        .env("NEO4J_PASSWORD", "secret")
        .args(["add", "check the seal"]);
    let ran = world.feed(&mut command, b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.err.contains("HINDLORE_STORE=\"$NEO4J_URI\"") && ran.err.contains("memory.db"),
        "{ran:?}"
    );
}

#[test]
fn tags_of_a_persona_and_of_pictures_count_and_kinds_and_strengths_filter() {
    let world = World::new();
    world.apply(&json!({"operations": [
        {"op": "ADD", "content": "explain the sum slowly", "kind": "preference"},
        {"op": "ADD", "content": "explain the sum by a drawing", "tags": ["visual:bars"]},
        {"op": "ADD", "content": "explain the sum to a child", "tags": ["persona:teacher"]},
    ]}));
    for (option, first) in [
        (&["--visual"][..], "explain the sum by a drawing"),
        (&["--persona", "Teacher"], "explain the sum to a child"),
    ] {
        let words = [
            &["retrieve", "explain the sum", "--peek", "--json"][..],
            option,
        ]
        .concat();
        let found = world.run(&words).document();
        assert_eq!(found["results"][0]["content"], first, "{option:?}");
    }
    let kind = world.json("bullets list --kind preference");
    assert_eq!(
        texts(&kind["bullets"], "content"),
        ["explain the sum slowly"]
    );
    let beyond = ["retrieve", "explain the sum", "--min-score", "50"];
    let message = world.refused(&beyond, b"", "invalid_request");
    assert!(message.contains("must be 1 or less"), "{message}");
}

#[test]
fn a_lesson_of_a_recent_failure_says_so_where_no_error_was_given() {
    let world = World::new();
    for run in ["r1", "r2"] {
        let steps = json!([
            {"run": run, "action": "tally region --fmt csv", "error": "tally: unknown option '--fmt'", "exit_code": 2},
            {"run": run, "action": "tally region --format csv", "exit_code": 0},
        ]);
        world.run_with(&["errors", "capture", "-"], steps.to_string());
        world.json(&format!("runs end {run} --passed"));
    }
    let found = world.json("lessons retrieve bake a cake");
    let path = found["lessons"][0]["path"].as_str().unwrap();
    assert!(path.starts_with("recent failure →"), "{path}");
    let asked = [
        "lessons",
        "retrieve",
        "--error",
        "tally: unknown option '--fmt'",
        "--json",
    ];
    let found = world.run(&asked).document();
    let path = found["lessons"][0]["path"].as_str().unwrap();
    assert!(path.starts_with("error →"), "{path}");
}

#[test]
fn the_settings_show_the_defaults_that_take_effect() {
    let shown = World::new().json("config show");
    for (name, value) in [
        ("agent.injection", json!("post_context")),
        ("agent.judge", json!(true)),
        ("curator.similarity", json!(0.9)),
        ("model.temperature", json!(0.2)),
        ("neo4j.database", json!("neo4j")),
    ] {
        let settings = shown["settings"].as_array().unwrap();
        let found = settings.iter().find(|one| one["name"] == name).unwrap();
        assert_eq!(found["value"], value, "{name}");
    }
}
