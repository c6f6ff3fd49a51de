//! What came of an activation, and what it was compared with.

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// What happens without a lesson.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Baseline {
    /// Share of samples in which the error came (again), 0..=1.
    pub rate: f64,
    /// Samples behind `rate`.
    pub samples: u64,
    /// Median number of steps of comparable runs without the lesson.
    pub median_steps: Option<f64>,
    /// Mean score of them.
    pub mean_score: Option<f64>,
}

/// What came of an activation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The error came (again), or the step that followed the advice failed in another way.
    pub recurred: bool,
    /// Further failures of the run after the activation.
    pub failures_after: u32,
    /// What it was compared with.
    pub baseline: Baseline,
    /// −1..=1.
    pub error_reduction: f64,
    /// −1..=1.
    pub step_efficiency_gain: f64,
    /// −1..=1; absent without a referee.
    pub referee_score_gain: Option<f64>,
    /// The weighted sum.
    pub utility: f64,
    /// When it was settled.
    pub at: Timestamp,
}

impl Outcome {
    /// Tells whether the activation helped.
    pub fn helped(&self) -> bool {
        self.utility > 0.0
    }
}
