//! Moving memories: they arrive whole, a second run has nothing to do, and nothing is made by mistake.

use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use hindlore_domain::lesson::rule::Rule;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::LessonStore;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};
use serde_json::{Value, json};

use crate::world::World;

fn furnished() -> World {
    let world = World::seeded();
    let delta = json!({"operations": [{"op": "ADD", "content": "another thing"}]});
    world.apply_to(&delta, &["--learner", "ann"]);
    world.apply_to(&delta, &["--learner", "ann", "--scope", "math"]);
    world.json("retrieve prime the pump");
    world
}

fn migrate(world: &World, to: &str, more: &str) -> Value {
    let (from, to) = (world.store(), world.path(to));
    world.json(&format!(
        "migrate --from {from} --to {}{more}",
        to.display()
    ))
}

#[test]
fn the_status_names_the_migrations() {
    let world = World::seeded();
    let status = world.json("migrate");
    assert_eq!(status["stored"], status["engine"]);
    assert_eq!(status["pending"], json!([]));
    assert_eq!(status, world.json("migrate status"));
    assert_eq!(world.json("migrate apply")["applied_now"], json!([]));
    assert!(world.run(&["migrate"]).out.contains("up to date"));
}

#[test]
fn the_status_applies_nothing() {
    let world = World::seeded();
    let sound = world.json("migrate status");
    let last = sound["applied"].as_array().unwrap().last().unwrap().clone();
    let stored = sound["stored"].as_i64().unwrap();
    let connection = rusqlite::Connection::open(world.store()).unwrap();
    let name = last.as_str().unwrap();
    let gone = connection.execute("DELETE FROM migrations WHERE name = ?1", [name]);
    assert_eq!(gone.unwrap(), 1);
    connection
        .pragma_update(None, "user_version", stored - 1)
        .unwrap();
    for _ in 0..2 {
        let status = world.json("migrate status");
        assert_eq!(
            (&status["pending"], &status["stored"]),
            (&json!([last]), &json!(stored - 1))
        );
    }
}

