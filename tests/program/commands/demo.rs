//! The demonstration: its report is true, and it leaves nothing.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::world::World;

/// Debug builds are slow, shared machines slower; the demonstration itself takes far less.
const PATIENCE: Duration = Duration::from_secs(10);

fn step<'d>(document: &'d Value, name: &str) -> &'d Value {
    let steps = document["steps"].as_array().unwrap();
    steps.iter().find(|step| step["step"] == name).unwrap()
}

fn lesson<'d>(document: &'d Value, shows: &str) -> &'d Value {
    let steps = document["steps"].as_array().unwrap();
    steps.iter().find(|step| step["shows"] == shows).unwrap()
}

#[test]
fn the_story_really_happens() {
    let world = World::new();
    let began = Instant::now();
    let document = world.json("demo");
    assert!(began.elapsed() < PATIENCE);

    let import = step(&document, "import");
    assert_eq!(import["read"], 42);
    assert_eq!(import["receipt"]["added"].as_array().unwrap().len(), 42);

    let same = &lesson(&document, "reinforced")["receipt"]["merged"][0];
    assert_eq!(same["into"], same["from"]);
    let near = lesson(&document, "merged");
    assert_eq!(near["receipt"]["merged"].as_array().unwrap().len(), 1);
    assert_eq!(near["receipt"]["linked"].as_array().unwrap().len(), 0);
    assert_eq!(near["active"], 45);
    let opposite = lesson(&document, "kept apart");
    let link = &opposite["receipt"]["linked"][0];
    assert_eq!(link["kind"], "CONFLICTS_WITH");
    assert!(link["reason"].as_str().unwrap().contains("negated"));
    assert_eq!(opposite["active"], 46);
}

#[test]
fn the_demonstration_fits_a_screen_and_the_full_one_has_the_rest() {
    let world = World::new();
    let short = world.run(&["demo"]).out;
    assert!(short.lines().count() <= 30, "{short}");
    for part in [
        "First run",
        "TALLY",
        "Second run",
        "2 errors in the first run, 0 in the second",
        "Next: hindlore install",
    ] {
        assert!(short.contains(part), "{part}: {short}");
    }
    let full = world.run(&["demo", "--full"]).out;
    assert!(full.contains("A mistake is taken back") && full.contains("0 in the second"));
}

