//! Events of `go test -json`: the output of a test comes line by line, and its failure comes last.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::json::text;

/// Tests and packages whose output is kept while they run.
const RUNNING_MAX: usize = 4_096;
/// Bytes of the output of one test that are kept.
const OUTPUT_MAX_BYTES: usize = 64 << 10;

/// Actions of its events.
const ACTIONS: &[&str] = &[
    "start",
    "run",
    "pause",
    "cont",
    "pass",
    "bench",
    "fail",
    "output",
    "skip",
    "attr",
    "build-output",
    "build-fail",
];

/// The output of running tests, by package and test; of a package itself the test is empty.
#[derive(Default)]
pub(super) struct GoEvents {
    running: BTreeMap<(String, String), String>,
}

/// True if a record is such an event.
pub(super) fn is_event(record: &Value) -> bool {
    let names_package = record.get("Package").is_some() || record.get("ImportPath").is_some();
    names_package && text(record, "Action").is_some_and(|action| ACTIONS.contains(&action))
}

impl GoEvents {
    /// Takes an event; returns the failure that it reports, with its output.
    pub(super) fn take(&mut self, event: &Value) -> Option<String> {
        let package = text(event, "Package").or_else(|| text(event, "ImportPath"))?;
        let test = text(event, "Test").unwrap_or_default();
        let key = (package.to_owned(), test.to_owned());
        match text(event, "Action")? {
            "output" | "build-output" => {
                self.keep(key, text(event, "Output").unwrap_or_default());
                None
            }
            "fail" if !test.is_empty() => {
                let said = self.running.remove(&key).unwrap_or_default();
                Some(format!("--- FAIL: {test}\n{}", said.trim_end()))
            }
            // A failed package follows from a failed test, already reported.
            "build-fail" => self.running.remove(&key),
            "pass" | "skip" | "fail" => {
                self.running.remove(&key);
                None
            }
            _ => None,
        }
    }

    fn keep(&mut self, key: (String, String), line: &str) {
        let is_frame = ["=== ", "--- FAIL: "]
            .iter()
            .any(|head| line.trim_start().starts_with(head));
        let has_room = self.running.len() < RUNNING_MAX || self.running.contains_key(&key);
        if is_frame || !has_room {
            return;
        }
        let said = self.running.entry(key).or_default();
        if said.len() + line.len() <= OUTPUT_MAX_BYTES {
            said.push_str(line);
        }
    }
}
