//! `learn FILE` and `errors capture` take the files that people have.

use serde_json::json;

use crate::world::{World, texts};

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../../src/trace/tests/files/", $name)).as_slice()
    };
}

#[test]
fn a_session_of_an_agent_leaves_its_lesson() {
    let world = World::new();
    let path = world.file("anything.txt", file!("claude_code.jsonl"));
    let learned = world.json(&format!("learn {path}"));
    assert_eq!(learned["format"], "claude-code");
    assert_eq!(
        (&learned["steps"], &learned["captured"]),
        (&7.into(), &4.into())
    );
    assert_eq!(learned["skipped"][0]["line"], 15);
    assert_eq!(texts(&learned["runs"], "run"), ["s1", "s1-agent-9", "s2"]);
    let rules = texts(&learned["runs"][0]["learned"], "rule");
    let is_right = |rule: &String| rule.starts_with("WRONG python ");
    assert!(rules.iter().any(is_right), "{rules:?}");
    assert!(
        !rules
            .iter()
            .any(|rule| rule.contains("sleep") || rule.contains("rm -rf"))
    );
    // The same file is the same evidence.
    let again = world.json(&format!("learn {path}"));
    assert_eq!(
        (&again["captured"], &again["repeated"]),
        (&0.into(), &4.into())
    );
}

#[test]
fn every_kind_of_trace_is_read() {
    for (bytes, format, steps, captured) in [
        (file!("codex.jsonl"), "codex", 7, 5),
        (file!("chat.json"), "chat", 2, 1),
        (file!("openhands.json"), "openhands", 4, 3),
        (file!("swe_agent.traj"), "swe-agent", 3, 2),
        (file!("tau_bench.json"), "tau-bench", 2, 1),
        (file!("otlp.jsonl"), "opentelemetry", 3, 2),
        (file!("rustc.jsonl"), "rustc-json", 1, 1),
        (file!("shell.txt"), "shell", 4, 2),
        (file!("pytest.log"), "log", 3, 3),
    ] {
        let world = World::new();
        let learned = world.run_with(&["learn", "-", "--json"], bytes).document();
        assert_eq!(
            (&learned["format"], &learned["steps"], &learned["captured"]),
            (&format.into(), &steps.into(), &captured.into()),
            "{learned}"
        );
    }
}

#[test]
fn a_log_in_utf_16_is_captured_and_a_text_without_errors_is_refused() {
    let world = World::new();
    let log = std::str::from_utf8(file!("cargo.log")).unwrap();
    let units = std::iter::once(0xfeff).chain(log.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let captured = world
        .run_with(&["errors", "capture", "-", "--json"], bytes)
        .document();
    assert_eq!(
        (&captured["format"], &captured["captured"]),
        (&"log".into(), &3.into())
    );
    let first = captured["steps"][0]["error"]["error"].as_str().unwrap();
    assert!(first.starts_with("error[E0425]"), "{first}");
    let refused = world.run_with(&["errors", "capture", "-", "--json"], "Use uv for all.\n");
    assert!(refused.problem("invalid_json").contains("claude-code"));
}

#[test]
fn the_raw_answer_of_a_tool_finds_the_lesson_of_its_trace() {
    let world = World::new();
    let answers = [
        "rc=1\n/opt/run.sh: line 22: missing env URL",
        "<returncode>1</returncode>\n<output>\n/opt/run.sh: line 22: missing env URL\n</output>",
    ];
    for (number, answer) in answers.iter().enumerate() {
        let call = |id: &str, line: &str| {
            json!({"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function":
                {"name": "bash", "arguments": json!({"command": line}).to_string()}}]})
        };
        let result =
            |id: &str, text: &str| json!({"role": "tool", "tool_call_id": id, "content": text});
        let (wrong, right) = (
            format!("docker run --rm img{number} echo hello"),
            format!("docker run --rm --entrypoint echo img{number} hello"),
        );
        for run in 0..2 {
            let chat = json!({"messages": [
                {"role": "user", "content": format!("task {number} of run {run}")},
                call("a", &wrong), result("a", answer), call("b", &right), result("b", "rc=0\nhello"),
            ]});
            let file = world.file(&format!("chat-{number}-{run}.json"), chat.to_string());
            world.json(&format!("learn {file}"));
        }
        let asked = |error: &str| {
            let words = [
                "lessons", "retrieve", "--json", "--error", error, "--action", &wrong,
            ];
            world.run(&words).document()["lessons"][0]["rule"].to_string()
        };
        let found = asked(answer);
        assert!(found.contains("--entrypoint"), "{answer}: {found}");
        assert_eq!(found, asked("/opt/run.sh: line 22: missing env URL"));
    }
}

