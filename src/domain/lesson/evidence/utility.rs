//! The utility of a lesson: the one number that is shown and kept, as a difference to runs without it.
//!
//! A fingerprint that mostly comes once looks cured by any lesson. So where comparable runs without the lesson are
//! known every term is the difference against them, shrunk towards zero where they are few; where none are, the
//! cures and failures of the advice speak for themselves. The utility decides nothing alone: the proofs do
//! (`promotion`).

use super::evidence_row::EvidenceRow;
use super::outcome::{Baseline, Outcome};
use crate::lesson::activation::{Activation, Trigger};
use crate::lesson::lesson::Lesson;
use crate::lesson::lesson_policy::UtilityNumbers;
use crate::lesson::run::RunRecord;

/// Runs in which the advice was followed, each once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Followings {
    /// Runs in which it worked.
    pub successes: usize,
    /// Runs in which it failed.
    pub failures: usize,
}

impl Followings {
    /// The balance of both, −1..=1, shrunk towards zero by `shrink` added cases: (s − f)/(s + f + k).
    pub fn balance(self, shrink: f64) -> f64 {
        let (s, f) = (self.successes as f64, self.failures as f64);
        if s + f > 0.0 {
            (s - f) / (s + f + shrink)
        } else {
            0.0
        }
    }
}

/// How much of a difference against `samples` cases is believed: n/(n + k).
fn trust(samples: u64, shrink: f64) -> f64 {
    let n = samples as f64;
    if n > 0.0 { n / (n + shrink) } else { 0.0 }
}

/// A row of evidence with the use that it is about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Use<'r> {
    /// The use.
    pub activation: &'r Activation,
    /// The lesson.
    pub lesson: &'r Lesson,
    /// The run, which has ended.
    pub run: &'r RunRecord,
    /// Its outcome.
    pub row: EvidenceRow,
}

/// Values a use; one whose row is no evidence is worth nothing.
///
/// An offer before the run is compared with runs without the lesson; one after an error cannot be, since the error
/// had come already, and takes the balance of all its followings so far.
pub fn settle(
    of: Use<'_>,
    followings: Followings,
    baseline: Baseline,
    numbers: &UtilityNumbers,
) -> Outcome {
    let (activation, run) = (of.activation, of.run);
    let sign = of.row.kind.sign();
    let trusted = trust(baseline.samples, numbers.shrink);
    let is_compared = activation.moment == Trigger::PreRun && baseline.samples > 0;
    let reduction = match sign {
        0 => 0.0,
        sign if is_compared => (baseline.rate - f64::from(u8::from(sign < 0))) * trusted,
        _ => followings.balance(numbers.shrink),
    };
    // How long a run takes is the doing of all that was advised in it. So it counts only as the row points: failed
    // advice earns nothing from a fast run, and advice that worked does not answer for a slow one.
    let as_said = |gain: f64| match sign {
        0 => 0.0,
        sign if sign > 0 => gain.max(0.0) * trusted,
        _ => gain.min(0.0) * trusted,
    };
    let steps = baseline
        .median_steps
        .filter(|_| !run.failed())
        .and_then(|median| step_gain(median, f64::from(run.steps)));
    let step_gain = as_said(steps.unwrap_or_default());
    let score_gain = run
        .score
        .zip(baseline.mean_score)
        .map(|(score, mean)| as_said((score - mean).clamp(-1.0, 1.0)));
    let after = run
        .occurrences
        .iter()
        .filter(|occurrence| occurrence.step > activation.step);
    Outcome {
        recurred: sign < 0
            || after
                .clone()
                .any(|occurrence| occurrence.is_of(&of.lesson.triggers)),
        failures_after: after.count().try_into().unwrap_or(u32::MAX),
        baseline,
        error_reduction: reduction,
        step_efficiency_gain: step_gain,
        referee_score_gain: score_gain,
        utility: utility(reduction, step_gain, score_gain, numbers),
        row: of.row,
        at: run.ended_at,
    }
}

/// By how much fewer steps were taken, −1..=1; absent where nothing was to be saved.
fn step_gain(without: f64, with: f64) -> Option<f64> {
    (without > 0.0).then(|| ((without - with) / without).clamp(-1.0, 1.0))
}

/// The figures of the runs of an arm that the utility needs.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct ArmFigures {
    /// Runs.
    pub runs: u64,
    /// Share of them that raised the error.
    pub rate: f64,
    /// Median number of steps.
    pub median_steps: Option<f64>,
    /// Mean score.
    pub mean_score: Option<f64>,
}

/// The utility of a lesson over all its runs.
pub fn utility_of(
    with: ArmFigures,
    without: ArmFigures,
    followings: Followings,
    numbers: &UtilityNumbers,
) -> f64 {
    if with.runs == 0 || without.runs == 0 {
        let balance = followings.balance(numbers.shrink);
        return utility(balance, 0.0, None, numbers);
    }
    let trusted = trust(without.runs, numbers.shrink);
    let steps = without.median_steps.zip(with.median_steps);
    let steps = steps.and_then(|(without, with)| step_gain(without, with));
    let score = without.mean_score.zip(with.mean_score);
    utility(
        (without.rate - with.rate) * trusted,
        steps.unwrap_or_default() * trusted,
        score.map(|(without, with)| (with - without).clamp(-1.0, 1.0) * trusted),
        numbers,
    )
}

/// The weighted sum of the three gains.
pub fn utility(
    error_reduction: f64,
    step_gain: f64,
    score_gain: Option<f64>,
    numbers: &UtilityNumbers,
) -> f64 {
    match score_gain {
        Some(score) => {
            numbers.referee_error_weight * error_reduction
                + numbers.referee_step_weight * step_gain
                + numbers.referee_score_weight * score
        }
        None => numbers.error_weight * error_reduction + numbers.step_weight * step_gain,
    }
}

/// The reliability after an outcome.
pub fn reliability(before: f64, utility: f64, numbers: &UtilityNumbers) -> f64 {
    let target = f64::midpoint(utility, 1.0).clamp(0.0, 1.0);
    numbers.reliability_memory * before + (1.0 - numbers.reliability_memory) * target
}

/// The middle of a list; the mean of the two middle ones of an even one.
pub fn median(list: &mut [f64]) -> Option<f64> {
    list.sort_unstable_by(f64::total_cmp);
    let middle = list.len() / 2;
    match list.len() {
        0 => None,
        length if length.is_multiple_of(2) => Some(f64::midpoint(list[middle - 1], list[middle])),
        _ => Some(list[middle]),
    }
}

/// The mean of a list.
pub fn mean(list: &[f64]) -> Option<f64> {
    (!list.is_empty()).then(|| list.iter().sum::<f64>() / list.len() as f64)
}
