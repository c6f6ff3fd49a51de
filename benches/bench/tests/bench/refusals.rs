//! The refusals of the program: it names the fault and measures nothing.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Runs the program in a folder and returns message and hint of the problem that it ended with.
fn refused(folder: &Path, arguments: &[&str], code: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hindlore-bench"));
    command.env_clear().env("HOME", folder).current_dir(folder);
    let ended = command.args(arguments).arg("--json").output().unwrap();
    let said: Value = serde_json::from_slice(&ended.stderr).unwrap();
    assert_eq!(said["error"]["code"], code, "{arguments:?}: {said}");
    assert_eq!(ended.status.code(), Some(2), "{arguments:?}");
    assert!(ended.stdout.is_empty(), "{arguments:?}");
    format!("{} {}", said["error"]["message"], said["error"]["hint"])
}

#[test]
fn numbers_out_of_range_and_missing_data_are_named() {
    let folder = TempDir::new().unwrap();
    let cases: [(&[&str], &str, &str); 3] = [
        (
            &["lessons", "--calls", "-1"],
            "invalid_usage",
            "1..=1000000",
        ),
        (
            &["memory", "--sizes", "-5"],
            "invalid_usage",
            "1..=10000000",
        ),
        (
            &["merges", "--data", "none.jsonl"],
            "cannot_measure",
            "`none.jsonl`",
        ),
    ];
    for (arguments, code, part) in cases {
        let message = refused(folder.path(), arguments, code);
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn a_place_for_pictures_is_checked_before_the_work() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "x").unwrap();
    for place in ["file", "file/below"] {
        let arguments = ["retrieval", "--data", "nowhere", "--svg", place];
        let message = refused(folder.path(), &arguments, "cannot_write");
        assert!(message.contains(place), "{message}");
    }
}

#[test]
fn an_address_that_is_none_is_refused_without_its_password() {
    let folder = TempDir::new().unwrap();
    for store in [
        "boltt://ann:secret@host",
        "http://host",
        "bolt:/host",
        "sqlite:x",
    ] {
        let message = refused(
            folder.path(),
            &["lessons", "--store", store],
            "invalid_usage",
        );
        assert!(
            message.contains("bolt+ssc://") && !message.contains("secret"),
            "{message}"
        );
    }
}

#[test]
fn a_benchmark_of_a_server_refuses_a_file_and_writes_none() {
    let folder = TempDir::new().unwrap();
    refused(
        folder.path(),
        &["neo4j", "--store", "memories.db"],
        "no_server",
    );
    assert!(!folder.path().join("memories.db").exists());
}
