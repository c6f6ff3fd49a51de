//! `learn FILE` and `errors capture` take the files that people have.

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
