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
