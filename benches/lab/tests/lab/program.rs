//! The program: its short form, and the place for its report.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hindlore-lab"));
    command.env_clear().env("HOME", folder).current_dir(folder);
    command
        .args(line.split(' '))
        .arg("--json")
        .output()
        .unwrap()
}

fn report(folder: &Path, line: &str) -> Value {
    let ended = run(folder, line);
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    serde_json::from_slice(&ended.stdout).unwrap()
}

#[test]
fn a_tool_and_no_command_is_the_experiment_over_seeds() {
    let folder = TempDir::new().unwrap();
    report(folder.path(), "new-tool --seed 3 tool");
    let found = report(folder.path(), "--tool tool --seed 4 --seeds 2");
    assert_eq!(found["bench"], "lab stability");
    assert!(found["rows"].as_array().unwrap().len() >= 12);
}

#[test]
fn a_place_for_the_report_is_checked_before_the_work() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "x").unwrap();
    for place in ["file", "file/below"] {
        let ended = run(
            folder.path(),
            &format!("stability --tool nowhere --report {place}"),
        );
        let said: Value = serde_json::from_slice(&ended.stderr).unwrap();
        assert_eq!(said["error"]["code"], "unwritten_output", "{said}");
        assert!(
            said["error"]["message"].as_str().unwrap().contains(place),
            "{said}"
        );
    }
}
