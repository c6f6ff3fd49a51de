//! The command `clbench` over rows made here, with a scripted model whose answers are known.
//!
//! Four tasks each of 30 contexts. A task is solved, applied wrongly, ignored or declined by its number; the lessons of
//! a context, which only a run with memory has, fix the wrong applications.

use std::fmt::Write as _;
use std::fs;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use hindlore_testkit::{ModelAnswer, ModelAsked, ScriptedModel};
use serde_json::{Value, json};

use crate::world::World;

const CONTEXTS: usize = 30;
const TASKS: usize = 4 * CONTEXTS;

/// The model's result for a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Solved,
    Misused,
    Ignored,
    Refused,
}

fn fate(task: usize, knows: bool) -> Fate {
    match task % 5 {
        0 => Fate::Refused,
        1 if knows => Fate::Solved,
        1 => Fate::Misused,
        2 => Fate::Ignored,
        _ => Fate::Solved,
    }
}

fn fee(task: usize) -> usize {
    100 + task
}

fn rows() -> String {
    let mut text = String::new();
    for task in 0..TASKS {
        let context = task / 4;
        let category = ["harbours", "islands"][context % 2];
        let row = json!({
            "messages": [
                {"role": "system", "content": format!("The ferries of island {context} have fees by berth.")},
                {"role": "user", "content": format!("Berth {task} costs {} coins.", fee(task))},
                {"role": "assistant", "content": "Noted."},
                {"role": "user", "content": format!("Which fee has berth {task} of the island?")},
            ],
            "rubrics": [
                {"rubric_criteria": format!("States that the ferry berth costs \"{} coins\".", fee(task))},
                "Is formatted with the word \"fee\".",
            ],
            "metadata": {"task_id": format!("t{task}"), "context_id": format!("c{context}"),
                "context_category": category, "sub_category": "fees"},
        });
        writeln!(text, "{row}").unwrap();
    }
    text
}