#[test]
fn a_task_fails_and_another_one_does_not_because_of_what_was_learned() {
    let document = World::new().json("demo");
    let failures = &document["failures"];
    let (first, second) = (&failures["first_run"], &failures["second_run"]);
    assert_eq!(
        (&first["errors"], &second["errors"]),
        (&Value::from(2), &Value::from(0))
    );
    let learned = first["ended"]["learned"].as_array().unwrap();
    assert_eq!(learned.len(), 2, "{learned:?}");
    let ids = |list: &Value, field: &str| -> Vec<String> {
        let items = list.as_array().unwrap().iter();
        let mut ids: Vec<String> = items
            .map(|it| it[field].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        ids
    };
    // The lessons of the first run are those found before the second, by the failures themselves.
    let found = &failures["found"]["lessons"];
    assert_eq!(ids(found, "id"), ids(&first["ended"]["learned"], "lesson"));
    for hit in found.as_array().unwrap() {
        let part = |name: &str| hit["parts"][name].as_f64().unwrap();
        let sum = 0.40 * part("fingerprint_match")
            + 0.25 * part("tag_overlap")
            + 0.20 * part("text_similarity")
            + 0.10 * part("reliability")
            + 0.05 * part("recency");
        assert!((sum - hit["score"].as_f64().unwrap()).abs() < 1e-9, "{hit}");
        assert_eq!(part("fingerprint_match"), 1.0);
    }
    // The second run began with the same habits, and each lesson replaced one.
    let replaced = |one: &&Value| one["instead_of"].is_string();
    let tries = second["tries"].as_array().unwrap();
    assert_eq!(tries.iter().filter(replaced).count(), 2, "{tries:?}");
    let settled = second["ended"]["settled"].as_array().unwrap();
    assert!(
        settled.len() == 2 && settled.iter().all(|one| one["helped"] == true),
        "{settled:?}"
    );
}

#[test]
fn feedback_changes_the_ranking_and_an_undo_restores_the_digest() {
    let document = World::new().json("demo");
    let feedback = step(&document, "feedback");
    let again = step(&document, "retrieve_again");
    let change = |id: &Value| {
        let ranks = again["ranks"].as_array().unwrap();
        ranks
            .iter()
            .find(|change| change["id"] == *id)
            .unwrap()
            .clone()
    };
    // The better supported of the two opposites comes first from the beginning; the harmful one sinks.
    let ranks = |change: &Value| {
        let rank = |field: &str| change[field].as_u64().unwrap_or(u64::MAX);
        (rank("rank_before"), rank("rank_after"))
    };
    assert_eq!(ranks(&change(&feedback["helped"])), (1, 1));
    let (before, after) = ranks(&change(&feedback["harmed"]));
    assert!(before == 2 && after > 2, "{after}");
    for (id, rises) in [(&feedback["helped"], true), (&feedback["harmed"], false)] {
        let change = change(id);
        let score = |field: &str| change[field].as_f64().unwrap();
        assert_eq!(
            score("score_after") > score("score_before"),
            rises,
            "{change}"
        );
    }

    for found in step(&document, "retrieve")["answer"]["results"]
        .as_array()
        .unwrap()
    {
        let weights = &step(&document, "retrieve")["answer"]["weights"];
        let part =
            |name: &str| found["parts"][name].as_f64().unwrap() * weights[name].as_f64().unwrap();
        let sum = part("relevance") + part("strength") + part("type");
        assert!((sum - found["score"].as_f64().unwrap()).abs() < 1e-9);
    }
    let missed = &step(&document, "retrieve")["answer"]["near_misses"];
    assert!(missed[0]["reason"].as_str().is_some());

    let undo = step(&document, "undo");
    assert_eq!(undo["is_restored"], true);
    assert_eq!(
        undo["content_digest_before"],
        undo["content_digest_restored"]
    );
    assert_ne!(
        undo["content_digest_before"],
        undo["content_digest_changed"]
    );
    let events = step(&document, "history")["events"].as_array().unwrap();
    let ticks: Vec<u64> = events
        .iter()
        .map(|event| event["tick"].as_u64().unwrap())
        .collect();
    assert_eq!(ticks, (1..=9).collect::<Vec<u64>>());
}

#[test]
fn it_is_the_same_every_time_and_leaves_nothing() {
    let world = World::new();
    let temporary = world.path("tmp");
    fs::create_dir(&temporary).unwrap();
    let told = || {
        let mut command = world.command();
        let ran = world.feed(command.arg("demo").env("TMPDIR", &temporary), b"");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    let first = told();
    assert_eq!(first, told());
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    assert!(!world.path("memory.db").exists());
    assert!(
        first.lines().all(|line| line.chars().count() <= 80),
        "{first}"
    );
    assert!(!first.contains('\u{1b}') && first.contains("0 in the second"));
}

#[test]
fn in_a_named_store_it_stays_in_a_memory_of_its_own() {
    let world = World::seeded();
    let before = world.digest();
    let store = world.store();
    for run in ["run-1", "run-2"] {
        let document = world.json(&format!("demo --store {store}"));
        assert_eq!(document["memory"], format!("default/demo/{run}"));
        let digest = world.json(&format!("digest --learner demo --scope {run}"));
        assert_eq!(
            digest["content_digest"],
            step(&document, "undo")["content_digest_before"]
        );
        assert_eq!(digest["digest"], step(&document, "undo")["digest"]);
    }
    assert_eq!(world.digest(), before);
}
