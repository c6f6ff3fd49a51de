//! Answers in the wrappers of each harness, and text that resembles a wrapper.

use super::*;

/// An answer, its words, its exit code, and whether a wrapper calls it an error.
const ANSWERS: &[(&str, &str, Option<i32>, bool)] = &[
    (
        "Exit code 127\n/bin/bash: line 1: python: command not found",
        "/bin/bash: line 1: python: command not found",
        Some(127),
        false,
    ),
    ("Error: Exit code 2\nboom", "boom", Some(2), false),
    (
        "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>",
        "String to replace not found in file.\nString: a",
        None,
        true,
    ),
    (
        "done\n<system-reminder>\nBe careful.\n</system-reminder>",
        "done",
        None,
        false,
    ),
    (
        "Command: sh\nChunk ID: 8b\nWall time: 0.05 seconds\nProcess exited with code 1\nOutput:\nno\n",
        "no",
        Some(1),
        false,
    ),
    (
        "Exit code: 1\nWall time: 0.2 seconds\nOutput:\nfalse",
        "false",
        Some(1),
        false,
    ),
    ("\u{1b}[1;31merror\u{1b}[0m: x\r\n", "error: x", None, false),
    (
        "<returncode>3</returncode>\n<output>\nbad\n</output>",
        "bad",
        Some(3),
        false,
    ),
    (
        "ERROR:\nParameter `a` is required.",
        "Parameter `a` is required.",
        None,
        false,
    ),
    (
        "out\n[The command completed with exit code 5.]\n[Current working directory: /w]",
        "out",
        Some(5),
        false,
    ),
    ("rc=2\ntidy: no", "tidy: no", Some(2), false),
    (
        "[rc=2] tidy: no\nat once",
        "tidy: no\nat once",
        Some(2),
        false,
    ),
    (
        "Exit code: 1\n\nStdout:\n\nStderr:\nbad",
        "bad",
        Some(1),
        false,
    ),
    ("tidy: no\n[exit code: 2]", "tidy: no", Some(2), false),
    ("[exit code: 0]", "", Some(0), false),
    (
        "<untrusted_context>\nOutput: a: no\nExit Code: 2\n</untrusted_context>",
        "a: no",
        Some(2),
        false,
    ),
    (
        "Command: a\nDirectory: (root)\nOutput: no\nError: (none)\nExit Code: 2\nSignal: (none)",
        "no",
        Some(2),
        false,
    ),
    (
        "Command executed.\nOutput:\na: no\nCommand failed with exit code 2",
        "a: no",
        Some(2),
        false,
    ),
    (
        "[execute_command for 'a'] Result:\nCommand executed.\nOutput:\na: no",
        "a: no",
        None,
        false,
    ),
    (
        "[read_file for 'a'] Result:\nfirst line",
        "first line",
        None,
        false,
    ),
    (
        r#"{"stdout": "", "stderr": "a: no", "exit_code": 2}"#,
        "a: no",
        Some(2),
        false,
    ),
    (
        r#"{"isError": true, "content": [{"type": "text", "text": "no"}]}"#,
        "no",
        None,
        true,
    ),
    (
        r#"{"isError": false, "content": [{"type": "text", "text": "Error: a title"}]}"#,
        "Error: a title",
        None,
        false,
    ),
    ("[stdout]\na\n[stderr]\nb", "a\nb", None, false),
];

#[test]
fn each_wrapper_goes_and_what_it_says_is_kept() {
    for (answer, text, code, is_error) in ANSWERS {
        let bare = strip(answer, &Action::Unknown);
        let read = (
            bare.text.as_str(),
            bare.exit_code,
            bare.failed == Some(true),
        );
        assert_eq!(read, (*text, *code, *is_error), "{answer}");
    }
}

#[test]
fn the_words_of_the_tool_stay_whole() {
    for text in [
        "Wall time: 3 s\nall good",
        "a\nExit code 3\nb",
        "see <error>x</error>",
        "<error>never closed",
        "Command: make",
        "    indented\n  text",
        "Exit code unknown",
        "",
    ] {
        let bare = strip(text, &Action::Unknown);
        assert_eq!((bare.text.as_str(), bare.exit_code), (text, None), "{text}");
    }
}

#[test]
fn the_text_of_others_ends_with_no_exit_code_of_ours() {
    for (text, code) in [
        ("KEY=a\nEXIT=1", None),
        ("rc=1\ncat: a: No such file or directory", Some(1)),
        ("log\nProcess completed with exit code 1.", None),
        (r#"{"exit_code": 1}"#, None),
        ("a\n[exit code: 1]", Some(1)),
        ("<output>\na\nExit Code: 1\n</output>", Some(1)),
        ("Exit code 1\ncat: a: No such file or directory", Some(1)),
    ] {
        let cat = Action::Command("cat a".to_owned());
        assert_eq!(strip(text, &cat).exit_code, code, "{text}");
    }
    let read = Action::Call {
        name: "read_file".to_owned(),
        arguments: serde_json::Value::Null,
    };
    assert_eq!(strip("rc=1\nKEY=a", &read).exit_code, None);
}
