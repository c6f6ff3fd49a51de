//! Files as they are found: cut off, in other encodings, with damaged places. The whole parts are read.

use super::files::FILES;
use super::*;

fn file(name: &str) -> &'static File {
    FILES.iter().find(|file| file.name == name).unwrap()
}

#[test]
fn a_file_that_is_cut_off_is_read_up_to_there() {
    for file in FILES {
        // Spans are put in the order of their times, so that the last one of the file may be the first step.
        if file.format == Format::OpenTelemetry {
            continue;
        }
        let whole = read_as(file.format, file.bytes);
        let whole = whole.steps();
        for end in (0..file.bytes.len()).step_by(41) {
            let cut = read_as(file.format, &file.bytes[..end]);
            let steps = cut.steps();
            let place = format!("{} up to {end}", file.name);
            assert!(steps.len() <= whole.len(), "{place}");
            // The words of a text may be cut; of a record all is there, or nothing.
            let is_text = matches!(
                file.format,
                Format::Log | Format::Transcript | Format::Markdown
            );
            let sure = steps.len() - usize::from(is_text && !steps.is_empty());
            for (cut, whole) in steps.iter().take(sure).zip(&whole) {
                assert_eq!(
                    (cut.line, &cut.action, cut.outcome),
                    (whole.line, &whole.action, whole.outcome),
                    "{place}"
                );
            }
        }
    }
}

#[test]
fn every_encoding_gives_the_same_steps() {
    for name in [
        "cargo.log",
        "tools.log",
        "claude_code.jsonl",
        "swe_agent.traj",
        "shell.txt",
    ] {
        let file = file(name);
        let text = std::str::from_utf8(file.bytes).unwrap();
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            [b"\xef\xbb\xbf", file.bytes].concat(),
            [b"\xff\xfe".to_vec(), little.clone()].concat(),
            [b"\xfe\xff".to_vec(), big.clone()].concat(),
            little,
            big,
            text.replace('\n', "\r\n").into_bytes(),
        ] {
            let read = read_guessed(&bytes).unwrap();
            assert_eq!(read.shown(), file.items, "{name}");
        }
    }
}

#[test]
fn bytes_that_are_no_utf_8_are_counted_and_read() {
    let log = b"error: can\x92t open \xfcbung\n";
    let read = read_guessed(log).unwrap();
    assert_eq!(read.steps()[0].error, "error: can’t open übung");
    assert_eq!(read.summary.replaced_bytes, 2);
}

#[test]
fn half_an_emoji_costs_no_line() {
    let line = r#"{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"echo \ud83d"}}]}}"#;
    let result = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"\ud83d"}]}}"#;
    let read = read_guessed(format!("{line}\n{result}\n").as_bytes()).unwrap();
    assert_eq!(read.steps()[0].action.to_value(), "echo \u{fffd}");
}

#[test]
fn a_first_line_that_is_cut_off_does_not_swallow_the_others() {
    let whole = std::str::from_utf8(file("claude_code.jsonl").bytes).unwrap();
    let (first, rest) = whole.split_once('\n').unwrap();
    let cut = format!("{}\n{rest}", &first[..first.len() / 2]);
    let read = read_as(Format::ClaudeCode, cut.as_bytes());
    let expected = read_as(Format::ClaudeCode, whole.as_bytes());
    assert_eq!(read.steps(), expected.steps());
    assert!(read.shown().starts_with("skipped 1: "), "{}", read.shown());
}

#[test]
fn what_is_left_over_behind_a_document_is_told() {
    let text = "[\n{\"task_id\":1,\"reward\":0,\"traj\":[{\"role\":\"user\",\"content\":\"x\"}]}\n]\n \"older\",\n oldest\"\n]\n";
    let read = read_guessed(text.as_bytes()).unwrap();
    assert!(read.shown().contains("skipped 5: "), "{}", read.shown());
}

#[test]
fn a_line_that_is_too_long_and_calls_without_end_are_told() {
    let long = format!(
        "{{\"type\":\"summary\",\"sessionId\":\"s\",\"summary\":\"{}\"}}\n",
        "x".repeat(crate::LINE_MAX_BYTES)
    );
    let read = read_as(Format::ClaudeCode, long.as_bytes());
    assert_eq!(read.shown(), "skipped 1: the line is too long\n");
    let call = |id: usize| {
        format!(
            "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"Bash\",\"input\":{{\"command\":\"x\"}}}}]}}}}\n"
        )
    };
    let calls: String = (0..crate::PENDING_MAX + 3).map(call).collect();
    let read = read_as(Format::ClaudeCode, calls.as_bytes());
    assert_eq!(read.items.len(), crate::PENDING_MAX + 3);
    assert!(
        read.shown()
            .starts_with("skipped 1: the call of `Bash` has no result\n")
    );
}

#[test]
fn a_conversation_without_calls_is_no_log() {
    let text = "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n_**User (2026-01-28)**_\n\nwhy?\n\n\
        _**Agent (m 2026-01-28)**_\n\nsrc/a.rs:3: error: it says\n\n```\nerror: no such file\n```\n";
    let read = read_guessed(text.as_bytes()).unwrap();
    assert_eq!(
        read.shown(),
        "skipped 1: none of the 2 entries holds a call with its result\n"
    );
}

#[test]
fn both_ends_of_a_long_output_are_kept() {
    let output = format!("first{}last", "é".repeat(crate::TEXT_MAX_BYTES));
    let text = format!("$ run\n{output}\n$ ");
    let read = read_as(Format::Transcript, text.as_bytes());
    let kept = &read.steps()[0].output;
    assert!(kept.starts_with("firsté") && kept.ends_with("élast"));
    assert!(kept.contains(" bytes left out]") && kept.len() < crate::TEXT_MAX_BYTES + 64);
}

#[test]
fn nests_without_end_are_told_and_no_more() {
    for text in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
        let read = read_as(Format::Chat, text.as_bytes());
        assert!(read.steps().is_empty());
        assert_eq!(guess(text.as_bytes()), Guess::Unknown);
    }
}
