//! The real program on a store of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a store, gone afterwards.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path().join("memory.db")
    }

    /// A command of the program on this store, untouched by the environment of the tests.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        program_on(&self.store(), self.path(), words)
    }

    /// Runs a command that must succeed; gives its JSON document.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let output = self.command(words).arg("--json").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words:?}: {errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Starts `delta apply` on a delta.
    pub(crate) fn start_delta(&self, id: &str, body: &str) -> Child {
        start_delta(
            self.command(&["delta", "apply", "--json", "--id", id, "-"]),
            body,
        )
    }

    /// Runs `delta apply` to its end.
    pub(crate) fn apply(&self, id: &str, body: &str) -> Output {
        self.start_delta(id, body).wait_with_output().unwrap()
    }
}

/// A command of the program on a store file, with a home folder that holds no settings.
pub(crate) fn program_on(store: &Path, home: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(crate::PROGRAM);
    command
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin");
    command
        .args(words)
        .args(["--learner", "l", "--store"])
        .arg(store);
    command
}

/// Starts a command with a delta on its standard input.
pub(crate) fn start_delta(mut command: Command, body: &str) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A process that was killed before it read is part of the test.
    let _ = child.stdin.take().unwrap().write_all(body.as_bytes());
    child
}

/// A delta that adds a text of its own and one vote to a text that all deltas share.
pub(crate) fn counted_delta(own: &str) -> String {
    let shared = "every delta of this test votes once for this one shared sentence";
    format!(
        r#"{{"operations": [{{"op": "ADD", "content": "{shared}", "helpful": 1}},
            {{"op": "ADD", "content": "{own}"}}]}}"#
    )
}

/// Votes on the shared text of [`counted_delta`].
pub(crate) fn shared_votes(place: &Place) -> u64 {
    let list = place.json(&["bullets", "list", "--limit", "100000"]);
    let bullets = list.get("bullets").unwrap_or(&list).as_array().unwrap();
    let shared = bullets
        .iter()
        .find(|b| b["content"].as_str().unwrap().starts_with("every delta"));
    shared.map_or(0, |bullet| bullet["helpful"].as_u64().unwrap())
}

/// The ids of all deltas of the memory but its creation, newest first.
pub(crate) fn delta_ids(place: &Place) -> Vec<String> {
    let log = place.json(&["delta", "log", "--limit", "100000"]);
    let rows = log.get("deltas").unwrap_or(&log).as_array().unwrap();
    let name = |row: &Value| {
        row["delta"]
            .as_str()
            .or(row["id"].as_str())
            .unwrap()
            .to_owned()
    };
    rows.iter()
        .map(name)
        .filter(|id| id != "d_creation")
        .collect()
}
