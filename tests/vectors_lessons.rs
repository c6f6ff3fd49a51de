//! The lesson vectors: fingerprints and promotion traces of the original program, in classic mode.
//!
//! `MNEMOGRAPH_VECTORS` names another folder with a file of the same name and form; a missing or empty
//! file is a failure. Where the original is defective, the engine's opposite is tested in `tests/lessons`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a vector that cannot be read is a failure"
)]

use std::path::PathBuf;

use mnemograph::domain::lesson::fingerprint::{classic_fingerprint, classic_normalised};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct File {
    fingerprints: Vec<Case>,
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
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let folder = std::env::var_os("MNEMOGRAPH_VECTORS").map_or(default, PathBuf::from);
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
