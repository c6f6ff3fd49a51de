//! The metrics of every run, with lessons and without.

use serde::{Deserialize, Serialize};

use super::activation::Activation;
use super::lesson::Status;
use super::promotion::Decision;
use super::run::RunRecord;
use hindlore_primitives::ids::FingerprintId;

/// The metrics of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunMetrics {
    /// The run.
    pub run: String,
    /// Lessons were withheld.
    pub control: bool,
    /// The result by an evaluator.
    pub passed: Option<bool>,
    /// Its score.
    pub score: Option<f64>,
    /// Steps taken.
    pub steps: u32,
    /// Failed steps.
    pub tool_errors: u64,
    /// Lessons that were returned.
    pub activations: u64,
    /// Lessons that would have been returned.
    pub withheld: u64,
    /// Failures whose fingerprint was raised before, in this run or an earlier one.
    pub recurrences: u64,
    /// Decisions that promoted.
    pub promoted: u64,
    /// Decisions that suppressed.
    pub suppressed: u64,
    /// Activations that helped over those whose outcome is evidence; absent without one.
    pub precision: Option<f64>,
}

/// Measures a run; `seen_before` returns whether an earlier run raised a fingerprint.
pub fn measure(
    run: &RunRecord,
    activations: &[Activation],
    decisions: &[Decision],
    seen_before: impl Fn(FingerprintId) -> bool,
) -> RunMetrics {
    let mut seen: Vec<FingerprintId> = Vec::new();
    let mut recurrences = 0;
    for occurrence in &run.occurrences {
        let known = seen.contains(&occurrence.fine);
        recurrences += u64::from(known || seen_before(occurrence.fine));
        if !known {
            seen.push(occurrence.fine);
        }
    }
    let own = || {
        activations
            .iter()
            .filter(|activation| activation.run == run.id)
    };
    let count = |withheld: bool| {
        own()
            .filter(|activation| activation.withheld == withheld)
            .count() as u64
    };
    let settled: Vec<bool> = own()
        .filter(|activation| !activation.withheld)
        .filter_map(|activation| activation.outcome)
        // Advice that was not followed is no evidence about its choice.
        .filter(|outcome| outcome.sign() != 0)
        .map(|outcome| outcome.helped())
        .collect();
    let helped = settled.iter().filter(|helped| **helped).count();
    let became = |status: Status| {
        decisions
            .iter()
            .filter(|decision| decision.to == status)
            .count() as u64
    };
    RunMetrics {
        run: run.id.clone(),
        control: run.control,
        passed: run.passed,
        score: run.score,
        steps: run.steps,
        tool_errors: run.occurrences.len() as u64,
        activations: count(false),
        withheld: count(true),
        recurrences,
        promoted: became(Status::Promoted),
        suppressed: became(Status::Suppressed),
        precision: (!settled.is_empty()).then(|| helped as f64 / settled.len() as f64),
    }
}
