//! Labelled lines: the files that are read, the figures, and the effect of a missing peer.

use std::fs;
use std::path::Path;
use std::time::Duration;

use hindlore_bench::fingerprints::{fingerprints, read_sets};
use hindlore_bench::{Peers, Report, Row};
use tempfile::TempDir;

/// A log of a system that was looked at, one of another, and errors of a tool.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut lines = String::new();
    for at in 0..30 {
        for (set, event, text) in [
            (
                "HDFS",
                "E1",
                format!("Receiving block blk_{at} from 10.0.0.{at}"),
            ),
            ("HDFS", "E2", format!("Deleting block blk_{at}")),
            ("Elsewhere", "E1", format!("took {at} ms for job_{at}")),
            // A word for a value, which no rule can know.
            (
                "Elsewhere",
                "E2",
                format!("user {} logged in", ["ann", "bob", "cy"][at % 3]),
            ),
        ] {
            let line = serde_json::json!({"set": set, "event": event, "text": text, "more": 1});
            lines.push_str(&format!("{line}\n"));
        }
    }
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::write(folder.path().join("logs/two.jsonl"), lines).unwrap();
    let errors = "{\"class\": \"a\", \"text\": \"no column 'x'\"}\n{\"class\": \"b\", \"text\": \"no column 'y'\"}\n\
                  {\"class\": \"a\", \"text\": \"no column 'x'\"}\n";
    fs::write(folder.path().join("clippy.jsonl"), errors).unwrap();
    fs::write(
        folder.path().join("other.jsonl"),
        "{\"question\": \"why\"}\n",
    )
    .unwrap();
    fs::write(folder.path().join("noise.jsonl"), [0xFF, 0xFE, 0x00]).unwrap();
    fs::write(folder.path().join("README.md"), "# Logs").unwrap();
    let table = "LineId,Content,EventId\n1,\"said \"\"no\"\", twice\",E1\n2,\"said \"\"no\"\", twice\",E1\n";
    fs::write(folder.path().join("Phone_2k.log_structured.csv"), table).unwrap();
    folder
}

fn report(folder: &Path, peers: &str) -> Report {
    let peers = Peers::new(peers, Duration::from_secs(60));
    fingerprints(folder, &peers, &|_| ()).unwrap()
}

fn row<'r>(report: &'r Report, name: &str) -> &'r Row {
    let found = report.rows.iter().find(|row| row.name == name);
    found.unwrap_or_else(|| panic!("no row {name:?}"))
}

#[test]
fn files_are_known_by_what_they_hold() {
    let folder = folder();
    let sets = read_sets(folder.path()).unwrap();
    let known: Vec<(&str, bool, usize)> = sets
        .iter()
        .map(|set| (&*set.name, set.is_log, set.texts.len()))
        .collect();
    // A file without the name of a set is one itself; logs come first.
    assert_eq!(
        known,
        [
            ("Elsewhere", true, 60),
            ("HDFS", true, 60),
            ("Phone", true, 2),
            ("clippy", false, 3)
        ]
    );
    assert_eq!(sets[2].texts[0], "said \"no\", twice");
    assert_eq!(sets[3].labels, [0, 1, 0]);
    let one = read_sets(&folder.path().join("clippy.jsonl")).unwrap();
    assert_eq!(one.len(), 1);
}

#[test]
fn what_is_no_labelled_file_is_an_error_that_says_which_form_is_meant() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.jsonl"), "{\"text\": \"no label\"}\n").unwrap();
    let error = read_sets(folder.path()).unwrap_err();
    assert!(error.hint.contains("\"event\" or \"class\""), "{error:?}");
    let lines = "{\"event\": \"E1\", \"text\": \"a\"}\n{\"event\": \"E1\"}\n";
    fs::write(folder.path().join("b.jsonl"), lines).unwrap();
    assert!(
        read_sets(folder.path())
            .unwrap_err()
            .message
            .contains("line 2")
    );
    assert!(read_sets(Path::new("tests/nowhere")).is_err());
}

