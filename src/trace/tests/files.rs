//! Each file with the items that it holds, as a worked example of its format.

use super::*;

macro_rules! file {
    ($name:literal, $format:ident) => {
        File {
            name: $name,
            format: Format::$format,
            bytes: include_bytes!(concat!("files/", $name)),
            items: include_str!(concat!("files/", $name, ".items")),
        }
    };
}

/// All files.
pub(super) const FILES: &[File] = &[
    file!("claude_code.jsonl", ClaudeCode),
    file!("claude_stream.jsonl", ClaudeCode),
    file!("codex.jsonl", Codex),
    file!("codex_exec.jsonl", Codex),
    file!("codex_bare.jsonl", Codex),
    file!("codex_events.jsonl", Codex),
    file!("chat.json", Chat),
    file!("chat_blocks.jsonl", Chat),
    file!("chat_proxy.jsonl", Chat),
    file!("chat_messages.jsonl", Chat),
    file!("responses.jsonl", Chat),
    file!("openhands.json", OpenHands),
    file!("openhands_output.jsonl", OpenHands),
    file!("openhands_sdk.jsonl", OpenHands),
    file!("swe_agent.traj", SweAgent),
    file!("swe_demo.traj", SweAgent),
    file!("mini_swe.json", SweAgent),
    file!("tau_bench.json", TauBench),
    file!("tau_short.jsonl", TauBench),
    file!("otlp.jsonl", OpenTelemetry),
    file!("spans.jsonl", OpenTelemetry),
    file!("rustc.jsonl", RustcJson),
    file!("go_test.jsonl", RustcJson),
    file!("cargo.log", Log),
    file!("compilers.log", Log),
    file!("pytest.log", Log),
    file!("tools.log", Log),
    file!("windows.log", Log),
    file!("make.log", Log),
    file!("shell.txt", Transcript),
    file!("appworld.md", Markdown),
    file!("specstory.md", Markdown),
    file!("aider.md", Markdown),
];

#[test]
fn every_format_has_a_file() {
    for format in Format::ALL {
        // Those of the table have their examples next to its test.
        if matches!(format, Format::Described(_)) {
            continue;
        }
        let word = format.word();
        assert!(FILES.iter().any(|file| file.format == format), "{word}");
    }
}

#[test]
fn every_file_is_guessed_and_read() {
    for file in FILES {
        assert_eq!(
            guess(file.bytes),
            Guess::Trace(file.format),
            "{}",
            file.name
        );
        let read = read_as(file.format, file.bytes);
        assert_eq!(read.shown(), file.items, "{}", file.name);
        let lines = file.bytes.split(|byte| *byte == b'\n').count();
        assert!(read.summary.lines + 1 >= lines, "{}", file.name);
    }
}

#[test]
fn times_and_states_are_read() {
    let read = |name: &str| {
        let file = FILES.iter().find(|file| file.name == name).unwrap();
        read_as(file.format, file.bytes)
    };
    let at = |step: &Step| step.at.unwrap().to_string();
    assert_eq!(
        at(read("claude_code.jsonl").steps()[0]),
        "2026-03-01T10:00:02.000Z"
    );
    assert_eq!(
        at(read("codex.jsonl").steps()[0]),
        "2026-03-01T10:00:03.000Z"
    );
    assert_eq!(
        at(read("openhands.json").steps()[0]),
        "2026-03-01T10:00:03.000Z"
    );
    assert_eq!(
        at(read("otlp.jsonl").steps()[0]),
        "2026-03-01T10:00:02.000Z"
    );
    let trajectory = read("swe_agent.traj");
    assert_eq!(trajectory.steps()[0].state["open_file"], "/w/a.py");
    assert_eq!(read("tau_bench.json").steps()[0].task.as_deref(), Some("3"));
}
