//! Consolidation as people call it: shown before, done, seen, rolled back; and refusals.

use serde_json::{Value, json};

use crate::world::World;

const CRATES: &str = "Weigh every crate before it goes to the shelf, and write its weight on the side. Wet crates stay \
                      outside until they are dry, whoever asks for them.";

/// Two texts that can become one, a warning, and a text that a person holds dear.
fn add(world: &World, scope: &str) {
    let text = |end: &str| format!("{CRATES} {end}");
    let operations = json!({"operations": [
        {"op": "ADD", "content": text("Stack them by colour."), "helpful": 1, "harmful": 1},
        {"op": "ADD", "content": text("Count them on Friday.")},
        {"op": "ADD", "content": text("Paint them in May."), "importance": 0.8},
        {"op": "ADD", "content": text("Burn them in June."), "kind": "anti_pattern"},
    ]});
    world.apply_to(&operations, &["--scope", scope]);
}

fn world() -> World {
    let world = World::new();
    add(&world, "default");
    world
}

fn content_digest(world: &World) -> Value {
    world.json("digest")["content_digest"].clone()
}

#[test]
fn a_dry_run_shows_what_a_run_does_and_a_rollback_takes_it_back() {
    let world = world();
    let before = world.json("digest");
    let planned = world.json("memory consolidate --similarity 0.6 --dry-run");
    assert_eq!(world.json("digest"), before);
    let done = world.json("memory consolidate --similarity 0.6 --id c-1");
    let group = |of: &Value| of["memories"][0]["groups"][0].clone();
    for field in ["sources", "content", "loss", "bytes_after"] {
        assert_eq!(group(&planned)[field], group(&done)[field], "{done}");
    }
    let content = format!("{CRATES} Stack them by colour. Count them on Friday.");
    assert_eq!(group(&done)["content"], content, "{done}");
    let counts = ["merged", "made", "refused"].map(|name| done[name].clone());
    assert_eq!(counts, [json!(2), json!(1), json!(0)], "{done}");
    let kept = done["memories"][0]["kept"].to_string();
    assert!(
        kept.contains("important") && kept.contains("anti_pattern"),
        "{kept}"
    );
    let bullet = group(&done)["bullet"].as_str().unwrap().to_owned();
    let shown = world.json(&format!("bullets show {bullet}"));
    assert_eq!(
        (&shown["kind"], &shown["helpful"]),
        (&json!("consolidated"), &json!(1))
    );
    assert_eq!(shown["importance_now"], 0.5);
    let links = shown["links"].as_array().unwrap();
    let lineage = links.iter().filter(|it| it["kind"] == "CONSOLIDATED_FROM");
    assert_eq!(lineage.count(), 2, "{shown}");
    let back = world.json("memory rollback c-1");
    assert_eq!(back["content_digest"], before["content_digest"], "{back}");
    assert_eq!(
        (&back["restored"], &back["archived"]),
        (&json!(2), &json!(1))
    );
    let again = world.json("memory rollback c-1");
    assert_eq!(again["undone"], json!([]));
    let page = world.run(&["memory", "consolidate", "--similarity", "0.6", "--dry-run"]);
    assert!(page.out.contains("2 bullets would become 1"), "{page:?}");
    assert!(page.out.contains("loses 0.0 %"), "{page:?}");
}

#[test]
fn a_level_visits_other_memories_and_mixes_none() {
    let world = world();
    add(&world, "other");
    let done = world.json("memory consolidate --similarity 0.6 --level user --id c-1");
    assert_eq!(
        (&done["merged"], &done["made"]),
        (&json!(4), &json!(2)),
        "{done}"
    );
    let scopes: Vec<&Value> = done["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["scope"])
        .collect();
    assert_eq!(scopes, ["default", "other"]);
    let other = world.json("memory rollback c-1 --scope other");
    assert_eq!(other["restored"], 2);
    let whole = world.json("memory consolidate --similarity 0.6 --level global --dry-run");
    assert_eq!(whole["merged"], 2, "{whole}");
}

#[test]
fn a_text_of_a_model_is_checked_before_it_replaces_anything() {
    let world = world();
    let planned = world.json("memory consolidate --similarity 0.6 --dry-run");
    let sources = planned["memories"][0]["groups"][0]["sources"].clone();
    let before = content_digest(&world);
    let call = |content: &str| {
        let request =
            json!({"similarity": 0.6, "texts": [{"sources": sources, "content": content}]});
        let answer = world.run(&["call", "memory.consolidate", &request.to_string()]);
        assert_eq!(answer.code, 0, "{answer:?}");
        answer.document()
    };
    for (content, word) in [
        ("", "empty"),
        ("Weigh every crate.", "would be lost"),
        (
            &format!("{CRATES} Stack them by colour. Count them on Friday, all 12."),
            "no source has",
        ),
    ] {
        let refused = call(content);
        assert_eq!(refused["refused"], 1, "{refused}");
        assert!(
            refused["memories"][0]["refused_groups"][0]["reason"]
                .as_str()
                .unwrap()
                .contains(word),
            "{refused}"
        );
        assert_eq!(content_digest(&world), before, "{content}");
    }
    let good = format!("{CRATES} Stack them by colour, and count them on Friday.");
    let done = call(&good);
    assert_eq!(done["memories"][0]["groups"][0]["content"], good, "{done}");
    assert_ne!(content_digest(&world), before);
}

#[test]
fn a_bullet_that_helped_is_no_candidate_any_more() {
    let world = world();
    let planned = world.json("memory consolidate --similarity 0.6 --dry-run");
    let id = planned["memories"][0]["groups"][0]["sources"][0].clone();
    world.apply(&json!({"operations": [{"op": "TAG", "id": id, "helpful": 2}]}));
    let shown = world.json(&format!("bullets show {}", id.as_str().unwrap()));
    assert_eq!(
        (&shown["importance_now"], &shown["importance"]),
        (&json!(0.7), &json!(0.5))
    );
    let planned = world.json("memory consolidate --similarity 0.6 --dry-run");
    assert_eq!(planned["merged"], 0, "{planned}");
    let other = world.json("memory consolidate --similarity 0.6 --min-importance 0.7 --dry-run");
    assert_eq!(other["merged"], 2, "{other}");
}

#[test]
fn bad_requests_are_refused_and_change_nothing() {
    let world = world();
    let before = world.json("digest");
    for (words, code, word) in [
        (
            "memory consolidate --similarity 0.2",
            "invalid_request",
            "0.5",
        ),
        (
            "memory consolidate --min-importance 2",
            "invalid_request",
            "1",
        ),
        ("memory consolidate --batch 5", "invalid_request", "100"),
        ("memory consolidate --level all", "invalid_usage", "tenant"),
        (
            "memory consolidate --kind anti_pattern",
            "invalid_request",
            "warning",
        ),
        ("memory rollback c-none", "no_consolidation", "c-none"),
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let message = world.refused(&arguments, b"", code);
        assert!(message.contains(word), "{words}: {message}");
    }
    world.refused(
        &["memory", "consolidate", "--scope", "none"],
        b"",
        "no_memory",
    );
    assert_eq!(world.json("digest"), before);
}

#[test]
fn a_classic_memory_is_left_alone() {
    let world = world();
    world.json("policy set mode=classic");
    let message = world.refused(&["memory", "consolidate"], b"", "invalid_request");
    assert!(message.contains("classic"), "{message}");
}
