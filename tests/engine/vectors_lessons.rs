//! The lesson vectors: fingerprints and promotion traces of the original program, in classic mode.
//!
//! `HINDLORE_VECTORS` names another folder with a file of the same name and form; a missing or empty
//! file is a failure. Where the original is defective, the engine's opposite is tested in `lessons`.

use std::path::PathBuf;

use hindlore_domain::lesson::lesson::{Status, classic_lesson_id};
use hindlore_domain::lesson::promotion::classic::ClassicLesson;
use hindlore_errors::fingerprint::{classic_fingerprint, classic_normalised};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct File {
    fingerprints: Vec<Case>,
    promotion_traces: Vec<Vec<Outcome>>,
}

#[derive(Deserialize)]
struct Case {
    error: Value,
    state: Value,
    action: Value,
    normalized: Parts,
    fingerprint: String,
}

#[derive(Deserialize)]
struct Parts {
    error: String,
    state: String,
    action: String,
}

fn vectors() -> File {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    let folder = std::env::var_os("HINDLORE_VECTORS").map_or(default, PathBuf::from);
    let path = folder.join("classic_lessons.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read the vectors {}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn lesson_fingerprints_are_reproduced() {
    let cases = vectors().fingerprints;
    assert!(!cases.is_empty(), "the file holds no fingerprint");
    for case in &cases {
        let parts = [
            (&case.error, &case.normalized.error),
            (&case.state, &case.normalized.state),
            (&case.action, &case.normalized.action),
        ];
        for (part, normalised) in parts {
            assert_eq!(classic_normalised(part), *normalised, "{part}");
        }
        let id = classic_fingerprint(&case.error, &case.state, &case.action);
        assert_eq!(id, case.fingerprint, "{}", case.error);
    }
}

#[derive(Deserialize)]
struct Outcome {
    error_reduction: f64,
    step_efficiency_gain: f64,
    referee_score_gain: Option<f64>,
    utility: f64,
    status: Status,
    reliability: f64,
    helpful: u64,
    harmful: u64,
}

fn close(ours: f64, theirs: f64, what: &str) {
    assert!(
        (ours - theirs).abs() <= 1e-9,
        "{what}: {ours} is not {theirs}"
    );
}

#[test]
fn lesson_promotion_traces_are_reproduced() {
    let traces = vectors().promotion_traces;
    assert!(!traces.is_empty(), "the file holds no trace");
    for (number, trace) in traces.iter().enumerate() {
        assert!(!trace.is_empty(), "trace {number} is empty");
        let mut lesson = ClassicLesson::default();
        for (step, row) in trace.iter().enumerate() {
            let place = format!("trace {number} outcome {step}");
            let utility = lesson.take(
                row.error_reduction,
                row.step_efficiency_gain,
                row.referee_score_gain,
            );
            close(utility, row.utility, &place);
            close(lesson.reliability, row.reliability, &place);
            let counts = (lesson.counts.helpful, lesson.counts.harmful);
            assert_eq!(
                (lesson.status, counts),
                (row.status, (row.helpful, row.harmful)),
                "{place}"
            );
        }
    }
}

#[test]
fn the_lesson_trace_of_the_readme_is_reproduced() {
    let mut lesson = ClassicLesson::default();
    for _ in 0..3 {
        lesson.take(1.0, 0.5, None);
    }
    assert_eq!(lesson.status, Status::Promoted);
    close(lesson.reliability, 0.771, "after three good outcomes");
    for number in 1..=4 {
        lesson.take(-1.0, 0.0, None);
        let suppressed = lesson.status == Status::Suppressed;
        assert_eq!(suppressed, number == 4, "bad outcome {number}");
    }
}

#[test]
fn the_classic_lesson_id_is_reproduced() {
    let triggers = ["b", "a", "a"].map(str::to_owned);
    let id = classic_lesson_id("Use  Lowercase sum() not SUM().", &triggers);
    assert_eq!(id, "lsn_e82c24a1b299d56695e8");
}
