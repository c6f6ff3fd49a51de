//! The outcome of an activation: its row of evidence, and the baseline of the comparison.

use serde::{Deserialize, Serialize};

use super::evidence_row::EvidenceRow;
use hindlore_primitives::timestamp::Timestamp;

/// The rate without a lesson, in comparable runs.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Baseline {
    /// Share of samples in which the error came, 0..=1.
    pub rate: f64,
    /// Samples of `rate`.
    pub samples: u64,
    /// Median number of steps of the runs.
    pub median_steps: Option<f64>,
    /// Mean score of them.
    pub mean_score: Option<f64>,
}

/// The outcome of an activation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The error came (again), or the step that followed the advice failed in another way.
    pub recurred: bool,
    /// Further failures of the run after the activation.
    pub failures_after: u32,
    /// The baseline of the comparison.
    pub baseline: Baseline,
    /// −1..=1.
    pub error_reduction: f64,
    /// −1..=1.
    pub step_efficiency_gain: f64,
    /// −1..=1; absent without a referee.
    pub referee_score_gain: Option<f64>,
    /// The weighted sum.
    pub utility: f64,
    /// The actions after the advice.
    pub row: EvidenceRow,
    /// When it was settled.
    pub at: Timestamp,
}

impl Outcome {
    /// Its verdict on the lesson: 1 for it, −1 against it, 0 nothing.
    pub fn sign(&self) -> i8 {
        self.row.kind.sign()
    }

    /// Returns true if the activation helped.
    pub fn helped(&self) -> bool {
        self.sign() > 0
    }
}
