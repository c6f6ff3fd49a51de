//! Contradictions and replacements: shown with every answer, listed, and decided.

use serde_json::{Value, json};

use crate::world::{World, texts};

const BACKOFF: &str = "Retry HTTP 429 responses with backoff, jitter and five attempts at most.";
const NEVER: &str =
    "Never retry HTTP 429 responses with backoff, jitter and five attempts at most.";

/// Two opposites, of which the second has the votes.
fn opposites() -> (World, String, String) {
    let world = World::new();
    world.apply(&json!({"operations": [{"op": "ADD", "content": BACKOFF}]}));
    world.apply(&json!({"operations": [{"op": "ADD", "content": NEVER, "helpful": 2}]}));
    let list = world.json("conflicts list");
    let pair = &list["bullets"][0];
    let id = |side: &str| pair[side]["id"].as_str().unwrap().to_owned();
    assert_eq!(pair["second"]["content"], NEVER, "{list}");
    (world, id("first"), id("second"))
}

fn none_open(world: &World) {
    let listed = world.run(&["conflicts", "list", "--json"]);
    assert_eq!(
        (listed.code, &listed.document()["bullets"]),
        (1, &json!([])),
        "{listed:?}"
    );
}

#[test]
fn the_better_supported_of_two_opposites_comes_first_with_the_other_named() {
    let (world, weak, strong) = opposites();
    let found = world.json("retrieve retry responses --peek");
    assert_eq!(found["results"][0]["id"], strong, "{found}");
    assert_eq!(found["results"][0]["conflicts_with"], json!([weak]));
    assert_eq!(found["results"][0]["beside"][0]["content"], BACKOFF);
    for (form, named) in [("numbered", "(contradicted by 2)"), ("context", BACKOFF)] {
        let prompt = world.run(&["retrieve", "--peek", "--prompt", form, "retry responses"]);
        assert!(prompt.out.contains(named), "{prompt:?}");
    }
    let prompt = world.run(&[
        "retrieve",
        "--peek",
        "--prompt",
        "playbook",
        "retry responses",
    ]);
    assert!(
        prompt.out.contains(&format!("contradicted by [{weak}]")),
        "{prompt:?}"
    );
    let alone = world.run(&[
        "retrieve",
        "--peek",
        "--prompt",
        "numbered",
        "--top-k",
        "1",
        "retry responses",
    ]);
    assert!(
        alone
            .out
            .contains(&format!("contradicted by \"{BACKOFF}\"")),
        "{alone:?}"
    );
}

