//! All rows that a verdict on a lesson rests on, as they are gathered and as a decision keeps them.

use serde::{Deserialize, Serialize};

use super::evidence_row::EvidenceRow;
use super::proof_state::{Counterexample, Support};
use crate::lesson::lesson::Contest;
use hindlore_primitives::ids::ActivationId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// Rows of each kind that a decision keeps; the last ones.
pub const ROWS_MAX: usize = 200;

word_enum! {
    /// The side of a run in the comparison.
    Arm {
        /// The lesson was offered before the first step.
        With = "with",
        /// It was not there: withheld by chance, or not born.
        Without = "without",
    }
}

/// One outcome as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OutcomeRow {
    /// The activation.
    pub activation: ActivationId,
    /// Its run.
    pub run: String,
    /// Its utility.
    pub utility: f64,
    /// The actions after the advice.
    pub row: EvidenceRow,
}

/// One run as evidence: relevant, since the lesson was active in it or one of its fingerprints was raised, or one of
/// the two arms.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    /// The run.
    pub run: String,
    /// The lesson was active in it.
    pub with_lesson: bool,
    /// One of its fingerprints was raised.
    pub raised: bool,
    /// The result by the evaluator.
    pub passed: Option<bool>,
    /// Its score.
    pub score: Option<f64>,
    /// It was a major regression, and the lesson was followed at or before a failing step.
    pub regression: bool,
    /// Its side in the comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm: Option<Arm>,
    /// It is of the control share.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Steps taken.
    pub steps: u32,
}

/// All that a decision rests on, oldest first.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct EvidenceRows {
    /// Settled outcomes.
    pub outcomes: Vec<OutcomeRow>,
    /// Relevant runs, and comparable ones.
    pub runs: Vec<RunRow>,
    /// Decided meetings with conflicting lessons.
    pub contests: Vec<Contest>,
    /// Reliability at the time.
    pub reliability: f64,
    /// Relevant opportunities since it was last returned.
    pub unused_opportunities: u32,
    /// Runs that taught it again.
    pub supports: Vec<Support>,
    /// Runs that speak against it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<Counterexample>,
    /// Runs that show its need, sorted.
    pub needs: Vec<String>,
    /// Its rule names a right form.
    pub has_correct: bool,
    /// A person set its status.
    pub by_person: bool,
    /// When its status last changed.
    pub status_at: Option<Timestamp>,
}
