//! Sessions of today's agents: scripts that call tools, stated lessons, copied steps.

use super::*;

#[test]
fn the_commands_of_a_script_are_the_steps() {
    let record = |kind: &str, payload: &str| {
        format!(r#"{{"timestamp":"2026-11-29T15:53:20.000Z","type":"{kind}","payload":{payload}}}"#)
    };
    let script = |id: &str, line: &str| {
        record(
            "response_item",
            &format!(
                r#"{{"type":"custom_tool_call","call_id":"{id}","name":"exec","input":"const r = await tools.exec_command({{cmd: \"{line}\"}});\ntext(r);"}}"#
            ),
        )
    };
    let ran = |line: &str, code: u8| {
        record(
            "event_msg",
            &format!(
                r#"{{"type":"item_completed","item":{{"type":"CommandExecution","id":"exec-{line}","command":["/bin/bash","-lc","{line}"],"aggregated_output":"out of {line}","exit_code":{code}}}}}"#
            ),
        )
    };
    let result = |id: &str, text: &str| {
        record(
            "response_item",
            &format!(
                r#"{{"type":"custom_tool_call_output","call_id":"{id}","output":[{{"type":"input_text","text":"{text}"}}]}}"#
            ),
        )
    };
    let lines = [
        script("a", "./tool --colour x"),
        ran("./tool --colour x", 2),
        result("a", "Script completed"),
        script("b", "./tool --colour y"),
        result(
            "b",
            r"Script failed\nScript error:\nCommand blocked by PreToolUse hook: hindlore refused this call once: x",
        ),
        script("c", "./tool --color y"),
        ran("./tool --color y", 0),
        result("c", "Script completed"),
    ];
    let read = read_guessed(lines.join("\n").as_bytes()).unwrap();
    let steps = read.steps().into_iter();
    let steps: Vec<_> = steps
        .map(|step| (step.action.command(), step.outcome))
        .collect();
    let expected = [
        ("./tool --colour x", Outcome::Failed),
        ("./tool --colour y", Outcome::Refused),
        ("./tool --color y", Outcome::Worked),
    ];
    assert_eq!(steps, expected, "{}", read.shown());
}

#[test]
fn the_agents_replies_that_state_a_lesson_are_handed_out_and_no_others() {
    const LINE: &str = "LESSON git: WRONG git brnach -> CORRECT git branch";
    let claude = |kind: &str, text: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"u","sessionId":"S","message":{{"role":"{kind}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let codex = |role: &str| {
        format!(
            r#"{{"type":"response_item","payload":{{"type":"message","role":"{role}","content":[{{"type":"text","text":"{LINE}"}}]}}}}"#
        )
    };
    let chat = |role: &str| format!(r#"{{"role":"{role}","content":"{LINE}"}}"#);
    let call = r#"{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"LESSON f: WRONG a -> CORRECT b"}"#;
    let conversation = |role: &str| format!(r#"{{"messages":[{},{call}]}}"#, chat(role));
    for (of_agent, of_others) in [
        (claude("assistant", LINE), claude("user", LINE)),
        (codex("assistant"), codex("user")),
        (conversation("assistant"), conversation("user")),
    ] {
        let stated = |bytes: &str| read_guessed(bytes.as_bytes()).unwrap().shown();
        assert!(
            stated(&of_agent).contains(&format!(": {LINE}")),
            "{of_agent}"
        );
        assert!(!stated(&of_others).contains("stated"), "{of_others}");
    }
    let silent = claude("assistant", "the lesson: be careful");
    assert!(
        !read_guessed(silent.as_bytes())
            .unwrap()
            .shown()
            .contains("stated")
    );
}

#[test]
fn a_second_copy_of_a_step_in_a_file_is_passed_over() {
    let call = |id: &str, line: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"a{id}","sessionId":"S","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"Bash","input":{{"command":"{line}"}}}}]}}}}"#
        )
    };
    let result = |id: &str, at: &str| {
        format!(
            r#"{{"type":"user","uuid":"r{id}","sessionId":"S"{at},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}}}}"#
        )
    };
    let (one, two) = (
        r#","timestamp":"2026-11-01T10:00:01Z""#,
        r#","timestamp":"2026-11-01T10:00:02Z""#,
    );
    for (first, second, kept) in [(one, one, 1), (one, two, 2), ("", "", 2)] {
        let lines = [
            call("t", "ls"),
            result("t", first),
            call("t", "ls"),
            result("t", second),
        ];
        let read = read_guessed(lines.join("\n").as_bytes()).unwrap();
        assert_eq!(read.steps().len(), kept, "{}", read.shown());
        let is_told = read.shown().contains("a copy of");
        assert_eq!(is_told, kept == 1);
    }
}