#[test]
fn every_rule_has_its_rows_and_the_figures_are_those_of_the_lines() {
    let folder = folder();
    let report = report(folder.path(), "tests/nowhere");
    let ours = |name: &str| row(&report, name).ours.unwrap();
    assert_eq!(ours("HDFS GA fine"), 1.0);
    // Each line differs from every other.
    assert_eq!(
        (ours("HDFS GA exact"), ours("HDFS stream recall exact")),
        (0.0, 0.0)
    );
    // Half of the lines hold a name, in three groups where there should be one.
    assert_eq!(ours("Elsewhere GA fine"), 0.5);
    assert_eq!(ours("Elsewhere pairwise precision fine"), 1.0);
    assert_eq!(ours("clippy pairwise precision fine"), 1.0);
    assert!(ours("clippy pairwise precision coarse") < 0.5);
    for method in ["exact", "naive", "fine", "coarse"] {
        for figure in [
            "GA",
            "FGA",
            "pairwise F1",
            "stream recall",
            "stream precision",
        ] {
            let share = ours(&format!("mean of seen systems, {figure} {method}"));
            assert!((0.0..=1.0).contains(&share), "{figure} {method}");
        }
    }
    assert!(ours("lines/s a core") > 0.0);
}

#[test]
fn goals_are_set_for_each_level_and_for_systems_that_were_not_tuned_on() {
    let folder = folder();
    let report = report(folder.path(), "tests/nowhere");
    let goals: Vec<(&str, bool)> = report
        .rows
        .iter()
        .filter_map(|row| Some((&*row.name, row.holds?)))
        .collect();
    let holds = |name: &str| goals.iter().find(|goal| goal.0 == name).unwrap().1;
    assert!(holds("mean of seen systems, GA fine") && holds("clippy pairwise precision fine"));
    // The mean of 0.5 and 1.
    assert!(!holds("mean of other systems, GA fine"));
    assert_eq!(
        row(&report, "mean of other systems, GA fine").goal,
        Some(0.8)
    );
    // A ratio to a peer that is not there cannot hold.
    assert!(!holds("lines/s a core beside drain3"));
    assert!(holds("rustc GA coarse") && holds("tsc GA coarse"));
    assert_eq!(goals.len(), 10, "{goals:?}");
}

#[test]
fn a_missing_peer_is_named_with_the_reason() {
    let folder = folder();
    let report = report(folder.path(), "tests/nowhere");
    for name in [
        "lines/s a core beside drain3",
        "mean of seen systems, GA fine",
    ] {
        let row = row(&report, name);
        assert!(row.theirs.is_none() && row.absent.as_ref().unwrap().contains("tests/nowhere"));
    }
    assert!(
        report
            .rows
            .iter()
            .all(|row| !row.name.ends_with("GA drain3"))
    );
}

#[cfg(unix)]
#[test]
fn a_peer_that_groups_stands_beside_and_one_that_loses_lines_is_absent() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let scripts = TempDir::new().unwrap();
    let run = scripts.path().join("run");
    let write = |answer: &str| {
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do\n case \"$line\" in\n *hello*) echo '{{\"hello\": 1}}' ;;\n \
             *) {answer} ;;\n esac\ndone\n"
        );
        fs::write(&run, script).unwrap();
        fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
    };
    let file = folder.path().join("clippy.jsonl");
    // All lines of a set in one group, each in a second.
    write(
        "printf '%s' \"$line\" | awk -F '\",\"' '{ n = NF - 1; printf \"{\\\"seconds\\\": %d, \\\"groups\\\": [\", n; \
         for (i = 1; i < n; i++) printf \"5, \"; print \"5]}\" }'",
    );
    let beside = report(&file, scripts.path().to_str().unwrap());
    assert_eq!(row(&beside, "clippy GA drain3").ours, Some(0.0));
    let speed = row(&beside, "lines/s a core beside drain3");
    assert_eq!((speed.theirs, speed.holds), (Some(1.0), Some(true)));
    write("echo '{\"seconds\": 3.0, \"groups\": [5]}'");
    let lost = report(&file, scripts.path().to_str().unwrap());
    let why = row(&lost, "lines/s a core beside drain3")
        .absent
        .clone()
        .unwrap();
    assert!(why.contains("clippy"), "{why}");
}
