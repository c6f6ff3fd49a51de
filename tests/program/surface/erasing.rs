//! The command `erase`: it reports erased rows, remains, and bytes that were not wiped; its receipts can be shown.

use serde_json::{Value, json};

use crate::world::{Ran, World, texts};

/// A learner with a memory in two scopes, and a run that left an error and a lesson.
fn world() -> World {
    let world = World::seeded();
    world.apply_to(
        &json!([{"op": "ADD", "content": "a note in another scope"}]),
        &["--scope", "second"],
    );
    let steps = json!([
        {"run": "r1", "task": "report", "domain": "grid", "tool": "gridtool", "action": "TALLY region -> n=SUM(total)",
            "error": "ERROR at line 3: unknown function SUM, use sum", "exit_code": 1},
        {"run": "r1", "task": "report", "domain": "grid", "tool": "gridtool", "action": "TALLY region -> n=sum(total)",
            "exit_code": 0},
    ]);
    let captured = world.run_with(&["errors", "capture", "-"], steps.to_string());
    assert_eq!(captured.code, 0, "{captured:?}");
    world.json("runs end r1 --passed");
    world
}

fn erase(world: &World, words: &str) -> Ran {
    let mut arguments = vec!["erase"];
    arguments.extend(words.split_whitespace());
    world.run(&arguments)
}

#[test]
fn one_memory_goes_and_what_is_left_is_named_with_its_command() {
    let world = world();
    let erased = world.json("erase --learner default --yes");
    let remains = &erased["remains"];
    assert_eq!(
        (
            &erased["memories"],
            &remains["memories"],
            &remains["lessons"],
            &remains["runs"],
            &remains["errors"]
        ),
        (&json!(1), &json!(1), &json!(1), &json!(1), &json!(1))
    );
    let command = remains["command"].as_str().unwrap();
    let text = erase(&world, "--learner default --scope second --yes");
    assert_eq!(text.code, 0, "{text:?}");
    assert!(
        text.out.contains("remain: 1 lesson, 1 run, 1 error") && text.out.contains(command),
        "{text:?}"
    );
    // The command is one that does it.
    let words = format!("{} --yes", command.strip_prefix("hindlore ").unwrap());
    let rest = world.json(&words);
    assert_eq!((&rest["lessons"], rest.get("remains")), (&json!(1), None));
    for words in ["errors list", "runs list", "lessons list", "memory list"] {
        assert_eq!(
            world.run(&words.split(' ').collect::<Vec<_>>()).code,
            1,
            "{words}"
        );
    }
}

#[test]
fn of_nobody_a_sentence_is_said() {
    let world = world();
    for words in [
        "--learner nobody",
        "--learner nobody --yes",
        "--learner nobody --all-scopes --yes",
    ] {
        let ran = erase(&world, words);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(
            ran.out.contains("nothing of") && ran.out.contains("nobody"),
            "{ran:?}"
        );
        assert!(!ran.out.contains('0'), "{ran:?}");
    }
    assert_eq!(erase(&world, "--receipts").code, 1);
}