#[test]
fn keeping_one_rejects_the_other_until_it_is_undone() {
    let (world, weak, strong) = opposites();
    let done = world.json(&format!(
        "conflicts resolve {strong} {weak} --decision keep_one"
    ));
    let applied = &done["applied"];
    assert_eq!(applied["rejected"], json!([weak]), "{done}");
    none_open(&world);
    world.json(&format!(
        "delta undo {}",
        applied["delta"].as_str().unwrap()
    ));
    assert_eq!(
        world.json("conflicts list")["bullets"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn both_stay_for_a_reason_and_are_not_reported_again() {
    let (world, weak, strong) = opposites();
    let without = world.run(&[
        "conflicts",
        "resolve",
        &weak,
        &strong,
        "--decision",
        "keep_both",
    ]);
    assert_eq!(without.code, 2, "{without:?}");
    let decide = |decision: &str| {
        let words = [
            "conflicts",
            "resolve",
            &weak,
            &strong,
            "--decision",
            decision,
        ];
        let said = [
            words.as_slice(),
            &["--reason", "the first for reads", "--json"],
        ]
        .concat();
        world.run(&said).document()
    };
    let done = decide("keep_both");
    assert_eq!(done["applied"]["outcome"], "applied", "{done}");
    none_open(&world);
    let found = world.json("retrieve retry responses --peek");
    assert_eq!(found["results"][0]["conflicts_with"], json!([]));
    // A repetition finds nothing new.
    world.apply(&json!({"operations": [{"op": "ADD", "content": BACKOFF}, {"op": "ADD", "content": NEVER}]}));
    none_open(&world);
    decide("reopen");
    assert_eq!(
        world.json("conflicts list")["bullets"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    decide("keep_both");
    let changed = NEVER.replace("five", "six");
    world.apply(&json!({"operations": [{"op": "UPDATE", "id": strong, "content": changed}]}));
    let shown = world.json(&format!("bullets show {weak}"));
    let kinds = texts(&shown["links"], "kind");
    assert!(!kinds.contains(&"RECONCILED_WITH".to_owned()), "{shown}");
}

#[test]
fn merging_adds_the_votes_and_an_undo_parts_them() {
    let (world, weak, strong) = opposites();
    let before = world.json("digest")["content_digest"].clone();
    let done = world.json(&format!(
        "conflicts resolve {weak} {strong} --decision merge"
    ));
    let delta = done["applied"]["delta"].as_str().unwrap().to_owned();
    assert_eq!(done["applied"]["merged"][0]["into"], weak, "{done}");
    assert_eq!(world.json(&format!("bullets show {weak}"))["helpful"], 2);
    none_open(&world);
    world.json(&format!("delta undo {delta}"));
    assert_eq!(world.json("digest")["content_digest"], before);
    let replayed = world.json("replay");
    assert_eq!(replayed["sound"], true, "{replayed}");
}

#[test]
fn what_is_no_conflict_is_refused() {
    let (world, weak, _) = opposites();
    let other =
        world.apply(&json!({"operations": [{"op": "ADD", "content": "Read the log first."}]}));
    let other = other["added"][0].as_str().unwrap();
    for words in [
        [weak.as_str(), other],
        [weak.as_str(), weak.as_str()],
        [weak.as_str(), "l_0"],
    ] {
        let refused = world.run(&[
            "conflicts",
            "resolve",
            words[0],
            words[1],
            "--decision",
            "merge",
            "--json",
        ]);
        assert_eq!(refused.code, 2, "{refused:?}");
    }
}

#[test]
fn the_newest_value_comes_first_and_the_older_one_says_so() {
    let world = World::new();
    let mut ids: Vec<Value> = Vec::new();
    for port in [5433, 5434] {
        let text = format!("The staging database listens on port {port}.");
        let applied = world.apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
        ids.push(applied["added"][0].clone());
        if port == 5434 {
            assert_eq!(applied["linked"][0]["kind"], "SUPERSEDES", "{applied}");
        }
    }
    let found = world.json("retrieve which port does the staging database listen on --peek");
    assert_eq!(
        (&found["results"][0]["id"], &found["results"][1]["id"]),
        (&ids[1], &ids[0])
    );
    assert_eq!(found["results"][0]["superseded_by"], json!(null));
    assert_eq!(found["results"][1]["superseded_by"], ids[1]);
    let plain = world.run(&["retrieve", "--peek", "port of the staging database"]);
    assert!(plain.out.contains("superseded by"), "{plain:?}");
    let prompt = world.run(&[
        "retrieve",
        "--peek",
        "--prompt",
        "numbered",
        "port of the staging database",
    ]);
    assert!(
        prompt.out.contains("(out of date, replaced by 1)"),
        "{prompt:?}"
    );
    let file = world.path("all.jsonl");
    let file = file.to_str().unwrap();
    world.json(&format!("export {file}"));
    let other = World::new();
    other.json(&format!("import --format hindlore {file}"));
    assert_eq!(
        other.digest()["content_digest"],
        world.digest()["content_digest"]
    );
    let found = other.json("retrieve which port does the staging database listen on --peek");
    assert_eq!(found["results"][1]["superseded_by"], ids[1]);
    assert_eq!(world.json("replay")["sound"], true);
}