#[test]
fn memories_arrive_whole_and_a_second_run_skips_them() {
    let world = furnished();
    let moved = migrate(&world, "b.db", "");
    assert_eq!(
        (&moved["copied"], &moved["skipped"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(moved["equal"], true);
    for memory in moved["memories"].as_array().unwrap() {
        assert_eq!(memory["digest_from"], memory["digest_to"]);
        assert_eq!(memory["content_digest_from"], memory["content_digest_to"]);
    }
    let there = world.path("b.db");
    let there = world.json(&format!("digest --store {}", there.display()));
    assert_eq!(there, world.digest());
    let history = world.path("b.db");
    let verified = world.json(&format!(
        "doctor verify --all --store {}",
        history.display()
    ));
    assert_eq!(verified["sound"], true);

    let again = migrate(&world, "b.db", "");
    assert_eq!(
        (&again["copied"], &again["skipped"]),
        (&json!(0), &json!(3))
    );
    world.apply(&json!({"operations": [{"op": "ADD", "content": "news since then"}]}));
    let later = migrate(&world, "b.db", "");
    assert_eq!(
        (&later["copied"], &later["skipped"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(later["equal"], true);

    let back = world.path("back.db");
    let back = back.display();
    let from = world.path("b.db");
    world.json(&format!("migrate --from {} --to {back}", from.display()));
    assert_eq!(
        world.json(&format!("digest --store {back}")),
        world.digest()
    );
}

#[test]
fn one_learner_or_all_of_them() {
    let mut world = furnished();
    assert_eq!(migrate(&world, "one.db", " --learner ann")["copied"], 2);
    world.set("HINDLORE_LEARNER", "ann");
    assert_eq!(migrate(&world, "configured.db", "")["copied"], 2);
    assert_eq!(migrate(&world, "all.db", " --all-learners")["copied"], 3);
    let ran = world.run(&[
        "migrate",
        "--from",
        &world.store(),
        "--to",
        "x.db",
        "--learner",
        "bob",
    ]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("no memory of the learner `bob`"),
        "{}",
        ran.out
    );
    assert!(!world.path("x.db").exists());
}

#[test]
fn progress_is_told_on_stderr() {
    let world = furnished();
    let ran = world.run(&["migrate", "--from", &world.store(), "--to", "b.db"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("3/3") && ran.err.contains("moved"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("equal") && !ran.out.contains("3/3"));
}

#[test]
fn mistakes_are_refused_and_make_nothing() {
    let world = furnished();
    let store = world.store();
    let refused = |arguments: &[&str], code: &str| {
        let arguments = [&["migrate", "--json"], arguments].concat();
        world.run(&arguments).problem(code)
    };
    refused(&["--from", "none.db", "--to", "b.db"], "no_store");
    refused(&["--from", &store, "--to", &store], "same_store");
    refused(&["--from", &store, "--to", "./memory.db"], "same_store");
    refused(&["--from", &store], "invalid_usage");
    refused(&["--all-learners"], "invalid_usage");
    let both = [
        "--from",
        &store,
        "--to",
        "b.db",
        "--all-learners",
        "--learner",
        "ann",
    ];
    refused(&both, "invalid_usage");
    let text = world.file(
        "text.db",
        "this is a text and no store, long enough to be one or so",
    );
    refused(&["--from", &text, "--to", "b.db"], "store_foreign");
    for name in ["none.db", "b.db"] {
        assert!(!world.path(name).exists(), "{name}");
    }
    let empty = World::new();
    empty.run(&["migrate", "--json"]).problem("no_store");
}

#[test]
fn another_memory_under_the_same_name_is_not_overwritten() {
    let world = furnished();
    let other = World::seeded();
    let ran = world.run(&[
        "migrate",
        "--json",
        "--from",
        &other.store(),
        "--to",
        &world.store(),
    ]);
    assert_eq!((ran.code, &ran.document()["refused"]), (2, &json!(1)));
    assert!(
        ran.err.contains("exists_there") && ran.err.contains("of its own"),
        "{}",
        ran.err
    );
}

#[test]
fn a_memory_that_is_there_is_skipped_or_merged_and_the_rest_is_copied() {
    for (how, copied, skipped, merged) in [("skip", 2, 1, 0), ("merge", 2, 0, 1)] {
        let world = furnished();
        let other = World::new();
        other.apply(&json!({"operations": [{"op": "ADD", "content": "known there alone"}]}));
        let moved = world.json(&format!(
            "migrate --from {} --to {} --existing {how}",
            world.store(),
            other.store()
        ));
        assert_eq!(
            [&moved["copied"], &moved["skipped"], &moved["merged"]],
            [&json!(copied), &json!(skipped), &json!(merged)],
            "{moved}"
        );
        other.json("digest --learner ann --scope math");
        let found = other.run(&["bullets", "search", "pump"]).out;
        assert_eq!(found.contains("pump"), merged == 1, "{found}");
        let kept = other.run(&["bullets", "search", "known there"]).out;
        assert!(kept.contains("known there alone"), "{kept}");
        let again = world.run(&[
            "migrate",
            "--from",
            &world.store(),
            "--to",
            &other.store(),
            "--existing",
            how,
        ]);
        assert!(
            again.out.contains("learner") || again.out.contains("ann"),
            "{again:?}"
        );
    }
}

#[test]
fn a_store_that_went_its_own_way_is_not_overwritten() {
    let news = |text: &str| json!({"operations": [{"op": "ADD", "content": text}]});
    for went in ["delta", "retrieval"] {
        let world = furnished();
        let copy = world.path("b.db");
        let there = copy.to_str().unwrap();
        migrate(&world, "b.db", "");
        match went {
            "delta" => {
                drop(world.apply_to(&news("what only the copy has learned"), &["--store", there]))
            }
            _ => drop(world.json(&format!("retrieve prime the pump --store {there}"))),
        }
        // The first store continues, so that clocks alone would prove nothing.
        world.apply(&news("a second thing here"));
        world.apply(&news("a third one here"));
        let digest = world.json(&format!("digest --store {there}"));
        let arguments = ["migrate", "--json", "--from", &world.store(), "--to", there];
        let ran = world.run(&arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        let message = ran.err;
        assert!(
            message.contains("events there that are not here"),
            "{message}"
        );
        assert_eq!(world.json(&format!("digest --store {there}")), digest);
    }
}

/// Gives a learner a run with one error, a lesson among it, by the library.
fn teach(store: &str, learner: &str) {
    let work = async {
        let store = EmbeddedStore::open(store, EmbeddedOptions::default()).unwrap();
        let owner = LearnerId::new("default", learner).unwrap();
        let lesson = Lesson::new(NewLesson {
            owner: owner.clone(),
            rule: Rule::parse("WRONG load a → CORRECT load \"a\"").unwrap(),
            triggers: Fingerprinter::default().of(&Evidence::default()).ids(),
            tags: vec!["path_quote".to_owned()],
            reach: Reach::Global,
            place: Place::default(),
            source_run: None,
            status: Status::Candidate,
            at: Timestamp::from_millis(0),
        });
        let mut commit = Some(LessonCommit {
            lessons: vec![lesson],
            ..LessonCommit::default()
        });
        let decide = Box::new(move |_| commit.take().unwrap());
        store
            .transact_lessons(&owner, Ask::default(), decide)
            .await
            .unwrap();
    };
    tokio::runtime::Runtime::new().unwrap().block_on(work);
}

#[test]
fn lessons_move_along_also_of_learners_without_a_memory() {
    let world = furnished();
    teach(&world.store(), "ann");
    teach(&world.store(), "only-lessons");
    for outcome in ["moved", "equal"] {
        let moved = migrate(&world, "b.db", "");
        let lessons = moved["lessons"].as_array().unwrap();
        let names: Vec<&str> = lessons
            .iter()
            .map(|one| one["learner"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["ann", "only-lessons"]);
        assert!(
            lessons
                .iter()
                .all(|one| one["lessons"] == 1 && one["outcome"] == outcome)
        );
    }
    let one = migrate(&world, "c.db", " --learner only-lessons");
    assert_eq!(one["lessons"].as_array().unwrap().len(), 1);
    assert_eq!(one["memories"], json!([]));
    // Erasing the learner erases the lessons, and reports their number.
    let erased = world.json("erase --learner only-lessons --all-scopes --yes");
    assert_eq!(
        (&erased["lessons"], &erased["memories"]),
        (&json!(1), &json!(0))
    );
}
