//! `learn -- COMMAND`: the command runs unchanged, its result is learned, and advice is printed.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::world::{Ran, World, texts};

/// A tool that knows `show` and `load`, and names unknown words.
const TOOL: &str = "#!/bin/sh
case \"$1\" in
show) cat ;;
sort) [ \"$2\" = descending ] && echo \"ERROR at line 3: unknown direction 'descending', use desc\" >&2 && exit 1
    echo sorted ;;
*) echo \"ERROR at line 1: unknown command '$1'\" >&2; exit 2 ;;
esac
";

fn world() -> World {
    let world = World::new();
    world.file("grid", TOOL);
    world
}

/// `learn` with options around the tool; the tool is a script, so that no file must be made executable.
fn learn(world: &World, options: &[&str], tool: &[&str]) -> Ran {
    let arguments = [&["learn"], options, &["--", "sh", "grid"], tool].concat();
    world.run(&arguments)
}

/// The file of a program's report.
const REPORT: &str = "report.json";

/// The report of a program.
fn told(world: &World) -> Value {
    let text = fs::read_to_string(world.path(REPORT)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn streams_and_exit_code_are_those_of_the_command() {
    let world = world();
    let shown = world.run_with(&["learn", "--", "sh", "grid", "show"], "north,4200\n");
    assert_eq!(
        (shown.code, &*shown.out, &*shown.err),
        (0, "north,4200\n", "")
    );
    let failed = learn(&world, &[], &["LOAD"]);
    let direct = Command::new("sh")
        .arg(world.path("grid"))
        .arg("LOAD")
        .output()
        .unwrap();
    assert_eq!((failed.code, &*failed.out), (2, ""));
    assert_eq!(failed.err.as_bytes(), direct.stderr);
    // Options after the two dashes are the command's.
    let options = world.run(&["learn", "--", "echo", "--json", "-v", "--", "--store"]);
    assert_eq!((options.code, &*options.out), (0, "--json -v -- --store\n"));
}

#[test]
fn what_cannot_be_started_ends_as_in_a_shell_and_is_written_down() {
    let world = world();
    let missing = world.run(&["learn", "--report", REPORT, "--", "./no-such-tool"]);
    assert_eq!((missing.code, &*missing.out), (127, ""));
    let learned = told(&world);
    assert_eq!(learned["exit_code"], 127);
    assert!(
        learned["step"]["error"]["error"]
            .as_str()
            .unwrap()
            .contains("no-such-tool")
    );
    // A file without the right to be run.
    let refused = world.run(&["learn", "--", "./grid"]);
    assert_eq!(refused.code, 126, "{refused:?}");
    assert!(refused.err.contains("cannot be started"), "{refused:?}");
}

#[cfg(unix)]
#[test]
fn a_request_to_end_is_passed_on_and_still_written_down() {
    let world = world();
    let script = "trap 'echo bye >&2; exit 9' TERM; echo up; while :; do sleep 0.05; done";
    let mut command = world.command();
    command.args(["learn", "--", "sh", "-c", script]);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 3];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    assert_eq!(&first, b"up\n");
    // The handler is set within moments of the start; the child that catches nothing else stays up.
    std::thread::sleep(Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-s", "TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(9), "{ended:?}");
    let errors = world.json("errors list")["errors"].clone();
    assert_eq!(texts(&errors, "error"), ["bye"]);
}

#[test]
fn calls_of_one_run_are_one_story_and_leave_what_worked_in_the_end() {
    let world = world();
    assert_eq!(
        learn(&world, &["--run", "monday"], &["sort", "descending"]).code,
        1
    );
    assert_eq!(
        learn(&world, &["--run", "monday"], &["sort", "desc"]).code,
        0
    );
    let open = world.json("runs show monday");
    assert_eq!(open["ended_at"], Value::Null);
    assert_eq!(open["step_rows"].as_array().unwrap().len(), 2);
    assert_eq!(open["step_rows"][0]["failed"], true);
    assert_eq!(open["step_rows"][1]["failed"], false);
    let ended = world.json("runs end monday --passed");
    let rule = ended["learned"][0]["rule"].as_str().unwrap();
    assert!(
        rule.starts_with("WRONG") && rule.contains("CORRECT") && rule.contains("desc"),
        "{rule}"
    );
    // The same end again is the same, another one is refused.
    assert_eq!(world.json("runs end monday --passed")["repeated"], true);
    let other = world.run(&["runs", "end", "monday", "--failed", "--json"]);
    other.problem("operation_reused");
    // A call into a run that is over changes nothing about the command.
    let late = learn(&world, &["--run", "monday"], &["sort", "desc"]);
    assert_eq!((late.code, &*late.out), (0, "sorted\n"));
    assert!(late.err.contains("nothing was learned"), "{late:?}");
}

#[test]
fn a_hint_says_before_the_command_what_is_wrong_with_it_and_after_it_what_helps() {
    let world = world();
    learn(&world, &["--run", "monday"], &["sort", "descending"]);
    learn(&world, &["--run", "monday"], &["sort", "desc"]);
    world.json("runs end monday --passed");
    let quiet = learn(&world, &[], &["sort", "descending"]);
    assert!(!quiet.err.contains("; use `"), "{quiet:?}");
    let helped = learn(&world, &["--hint"], &["sort", "descending"]);
    assert_eq!((helped.code, &*helped.out), (1, ""));
    assert_eq!(helped.err.matches("; use `").count(), 2, "{helped:?}");
    // It is warned of before it runs, and runs all the same.
    let warned = helped.err.find("; use `");
    let complaint = helped.err.find("\nERROR at line 3");
    assert!(warned.is_some() && warned < complaint, "{helped:?}");
    let worked = learn(&world, &["--hint"], &["sort", "desc"]);
    assert_eq!((&*worked.out, &*worked.err), ("sorted\n", ""));
    // A call on its own is over before advice can be followed, so no use is counted.
    let health = world.json("health");
    assert_eq!(health["activations"], 0);
    let asked = learn(
        &world,
        &["--hint", "--report", REPORT, "--run", "tuesday"],
        &["sort", "descending"],
    );
    assert!(!asked.err.contains('{'), "{asked:?}");
    let hint = &told(&world)["hint"];
    let returned = hint["lessons"].as_array().unwrap().len() as u64;
    let withheld = hint["withheld"].as_u64().unwrap();
    assert!(returned + withheld >= 1, "{hint}");
    // The warning before it, by one of them, is a use of its own.
    assert_eq!(world.json("health")["activations"], returned + 1);
}

#[test]
fn a_command_that_floods_stderr_is_kept_in_part_and_passed_on_in_full() {
    let world = world();
    let script = "echo first >&2; i=0; while [ $i -lt 40000 ]; do echo \"noise $i xxxxxxxxxxxxxxxxxxxxxxxx\" >&2; \
                  i=$((i+1)); done; echo last >&2; exit 3";
    let ran = world.run(&["learn", "--", "sh", "-c", script]);
    assert_eq!((ran.code, ran.err.lines().count()), (3, 40_002));
    let error = texts(&world.json("errors list")["errors"], "error").remove(0);
    assert!(
        error.starts_with("first") && error.len() < 300_000,
        "{}",
        error.len()
    );
}

#[test]
fn binary_complaints_are_passed_on_as_they_are_and_kept_as_text() {
    let world = world();
    let script = "printf 'bad \\377\\000\\033[31m byte\\n' >&2; exit 4";
    let mut command = world.command();
    let output = command
        .args(["learn", "--", "sh", "-c", script])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(output.stderr, b"bad \xFF\x00\x1b[31m byte\n");
    let error = texts(&world.json("errors list")["errors"], "error").remove(0);
    assert!(
        error.starts_with("bad") && error.ends_with("byte"),
        "{error:?}"
    );
}

#[test]
fn what_a_command_leaves_running_does_not_hold_it_up() {
    let world = world();
    let began = Instant::now();
    let ran = world.run(&[
        "learn",
        "--",
        "sh",
        "-c",
        "sleep 60 >/dev/null 2>&1 & exit 0",
    ]);
    assert_eq!(ran.code, 0);
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_store_that_cannot_be_opened_changes_nothing_about_the_command() {
    let world = world();
    let folder = world.path("");
    let store = folder.to_str().unwrap();
    let ran = world.run(&[
        "learn",
        "--store",
        store,
        "--",
        "sh",
        "-c",
        "echo out; exit 5",
    ]);
    assert_eq!((ran.code, &*ran.out), (5, "out\n"));
    assert!(ran.err.contains("nothing was learned"), "{ran:?}");
}

#[test]
fn a_file_of_traces_leaves_its_lessons_once() {
    let world = world();
    let traces = concat!(
        r#"{"run": "a", "domain": "grid", "action": "grid sort descending", "error": "unknown direction 'descending'"}"#,
        "\n",
        r#"{"run": "a", "domain": "grid", "action": "grid sort desc", "exit_code": 0}"#,
        "\n",
        r#"{"action": "grid sort upward", "error": "unknown direction 'upward'", "exit_code": 1}"#,
        "\n",
    );
    let file = world.file("traces.jsonl", traces);
    let learned = world.json(&format!("learn {file}"));
    assert_eq!(
        (&learned["steps"], &learned["captured"]),
        (&Value::from(3), &Value::from(2))
    );
    assert_eq!(learned["runs"].as_array().unwrap().len(), 2);
    let lessons = world.json("lessons list")["lessons"].clone();
    let rules = texts(&lessons, "rule");
    assert!(
        rules.iter().any(|rule| rule.contains("CORRECT")),
        "{rules:?}"
    );
    let again = world.json(&format!("learn {file}"));
    assert_eq!(
        (&again["captured"], &again["repeated"]),
        (&Value::from(0), &Value::from(2))
    );
    assert_eq!(world.json("lessons list")["lessons"], lessons);
    // In a run of its own it stays open.
    world.json(&format!(
        "learn --run mine {}",
        world.file("one.jsonl", "{\"error\": \"boom\"}")
    ));
    assert_eq!(world.json("runs show mine")["ended_at"], Value::Null);
    let both = world.run(&["learn", &file, "--json", "--", "true"]);
    both.problem("invalid_usage");
    world.run(&["learn", "--json"]).problem("invalid_usage");
}

#[test]
fn traces_join_a_run_after_its_steps_and_only_once() {
    let world = world();
    learn(&world, &["--run", "mine"], &["sort", "descending"]);
    let steps = r#"[{"action": "grid sort up", "error": "unknown direction"}, {"action": "grid sort desc"}]"#;
    let file = world.file("steps.json", steps);
    for repeated in [0, 1] {
        let joined = world.json(&format!("learn --run mine {file}"));
        assert_eq!(joined["repeated"], repeated);
        let rows = world.json("runs show mine")["step_rows"].clone();
        assert_eq!(rows.as_array().unwrap().len(), 3, "{rows}");
    }
}

#[test]
fn steps_of_single_calls_get_numbers_of_their_own() {
    let world = world();
    let capture = |options: &[&str], step: &str| {
        let arguments = [&["errors", "capture", "--run", "s", "--json"], options].concat();
        world.run_with(&arguments, step)
    };
    let steps = [
        r#"{"action": "npm test", "error": "npm error Missing script: test", "exit_code": 1}"#,
        r#"{"action": "pytest tests/", "error": "bash: pytest: command not found", "exit_code": 127}"#,
        r#"{"action": "git push origin main", "error": "GH006: Protected branch update failed", "exit_code": 1}"#,
        r#"{"action": "git push origin HEAD:feature/x", "exit_code": 0}"#,
    ];
    for (number, step) in (1..).zip(steps) {
        let captured = capture(&[], step).document();
        assert_eq!(captured["steps"][0]["step"], number);
    }
    // Sent again under its id it is the same step.
    for repeated in [false, true] {
        let captured = capture(&["--call", "c1"], steps[0]).document();
        let step = &captured["steps"][0];
        assert_eq!(
            (&step["step"], &step["repeated"]),
            (&5.into(), &repeated.into())
        );
    }
    let taken = capture(
        &[],
        r#"{"step": 1, "action": "pytest", "error": "not found"}"#,
    );
    let message = taken.problem("step_taken");
    assert!(
        message.contains("step 1 of the run `s`") && message.contains("npm test"),
        "{message}"
    );
    capture(&[], r#"{"step": 0, "action": "pytest"}"#).problem("invalid_step");
    let learned = world.json("runs end s")["learned"].clone();
    for rule in texts(&learned, "rule") {
        let is_mixed = rule.contains("npm test") && !rule.contains("Missing script");
        assert!(!is_mixed, "{rule}");
    }
}

#[test]
fn both_streams_stay_the_commands_own_when_json_is_asked_for() {
    let world = world();
    let script = "echo out; echo err >&2; exit 3";
    let ran = world.run(&["learn", "--json", "--", "sh", "-c", script]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (3, "out\n", "err\n"));
    let behind = world.run(&["learn", "--report", "-", "--", "sh", "-c", script]);
    let (own, document) = behind.out.split_once('\n').unwrap();
    let document: Value = serde_json::from_str(document).unwrap();
    assert_eq!((own, &document["exit_code"]), ("out", &3.into()));
    assert_eq!(behind.err, "err\n");
}

#[test]
fn a_command_without_its_two_dashes_is_told_of_them() {
    let world = world();
    for words in [&["learn", "--json"][..], &["learn", "ls", "/x", "--json"]] {
        let ran = world.run(words);
        ran.problem("invalid_usage");
        assert!(ran.err.contains("learn --run ID -- "), "{ran:?}");
    }
    let ran = world.run(&["learn", "no-such-program"]);
    assert!(
        ran.code == 2 && ran.err.contains("learn -- no-such-program"),
        "{ran:?}"
    );
    let help = world.run(&["learn", "--help"]);
    assert!(
        help.out.contains("-- COMMAND") && help.out.contains("It is the --run"),
        "{help:?}"
    );
}
