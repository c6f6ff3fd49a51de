//! The commands about errors, lessons and runs: their output is true, in both forms.

use serde_json::{Value, json};

use crate::world::{World, has_fields, texts};

const ERROR: &str = "ERROR at line 3: unknown function SUM, use sum";

/// A world in which one run failed, mended itself and passed.
fn learned() -> (World, String) {
    let world = World::new();
    let steps = json!([
        {"run": "r1", "task": "report", "domain": "grid", "tool": "gridtool", "action": "TALLY region -> n=SUM(total)",
            "error": ERROR, "exit_code": 1},
        {"run": "r1", "task": "report", "domain": "grid", "tool": "gridtool", "action": "TALLY region -> n=sum(total)",
            "exit_code": 0},
    ]);
    let captured = world.run_with(&["errors", "capture", "-", "--json"], steps.to_string());
    assert_eq!(captured.code, 0, "{captured:?}");
    let captured = captured.document();
    assert_eq!(
        (&captured["captured"], &captured["worked"]),
        (&json!(1), &json!(1))
    );
    let ended = world.json("runs end r1 --passed");
    let lesson = ended["learned"][0]["lesson"].as_str().unwrap().to_owned();
    (world, lesson)
}

fn ask(world: &World, run: &str) -> Value {
    let arguments = [
        "lessons",
        "retrieve",
        "--run",
        run,
        "--error",
        ERROR,
        "--action",
        "TALLY x -> n=SUM(y)",
        "--domain",
        "grid",
        "--tool",
        "gridtool",
        "--json",
    ];
    let ran = world.run(&arguments);
    assert!(ran.code < 2, "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

/// A run that is no control run; which runs are is decided by their names.
fn helped(world: &World) -> (String, Value) {
    let mut runs = (2..40).map(|number| format!("r{number}"));
    let found = runs.find_map(|run| {
        let answer = ask(world, &run);
        (answer["withheld"] == 0).then_some((run, answer))
    });
    found.unwrap()
}

#[test]
fn nothing_is_found_where_nothing_was_learned() {
    let world = World::new();
    for words in [
        "errors list",
        "lessons list",
        "lessons conflicts",
        "runs list",
        "lessons retrieve make a report",
    ] {
        let mut arguments: Vec<&str> = words.split(' ').collect();
        let text = world.run(&arguments);
        assert_eq!(text.code, 1, "{words}: {text:?}");
        arguments.push("--json");
        let document = world.run(&arguments);
        assert_eq!(
            (document.code, document.out.lines().count()),
            (1, 1),
            "{words}: {document:?}"
        );
    }
    let health = world.json("health");
    assert_eq!(
        (&health["errors"], &health["precision"]),
        (&json!(0), &Value::Null)
    );
}

#[test]
fn a_lesson_is_listed_shown_and_found_with_its_reasons() {
    let (world, lesson) = learned();
    let listed = world.json("lessons list --status candidate");
    assert_eq!(texts(&listed["lessons"], "id"), [lesson.as_str()]);
    assert_eq!(
        world.run(&["lessons", "list", "--status", "promoted"]).code,
        1
    );
    let shown = world.json(&format!("lessons show {lesson}"));
    has_fields(
        &shown,
        "id rule status reliability triggers tags sources decisions activations conflicts",
    );
    assert_eq!(shown["sources"][0]["run"], "r1");
    let (run, answer) = helped(&world);
    let hit = &answer["lessons"][0];
    assert_eq!(hit["id"], lesson.as_str());
    let part = |name: &str| hit["parts"][name].as_f64().unwrap();
    let sum = 0.40 * part("fingerprint_match")
        + 0.25 * part("tag_overlap")
        + 0.20 * part("text_similarity")
        + 0.10 * part("reliability")
        + 0.05 * part("recency");
    assert!((sum - hit["score"].as_f64().unwrap()).abs() < 1e-9, "{hit}");
    let activation = hit["activation"].as_str().unwrap();
    let explained = world.json(&format!("lessons explain {activation}"));
    assert_eq!(
        (&explained["run"], &explained["outcome"]),
        (&json!(run), &Value::Null)
    );
    let text = world.run(&["lessons", "explain", &lesson]);
    assert!(
        text.out.contains(activation) && text.out.contains("open until"),
        "{}",
        text.out
    );
    let followed = json!({"run": run, "step": 2, "action": "TALLY x -> n=sum(y)", "exit_code": 0});
    world.run_with(&["errors", "capture", "-"], followed.to_string());
    let ended = world.json(&format!("runs end {run} --passed"));
    assert_eq!(ended["settled"][0]["row"], "cured", "{ended}");
    let explained = world.json(&format!("lessons explain {activation}"));
    let outcome = &explained["outcome"];
    assert!(outcome["utility"].as_f64().unwrap() > 0.0, "{explained}");
    let row = &outcome["row"];
    assert_eq!(
        (&row["kind"], &row["followed_step"]),
        (&json!("cured"), &json!(2))
    );
    let text = world.run(&["lessons", "explain", activation]);
    assert!(
        text.out.contains("cured: followed at step 2"),
        "{}",
        text.out
    );
    assert_eq!(world.json("health")["helped"], 1);
    let shown = world.json(&format!("runs show {run}"));
    assert_eq!(texts(&shown["activations"], "id"), [activation]);
}

#[test]
fn errors_are_listed_by_run_fingerprint_task_and_domain() {
    let (world, _) = learned();
    let all = world.json("errors list");
    assert_eq!(texts(&all["errors"], "error"), [ERROR]);
    let fingerprint = texts(&all["errors"], "fingerprint").remove(0);
    for which in [
        "--run r1",
        "--task report",
        "--domain grid --tool gridtool",
        &format!("--fingerprint {fingerprint}"),
    ] {
        assert_eq!(
            world.json(&format!("errors list {which}"))["errors"],
            all["errors"],
            "{which}"
        );
    }
    assert_eq!(world.run(&["errors", "list", "--run", "r2"]).code, 1);
    let text = world.run(&["errors", "list"]);
    assert!(
        text.out.contains("FINGERPRINT") && text.out.contains(&fingerprint),
        "{}",
        text.out
    );
}

#[test]
fn a_person_takes_a_lesson_out_of_use_and_back() {
    let (world, lesson) = learned();
    let review =
        |to: &str| world.json(&format!("lessons review {lesson} --to {to} --note checked"));
    assert_eq!(review("suppressed")["status"], "suppressed");
    assert!(ask(&world, "r9")["lessons"].as_array().unwrap().is_empty());
    assert_eq!(review("candidate")["status"], "candidate");
    let shown = world.json(&format!("lessons show {lesson}"));
    assert_eq!(texts(&shown["reviews"], "to"), ["suppressed", "candidate"]);
    let text = world.run(&["lessons", "show", &lesson]);
    assert!(
        text.out.contains("reviewed") && text.out.contains("checked"),
        "{}",
        text.out
    );
}

#[test]
fn an_outcome_is_kept_once() {
    let (world, _) = learned();
    let (_, answer) = helped(&world);
    let activation = answer["lessons"][0]["activation"].as_str().unwrap();
    let words = format!("lessons outcome {activation} --error-reduction 0.5 --step-gain -0.25");
    let taken = world.json(&words);
    assert!((taken["utility"].as_f64().unwrap() - (0.65 * 0.5 - 0.35 * 0.25)).abs() < 1e-9);
    assert_eq!(world.json(&words)["repeated"], true);
    assert_eq!(world.json("health")["helped"], 1);
}

#[test]
fn lessons_of_one_learner_are_not_those_of_another() {
    let (world, lesson) = learned();
    for other in [["--learner", "other"], ["--tenant", "other"]] {
        for words in ["lessons list", "errors list", "runs list"] {
            let arguments = [words.split(' ').collect::<Vec<_>>(), other.to_vec()].concat();
            assert_eq!(world.run(&arguments).code, 1, "{arguments:?}");
        }
        let arguments = [&["lessons", "show", &lesson, "--json"][..], &other[..]].concat();
        world.run(&arguments).problem("no_lesson");
    }
}

#[test]
fn lessons_and_errors_of_the_original_come_in_once_and_stay_out_of_use() {
    let world = World::new();
    let rows = [
        json!({"rule_text": "WRONG SUM(x) -> CORRECT sum(x)", "status": "suppressed", "trigger_fingerprints": ["ef_01"],
            "memory_schema": "lesson_store_v2", "domain": "grid", "reliability": 0.2}),
        json!({"rule_text": "Quote paths that hold blanks", "trigger_fingerprints": [], "domain": "grid"}),
        json!({"channel": "hard_failure", "error": "unknown column", "fingerprint": "ef_02", "action": "PICK x",
            "timestamp": "2026-01-02T03:04:05Z", "metadata": {"session_id": 4, "step": 2}}),
    ];
    let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
    let file = world.file("lessons.jsonl", lines.join("\n"));
    let imported = world.json(&format!("import --format classic-lessons {file}"));
    assert_eq!(
        (&imported["read"], &imported["added"], &imported["errors"]),
        (&json!(3), &json!(2), &json!(1))
    );
    assert_eq!(imported["lessons"].as_array().unwrap().len(), 2);
    let again = world.json(&format!("import --format classic-lessons {file}"));
    assert_eq!(
        (&again["repeated"], &again["errors"]),
        (&json!(true), &json!(0))
    );
    let suppressed = world.json("lessons list --status suppressed");
    assert_eq!(suppressed["lessons"].as_array().unwrap().len(), 1);
    // The event belongs to a run that is long over; it may have left a lesson of its own by now.
    let all = texts(&world.json("lessons list")["lessons"], "id");
    let came = imported["lessons"].as_array().unwrap();
    let is_there = |id: &Value| all.iter().any(|known| id == known.as_str());
    assert!(came.iter().all(is_there), "{all:?}");
    let bad = world.file(
        "bad.jsonl",
        "{\"rule_text\": \"Read the log first\"}\n[1]\n",
    );
    let refused = world.run(&["import", "--format", "classic-lessons", &bad, "--json"]);
    assert!(refused.problem("bad_records").contains("line 2"));
    let lenient = world.json(&format!("import --format classic-lessons {bad} --skip-bad"));
    assert_eq!(
        (&lenient["added"], &lenient["skipped"][0]["line"]),
        (&json!(1), &json!(2))
    );
}
