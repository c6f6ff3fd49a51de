//! Lessons without end: errors with words of their own, tags from common to rare, rules that differ.

use crate::EvalError;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use hindlore_domain::lesson::rule::Rule;
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::NewFingerprint;
use hindlore_store::lessons::transaction::LessonCommit;

use serde_json::Value;

use super::{LessonsPlan, failed};

/// Lessons of one commit.
pub(super) const PIECE: u64 = 1_000;
/// Fingerprints that share a tag of the middle kind, and of the rare kind: one in this many has it.
const MIDDLE: u64 = 50;
const RARE: u64 = 5_000;
/// The moment of the first lesson.
const FIRST_MS: i64 = 1_780_000_000_000;

const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
const VOWELS: &[u8] = b"aeiou";

/// The data generated for one learner.
pub(super) struct Made<'p> {
    plan: &'p LessonsPlan,
    owner: &'p LearnerId,
}

impl<'p> Made<'p> {
    pub(super) fn new(plan: &'p LessonsPlan, owner: &'p LearnerId) -> Self {
        Self { plan, owner }
    }

    /// The text of an error; every number has its own fingerprint.
    pub(super) fn error(&self, at: u64) -> String {
        format!(
            "cannot join the {} to a {} that is closed",
            word(at),
            word(at * 31 + 7)
        )
    }

    /// The tags of an error: one that all have, one of the middle, and a rare one.
    pub(super) fn tags(&self, at: u64) -> Vec<String> {
        vec![
            "bench_common".to_owned(),
            format!("bench_{}", word(at % MIDDLE)),
            format!("bench_rare_{}", word(at % RARE)),
        ]
    }

    /// The fingerprint of an error.
    pub(super) fn fingerprint(&self, at: u64) -> FingerprintId {
        Fingerprinter::default()
            .of(&evidence(self.error(at)))
            .fine
            .id
    }

    /// The error that a call is about: spread over all of them.
    pub(super) fn drawn(&self, call: u64) -> u64 {
        call.wrapping_mul(0x9E37_79B9_7F4A_7C15) % self.plan.fingerprints.max(1)
    }

    /// All lessons, with each fingerprint in the first commit that names it.
    pub(super) fn commits(&self) -> impl Iterator<Item = Result<LessonCommit, EvalError>> {
        let pieces = self.plan.lessons.div_ceil(PIECE);
        (0..pieces).map(move |piece| {
            let numbers = piece * PIECE..((piece + 1) * PIECE).min(self.plan.lessons);
            let mut commit = LessonCommit::default();
            for number in numbers.clone() {
                commit.lessons.push(self.lesson(number)?);
            }
            let fingerprints = self.plan.fingerprints.max(1);
            for at in numbers.take_while(|number| *number < fingerprints) {
                let evidence = evidence(self.error(at));
                commit.fingerprints.push(NewFingerprint {
                    fingerprint: Fingerprinter::default().of(&evidence).fine,
                    tags: self.tags(at),
                });
            }
            Ok(commit)
        })
    }

    fn lesson(&self, number: u64) -> Result<Lesson, EvalError> {
        let at = number % self.plan.fingerprints.max(1);
        let rule = format!(
            "WRONG join {} with {} → CORRECT open {} before it is joined",
            word(at),
            word(number),
            word(number * 17 + 3)
        );
        Ok(Lesson::new(NewLesson {
            owner: self.owner.clone(),
            rule: Rule::parse(&rule).map_err(failed)?,
            triggers: vec![self.fingerprint(at)],
            tags: self.tags(at),
            reach: Reach::Domain,
            place: Place {
                domain: Some("bench".to_owned()),
                ..Place::default()
            },
            source_run: None,
            status: Status::Candidate,
            at: Timestamp::from_millis(FIRST_MS + i64::try_from(number).unwrap_or_default()),
        }))
    }
}

fn evidence(error: String) -> Evidence {
    Evidence {
        error: Value::from(error),
        ..Evidence::default()
    }
}

/// A word for a number, without digits, since those are masked.
fn word(number: u64) -> String {
    let base = (CONSONANTS.len() * VOWELS.len()) as u64;
    let mut rest = number;
    let mut word = String::new();
    loop {
        let syllable = (rest % base) as usize;
        word.push(char::from(CONSONANTS[syllable / VOWELS.len()]));
        word.push(char::from(VOWELS[syllable % VOWELS.len()]));
        rest /= base;
        if rest == 0 {
            return word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_fingerprint_of_its_own() {
        let plan = LessonsPlan {
            lessons: 3_000,
            fingerprints: 3_000,
            ..LessonsPlan::default()
        };
        let owner = LearnerId::new("t", "l").unwrap();
        let made = Made::new(&plan, &owner);
        let ids: std::collections::HashSet<_> = (0..3_000).map(|at| made.fingerprint(at)).collect();
        assert_eq!(ids.len(), 3_000);
        let commits: Result<Vec<_>, _> = made.commits().collect();
        let commits = commits.unwrap();
        let lessons = commits.iter().flat_map(|commit| &commit.lessons);
        let lessons: std::collections::HashSet<_> = lessons.map(|lesson| lesson.id).collect();
        assert_eq!(lessons.len(), 3_000);
    }
}