#[test]
fn the_question_says_how_much_will_go() {
    let world = world();
    let asked = world.run(&["erase", "--learner", "default", "--all-scopes", "--json"]);
    let message = asked.problem("needs_consent");
    for part in ["2 memories", "bullets", "1 lesson", "1 run", "1 error"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn single_records_go_with_a_receipt_and_receipts_name_nobody() {
    let world = world();
    let error = world.json("errors list")["errors"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let lesson = world.json("lessons list")["lessons"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let gone = world.json(&format!("erase --learner default --error {error} --yes"));
    assert_eq!(
        (&gone["errors"], &gone["receipt"]["extent"]),
        (&json!(1), &json!("error"))
    );
    assert_eq!(gone["resting"], json!([lesson]));
    let gone = world.json(&format!("erase --learner default --lesson {lesson} --yes"));
    assert_eq!(
        (&gone["lessons"], &gone["receipt"]["wiped"]),
        (&json!(1), &json!(true))
    );
    let gone = world.json("erase --learner default --run r1 --yes --author zoe");
    assert_eq!(
        (&gone["runs"], &gone["receipt"]["author"]),
        (&json!(1), &json!("zoe"))
    );
    assert_eq!(world.run(&["runs", "list"]).code, 1);
    for (words, code) in [
        (format!("--error {error}"), "no_error"),
        (format!("--lesson {lesson}"), "no_lesson"),
        ("--run r1".to_owned(), "no_run"),
        ("--error nonsense".to_owned(), "invalid_id"),
    ] {
        let ran = erase(&world, &format!("--learner default {words} --yes --json"));
        ran.problem(code);
    }
    let shown = world.json("erase --receipts");
    let mut extents = texts(&shown["receipts"], "extent");
    extents.sort_unstable();
    assert_eq!(extents, ["error", "lesson", "run"]);
    assert!(!shown.to_string().contains("default"), "{shown}");
    assert_eq!(erase(&world, "--receipts --learner other").code, 1);
    let found: Value = world.json("erase --receipts --learner default");
    assert_eq!(found, shown);
    let listed = erase(&world, "--receipts");
    assert!(
        listed.out.contains("1 lesson") && listed.out.contains("zoe"),
        "{listed:?}"
    );
}

#[test]
fn what_is_not_wiped_is_in_the_answer_and_in_the_exit_code() {
    let mut world = world();
    world.set("HINDLORE_BUSY_TIMEOUT_MS", "100");
    let reader = rusqlite::Connection::open(world.path("memory.db")).unwrap();
    reader
        .execute_batch("BEGIN; SELECT * FROM bullets")
        .unwrap();
    let ran = erase(&world, "--learner default --all-scopes --yes --json");
    assert_eq!(ran.code, 3, "{ran:?}");
    let answer = ran.document();
    assert_eq!(
        (&answer["memories"], &answer["receipt"]["wiped"]),
        (&json!(2), &json!(false))
    );
    assert!(
        answer["not_wiped"]["reason"]
            .as_str()
            .unwrap()
            .contains("log"),
        "{answer}"
    );
    let wipe = erase(&world, "--wipe");
    assert_eq!(wipe.code, 3, "{wipe:?}");
    assert!(
        wipe.out.contains("not yet wiped") && wipe.out.contains("do: "),
        "{wipe:?}"
    );
    drop(reader);
    assert_eq!(world.json("erase --wipe"), json!({"wiped": true}));
    assert_eq!(world.json("erase --receipts")["receipts"][0]["wiped"], true);
}

/// Records of others about a learner: both ends of its grants, a key for it alone, and its name in a text.
#[test]
fn with_a_learner_goes_what_others_keep_of_it() {
    let world = World::seeded();
    for (learner, text) in [("ann", "a text of ann"), ("bob", "ask ann before you sail")] {
        let ran = world.run(&["add", text, "--learner", learner, "--json"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    world.json("grant user:zoe viewer --learner ann");
    world.json("grant agent:ann viewer --learner bob");
    world.json("groups member crew agent:ann");
    world.json("key create for-ann --only-learner ann");
    world.json("key create for-all");
    let erased = world.json("erase --learner ann --all-scopes --yes");
    let kept: Vec<&str> = erased["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(kind)
        .collect();
    let named = |what: &str| kept.iter().any(|kind| kind.starts_with(what));
    assert!(named("receipts") && named("bullets of others"), "{erased}");
    let notes = erased["notes"].to_string();
    assert!(
        notes.contains("1 API key") && notes.contains("exports and backups"),
        "{notes}"
    );
    let keys = world.json("key list");
    assert_eq!(texts(&keys["keys"], "name"), ["for-all"]);
    for (words, gone) in [
        ("share subjects --of learner --learner bob", "ann"),
        ("groups show crew", "agent:ann"),
        ("share objects --subject user:zoe", "ann"),
    ] {
        let shown = world.run(&words.split(' ').collect::<Vec<_>>());
        assert!(!shown.out.contains(gone), "{words}: {shown:?}");
    }
    let wiped = erase(&world, "--wipe");
    assert!(
        wiped.code == 0 && wiped.out.contains("neither the file nor its log"),
        "{wiped:?}"
    );
}

fn kind(kept: &Value) -> &str {
    kept["kind"].as_str().unwrap()
}