/// The number after a word, at its last occurrence.
fn number_behind(text: &str, word: &str) -> usize {
    let (_, behind) = text.rsplit_once(word).unwrap();
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

fn answer(task: usize, knows: bool) -> String {
    match fate(task, knows) {
        Fate::Solved => format!("The fee is {} coins.", fee(task)),
        Fate::Misused => "The fee: this ferry berth costs 7 coins.".to_owned(),
        Fate::Ignored => "A fee? What fine weather.".to_owned(),
        Fate::Refused => "I cannot say; a fee is unknown.".to_owned(),
    }
}

fn script(asked: &ModelAsked) -> ModelAnswer {
    let text = asked.text();
    if text.contains("Judge an answer by a numbered list") {
        let fee = number_behind(&text, "berth costs \"");
        let met = text.contains(&format!("fee is {fee} coins"));
        let word = |met: bool| if met { "yes" } else { "no" };
        // A judge whose own number contradicts its list where the number of the task can be divided by seven.
        let score = usize::from(met != (fee - 100).is_multiple_of(7));
        return ModelAnswer::json(&json!({
            "grading_rationale": "by the list", "requirement_status": [word(met), "yes"], "score": score,
        }));
    }
    if text.contains("does not meet a requirement") {
        let label = if text.contains("costs 7 coins") {
            "context_misused"
        } else {
            "context_ignored"
        };
        return ModelAnswer::json(&json!({"labels": [label]}));
    }
    if text.contains("Judge whether") {
        return ModelAnswer::json(&json!({"verdict": "unknown", "reason": "nobody can know it"}));
    }
    if text.contains("bullet_tags") {
        return ModelAnswer::json(&json!({
            "lessons": [{"content": "Ferry berths of this island are told by their coins.", "type": "domain", "tags": []}],
            "bullet_tags": [],
        }));
    }
    let task = number_behind(&text, "Which fee has berth ");
    ModelAnswer::text(answer(task, text.contains("told by their coins")))
}

fn world(server: &ScriptedModel) -> World {
    let mut world = World::new();
    let url = server.url();
    for (name, value) in [
        ("HINDLORE_MODEL_VENDOR", "openai"),
        ("HINDLORE_MODEL", "scripted"),
        ("HINDLORE_MODEL_URL", url.as_str()),
        ("HINDLORE_MODEL_RETRIES", "0"),
    ] {
        world.set(name, value);
    }
    world.file("rows.jsonl", rows());
    world
}

/// Tasks by fate: in a run with memory all tasks of a context but its first have its lessons.
fn expected(with_memory: bool, wanted: Fate) -> usize {
    (0..TASKS)
        .filter(|task| fate(*task, with_memory && task % 4 > 0) == wanted)
        .count()
}

fn lines(world: &World, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(world.path(name)).unwrap_or_default();
    let read = |line: &str| serde_json::from_str(line).unwrap();
    text.lines().map(read).collect()
}

fn count_of(tasks: usize) -> f64 {
    f64::from(u32::try_from(tasks).unwrap())
}

#[test]
fn the_shares_of_a_run_are_those_counted_by_hand_and_the_paired_test_is_exact() {
    let server = ScriptedModel::start(script).unwrap();
    let world = world(&server);
    for (name, option) in [("with", ""), ("without", " --without-memory")] {
        let inferred = world.json(&format!("clbench infer rows.jsonl --out {name}.1{option}"));
        assert_eq!(
            (&inferred["done"], &inferred["failed"]),
            (&json!(TASKS), &json!(0))
        );
        world.json(&format!("clbench grade {name}.1 --out {name}.2"));
        world.json(&format!("clbench errors {name}.2 --out {name}.3"));
        let report = world.json(&format!("clbench report {name}.3"));
        let with_memory = name == "with";
        let [solved, misused, ignored, refused] =
            [Fate::Solved, Fate::Misused, Fate::Ignored, Fate::Refused]
                .map(|fate| expected(with_memory, fate));
        assert_eq!(report["overall"], json!({"tasks": TASKS, "solved": solved}));
        for (label, tasks) in [
            ("context_misused", misused),
            // A declined task does not mention the context either.
            ("context_ignored", ignored + refused),
            ("format_error", 0),
            ("refusal", refused),
        ] {
            let row = report["errors"]
                .as_array()
                .unwrap()
                .iter()
                .find(|row| row["label"] == label)
                .unwrap();
            assert_eq!(row["tasks"], json!(tasks), "{label}");
            let share = count_of(tasks) * 100.0 / count_of(TASKS);
            assert!(
                (row["percent"].as_f64().unwrap() - share).abs() < 1e-9,
                "{label}: {row}"
            );
        }
        assert_eq!(
            report["disagreements"],
            json!((0..TASKS).filter(|task| task % 7 == 0).count())
        );
        assert!(
            report["published"].as_str().unwrap().contains("GPT-5.1"),
            "{report}"
        );
    }
    let paired = world.json("clbench report with.3 --baseline without.3")["paired"].clone();
    let won = expected(true, Fate::Solved) - expected(false, Fate::Solved);
    assert_eq!(
        (&paired["only_first"], &paired["only_second"]),
        (&json!(0), &json!(won))
    );
    let p = 2.0 * 0.5_f64.powi(i32::try_from(won).unwrap());
    assert!(
        (paired["p"].as_f64().unwrap() / p - 1.0).abs() < 1e-9,
        "{paired}, {p}"
    );
    let row = lines(&world, "with.3").remove(3);
    assert_eq!(row["requirement_status"], json!(["yes", "yes"]));
    assert_eq!(
        row["messages"].as_array().unwrap().len(),
        4,
        "turns of the assistant are kept"
    );
}

#[test]
fn rows_that_failed_are_tried_again_and_the_others_are_not() {
    let failing = Arc::new(AtomicUsize::new(1));
    let calls = Arc::new(Mutex::new(Vec::new()));
    let (fails, called) = (Arc::clone(&failing), Arc::clone(&calls));
    let server = ScriptedModel::start(move |asked| {
        let text = asked.text();
        let task = number_behind(&text, "Which fee has berth ");
        called.lock().unwrap().push(task);
        if task % 10 == 3 && fails.load(Ordering::Relaxed) == 1 {
            return ModelAnswer::Status(500);
        }
        script(asked)
    })
    .unwrap();
    let world = world(&server);
    let first = world.run(&[
        "clbench",
        "infer",
        "rows.jsonl",
        "--out",
        "out",
        "--without-memory",
        "--json",
    ]);
    let failed = (0..TASKS).filter(|task| task % 10 == 3).count();
    assert_ne!(first.code, 0, "a run with failed rows is not done");
    assert_eq!(first.document()["failed"], json!(failed), "{first:?}");
    let errors = lines(&world, "out")
        .iter()
        .filter(|row| row["error"].is_string())
        .count();
    assert_eq!(errors, failed);
    failing.store(0, Ordering::Relaxed);
    calls.lock().unwrap().clear();
    let second = world.json("clbench infer rows.jsonl --out out --without-memory");
    assert_eq!(
        (&second["kept"], &second["done"]),
        (&json!(TASKS - failed), &json!(failed))
    );
    assert!(
        calls.lock().unwrap().iter().all(|task| task % 10 == 3),
        "{calls:?}"
    );
    let all = lines(&world, "out");
    assert!(
        all.iter()
            .enumerate()
            .all(|(place, row)| row["idx"] == json!(place) && row["error"].is_null())
    );
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_rows() {
    let slow = |asked: &ModelAsked| ModelAnswer::Slow(3, Box::new(script(asked)));
    let server = ScriptedModel::start(slow).unwrap();
    let whole = world(&server);
    whole.json("clbench infer rows.jsonl --out out --contexts 12");
    let outputs = |world: &World| -> Vec<Value> {
        lines(world, "out")
            .iter()
            .map(|row| row["model_output"].clone())
            .collect()
    };
    let world = world(&server);
    for most in [5, 17, 30] {
        let mut child: Child = world
            .command()
            .args([
                "clbench",
                "infer",
                "rows.jsonl",
                "--out",
                "out",
                "--contexts",
                "12",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while fs::read_to_string(world.path("out"))
            .unwrap_or_default()
            .lines()
            .count()
            < most
        {
            assert!(
                child.try_wait().unwrap().is_none(),
                "it ended before it was killed"
            );
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ended = world.json("clbench infer rows.jsonl --out out --contexts 12");
    assert!(ended["kept"].as_u64().unwrap() >= 30, "{ended}");
    assert_eq!(outputs(&world), outputs(&whole));
}

#[test]
fn without_a_model_each_pass_works_by_rules_and_says_so_once() {
    let world = World::new();
    world.file("rows.jsonl", rows());
    for (pass, from, out) in [
        ("infer", "rows.jsonl", "1"),
        ("grade", "1", "2"),
        ("errors", "2", "3"),
    ] {
        let ran = world.run(&["clbench", pass, from, "--out", out]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(
            ran.err.matches("no model is configured").count(),
            1,
            "{}",
            ran.err
        );
    }
    let report = world.json("clbench report 3");
    assert_eq!(report["overall"]["tasks"], json!(TASKS));
    let missing = world.run(&["clbench", "report", "missing", "--json"]);
    assert!(missing.problem("no_file").contains("missing"));
}

/// A row that was answered, of the context that names the red gate.
fn answered(task: &str, output: &str) -> Value {
    json!({
        "messages": [{"role": "user", "content": "The red gate opens at noon.\n\nWhich gate opens at noon?"}],
        "rubrics": ["Names the red gate.", "Is short."],
        "metadata": {"task_id": task, "context_id": "c"},
        "model_output": output,
    })
}

fn file_of(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

#[test]
fn an_empty_answer_is_a_refusal_that_no_model_judges() {
    let server = ScriptedModel::in_turn(vec![ModelAnswer::Status(400)]).unwrap();
    let world = world(&server);
    world.file("1", file_of(&[answered("a", ""), answered("b", " \n")]));
    let graded = world.json("clbench grade 1 --out 2");
    assert_eq!((&graded["done"], &graded["failed"]), (&json!(2), &json!(0)));
    world.json("clbench errors 2 --out 3");
    for row in lines(&world, "3") {
        assert_eq!(row["score"], 0);
        assert_eq!(row["requirement_status"], json!(["no", "no"]));
        assert_eq!(row["error_labels"], json!({"row": ["refusal"]}));
    }
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn the_classifier_sees_the_context_and_the_reason_of_the_judge() {
    let server = ScriptedModel::start(script).unwrap();
    let world = world(&server);
    let mut row = answered("a", "The blue gate.");
    for (name, value) in [
        ("score", json!(0)),
        ("requirement_status", json!(["no", "yes"])),
        ("grading_rationale", json!("It names another gate.")),
    ] {
        row[name] = value;
    }
    world.file("2", file_of(&[row]));
    world.json("clbench errors 2 --out 3");
    let asked = server.asked();
    assert_eq!(asked.len(), 1, "only the unmet requirement is classified");
    for part in [
        "opens at noon",
        "another gate",
        "blue gate",
        "Names the red gate",
    ] {
        assert!(asked[0].text().contains(part), "{part}");
    }
}

#[test]
fn passes_explain_why_rows_failed_and_a_report_over_nothing_is_none() {
    let server = ScriptedModel::in_turn(vec![ModelAnswer::Status(400)]).unwrap();
    let world = world(&server);
    let mut unanswered = answered("c", "");
    unanswered["model_output"] = Value::Null;
    let rows = [answered("a", "Red."), answered("b", "Blue."), unanswered];
    world.file("1", file_of(&rows));
    let graded = world.run(&["clbench", "grade", "1", "--out", "2"]);
    assert_eq!(graded.code, 3, "{graded:?}");
    assert!(graded.out.contains("2 rows: "), "{}", graded.out);
    assert!(graded.out.contains("400"), "{}", graded.out);
    assert!(graded.out.contains("1 row: there is no answer to judge"));
    let labelled = world.run(&["clbench", "errors", "2", "--out", "3"]);
    assert_eq!(labelled.code, 3, "{labelled:?}");
    assert!(labelled.out.contains("3 rows: the row is not graded"));
    for report in [
        &["clbench", "report", "2", "--baseline", "2"][..],
        &["clbench", "report", "2"],
    ] {
        let report = world.run(report);
        assert_eq!(report.code, 1, "{report:?}");
        assert!(
            report.out.contains("none of 3 rows is graded"),
            "{}",
            report.out
        );
        assert!(!report.out.contains("95 %"), "{}", report.out);
    }
}

#[test]
fn the_control_sends_a_task_as_it_is_and_the_published_method_is_one_flag() {
    let server = ScriptedModel::start(script).unwrap();
    let world = world(&server);
    world.json("clbench infer rows.jsonl --out control --contexts 1 --without-memory");
    let first = &lines(&world, "rows.jsonl")[0];
    let asked = server.asked();
    assert_eq!(asked.len(), 4, "one call for each task");
    assert_eq!(asked[0].body["messages"], first["messages"]);
    world.json("clbench infer rows.jsonl --out published --contexts 1 --published");
    let asked = &server.asked()[4];
    let text = asked.text();
    let places = [
        "coins.",
        "Before answering, go through the context",
        "Which fee has berth 0",
    ];
    let places = places.map(|part| text.find(part).unwrap());
    assert!(places.is_sorted(), "advice comes after the context: {text}");
    let memories = world.json("memory list");
    let scope = memories["memories"][0]["scope"].as_str().unwrap();
    let policy = world.json(&format!("policy show --scope {scope}"))["policy"].clone();
    assert_eq!(policy["profile"], "cl-bench", "{policy}");
    assert_eq!(policy["max_bullets"], 100, "{policy}");
}

#[test]
fn a_way_of_working_can_be_named_and_words_of_a_context_choose_none() {
    let server = ScriptedModel::start(|_| {
        ModelAnswer::json(&json!({
            "thoughts": [{"thought": "red", "rating": 1}], "final_answer": "red", "verdict": "unknown", "reason": "",
        }))
    })
    .unwrap();
    let world = world(&server);
    let mut row = answered("a", "");
    let context = "Calculate and compare the options of a plan. ".repeat(30);
    row["messages"][0]["content"] = json!(format!("{context}\n\nWhich gate opens?"));
    world.file("1", file_of(&[row]));
    for (option, mark, is_used) in [
        ("", "next thoughts", false),
        ("", "You may use tools", false),
        (" --mode tot", "next thoughts", true),
        (" --mode react", "You may use tools", true),
        (" --mode react --without-memory", "memory_search", false),
    ] {
        let before = server.asked().len();
        let out = format!("out{}", before);
        world.json(&format!("clbench infer 1 --out {out}{option}"));
        let asked = server.asked()[before].text();
        assert_eq!(asked.contains(mark), is_used, "{option}: {asked}");
    }
    let wrong = world.run(&[
        "clbench", "infer", "1", "--out", "o", "--mode", "guess", "--json",
    ]);
    assert!(wrong.problem("invalid_request").contains("guess"));
}
