//! Guesses for files that are no traces, and for those that look like another format.

use super::*;

#[test]
fn foreign_files_are_not_taken() {
    for (name, text) in [
        ("nothing", ""),
        ("blanks", " \n\n"),
        (
            "prose",
            "# Rules\n\n- Keep errors out of the log.\n- Use uv.\n",
        ),
        ("list of texts", "[\n \"Use uv.\",\n \"Quote paths.\"\n]\n"),
        (
            "memory",
            r#"{"type":"entity","name":"Task-1","entityType":"task","observations":["Status: todo"]}"#,
        ),
        (
            "playbook",
            r#"{"bullets":[{"id":"a-1","content":"Quote every path.","helpful":3}]}"#,
        ),
        (
            "package",
            r#"{"name":"shop","scripts":{"test":"vitest"},"dependencies":{}}"#,
        ),
        (
            "settings",
            r#"{"mcpServers":{"crm":{"command":"node","args":["x"]}}}"#,
        ),
        (
            "events",
            r#"{"type":"user","name":"ann","message":"hello"}"#,
        ),
        (
            "other spans",
            r#"{"name":"GET /","attributes":{"http.method":"GET"},"status":{"code":2}}"#,
        ),
        ("delta", r#"[{"op":"ADD","content":"x"}]"#),
        ("table", "id,error\n1,none\n2,none\n"),
        ("numbers", "1\n2\n3\n"),
        ("binary", "PNG\0\0\u{1}\0\0"),
        ("broken", "{"),
        ("word", "true"),
    ] {
        assert_eq!(guess(text.as_bytes()), Guess::Unknown, "{name}");
    }
}

#[test]
fn steps_of_our_own_are_told_from_traces() {
    for text in [
        r#"{"action": "make", "error": "boom", "exit_code": 2}"#,
        r#"[{"run": "a", "action": "x", "exit_code": 0}]"#,
        "\n{\"run\":\"a\",\"error\":\"x\"}\n{\"run\":\"a\",\"action\":\"y\"}\n",
        r#"{"error": {"code": 3}, "state": {"role": "user"}, "at": "2026-01-01T00:00:00Z"}"#,
    ] {
        assert_eq!(guess(text.as_bytes()), Guess::Steps, "{text}");
    }
    // An unknown field: left to the parser of steps, which names the nearest one.
    let typo = r#"{"erorr": "x"}"#;
    assert_eq!(guess(typo.as_bytes()), Guess::Unknown);
}

#[test]
fn the_sharper_format_wins() {
    for (text, format) in [
        // A session that begins with records of other kinds.
        (
            "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"u\"}\n{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}",
            Format::ClaudeCode,
        ),
        // Episodes hold messages of a chat.
        (
            r#"[{"task_id":1,"reward":1.0,"traj":[{"role":"user","content":"x"}]}]"#,
            Format::TauBench,
        ),
        // A trajectory has a history of messages as well.
        (
            r#"{"trajectory":[{"action":"ls","observation":""}],"history":[{"role":"user","content":"x"}]}"#,
            Format::SweAgent,
        ),
        // A log of JSON that holds a failure is no chat.
        (
            "{\"messages\":[{\"role\":\"user\",\"content\":\"error: x\"}]}",
            Format::Chat,
        ),
        (
            "Build\nsrc/a.c:1:2: error: x\n$ not a prompt\n",
            Format::Log,
        ),
        ("$ make\nerror: x\n", Format::Transcript),
        (
            "time=1 {\"type\":\"thread.started\",\"thread_id\":\"t\"}",
            Format::Codex,
        ),
    ] {
        assert_eq!(guess(text.as_bytes()), Guess::Trace(format), "{text}");
    }
}

#[test]
fn a_long_document_is_guessed_from_its_beginning() {
    let turn = r#"{"action":"ls","observation":"x","state":"{}"}"#;
    let document = format!(
        "{{\"environment\":\"e\",\"trajectory\":[{}]}}",
        vec![turn; 20_000].join(",")
    );
    assert!(document.len() > crate::HEAD_BYTES);
    let read = read_guessed(document.as_bytes()).unwrap();
    assert_eq!(read.steps().len(), 20_000);
    let log = format!("{}\nerror: late\n", "fine\n".repeat(crate::HEAD_BYTES / 5));
    assert_eq!(read_guessed(log.as_bytes()).unwrap().steps().len(), 1);
}