/// A session in the form of Claude Code: each second command fails.
fn session(name: &str, steps: usize) -> Vec<u8> {
    let mut lines = String::new();
    for step in 1..=steps {
        let (minute, second) = (step / 60, step % 60);
        let at = format!(
            "2026-01-01T{:02}:{:02}:{second:02}Z",
            minute / 60,
            minute % 60
        );
        let (command, failed, said) = if step % 2 == 1 {
            (
                "cargo tset",
                true,
                "error: no such command: `tset`\n\nDid you mean `test`?",
            )
        } else {
            ("cargo test", false, "ok")
        };
        let call = json!({"type": "tool_use", "id": format!("t{step}"), "name": "Bash", "input": {"command": command}});
        let result = json!({"type": "tool_result", "tool_use_id": format!("t{step}"), "is_error": failed, "content": said});
        for (role, part) in [("assistant", call), ("user", result)] {
            let message = json!({"role": role, "content": [part]});
            let line =
                json!({"type": role, "sessionId": name, "timestamp": at, "message": message});
            lines.push_str(&format!("{line}\n"));
        }
    }
    lines.into_bytes()
}

#[test]
fn a_long_session_is_learned_in_parts_and_counts_once() {
    let world = World::new();
    let path = world.file("long.jsonl", session("long", 2_100));
    let learned = world.json(&format!("learn {path}"));
    assert_eq!(
        (&learned["steps"], &learned["captured"]),
        (&2_100.into(), &1_050.into())
    );
    assert_eq!(texts(&learned["runs"], "run"), ["long", "long+2001"]);
    let again = world.json(&format!("learn {path}"));
    assert_eq!(
        (&again["captured"], &again["repeated"]),
        (&0.into(), &1_050.into())
    );
    assert_eq!(texts(&again["runs"], "run"), ["long", "long+2001"]);
    // The session continues, and so does its last part.
    let path = world.file("long.jsonl", session("long", 2_104));
    let grown = world.json(&format!("learn {path}"));
    assert_eq!(grown["captured"], 2);
    assert_eq!(
        texts(&grown["runs"], "run"),
        ["long", "long+2001", "long+2101"]
    );
}

#[test]
fn a_session_that_was_recorded_while_it_ran_is_not_counted_again() {
    let world = World::new();
    // As hooks number and date them: without the call that the person refused.
    let live = json!({"run": "s1", "action": "python report.py", "error": "python: not found", "exit_code": 127});
    let report = live.to_string();
    world
        .run_with(&["errors", "capture", "-", "--json"], report.as_bytes())
        .document();
    let path = world.file("s1.jsonl", file!("claude_code.jsonl"));
    let learned = world.json(&format!("learn {path}"));
    assert_eq!(texts(&learned["runs"], "run"), ["s1-agent-9", "s2"]);
    let notes = learned["notes"].to_string();
    assert!(notes.contains("`s1` was recorded while it ran"), "{notes}");
}

#[test]
fn a_run_whose_name_holds_a_secret_stays_open_as_any_other() {
    let world = World::new();
    let log = world.file("a.txt", "$ cat a\ncat: a: No such file or directory\n");
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    for run in ["plain", &secret] {
        let learned = world.json(&format!("learn {log} --run {run}"));
        assert_eq!(
            (&learned["steps"], &learned["runs"]),
            (&1.into(), &json!([]))
        );
        assert!(!learned.to_string().contains(&secret), "{learned}");
    }
}
