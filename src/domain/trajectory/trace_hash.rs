//! Hashes of steps and traces: equal bodies are stored once, and a trace is known again when its steps are gone.

use sha2::{Digest, Sha256};

use super::step::StepKind;
use hindlore_primitives::identity::{hex, length_prefixed};

/// The SHA-256 of the body of a step: its action and metadata as JSON texts, and its description.
pub fn body_hash(action: &str, description: &str, metadata: Option<&str>) -> [u8; 32] {
    let has = if metadata.is_some() { "1" } else { "0" };
    let parts = [action, description, has, metadata.unwrap_or_default()];
    Sha256::digest(length_prefixed(&parts)).into()
}

/// The hash of a trace, in hexadecimal, after one more step: of the hash before it (`None` before the first), and the
/// number, the kind and the body of the step, and whether it failed. Steps count in the order in which they were
/// reported.
pub fn trace_hash(
    before: Option<&str>,
    (number, kind, failed): (u32, StepKind, bool),
    body: &[u8; 32],
) -> String {
    let failed = if failed { "failed" } else { "worked" };
    let parts = [
        before.unwrap_or_default(),
        &number.to_string(),
        kind.word(),
        failed,
        &hex(body),
    ];
    hex(&Sha256::digest(length_prefixed(&parts)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_step_changes_the_hashes() {
        let base = body_hash("\"a\"", "b", None);
        assert_eq!(base, body_hash("\"a\"", "b", None));
        for other in [
            body_hash("\"b\"", "b", None),
            body_hash("\"a\"", "c", None),
            body_hash("\"a\"", "b", Some("")),
            body_hash("\"a\"b", "", None),
        ] {
            assert_ne!(base, other);
        }
        let first = trace_hash(None, (1, StepKind::Action, false), &base);
        for other in [
            trace_hash(Some(&first), (1, StepKind::Action, false), &base),
            trace_hash(None, (2, StepKind::Action, false), &base),
            trace_hash(None, (1, StepKind::Decision, false), &base),
            trace_hash(None, (1, StepKind::Action, true), &base),
            trace_hash(None, (1, StepKind::Action, false), &[0; 32]),
        ] {
            assert_ne!(first, other);
        }
    }
}
