//! What an activation brought, as a difference against what happens without the lesson.
//!
//! A fingerprint that mostly comes once looks cured by any lesson. So every term is compared with runs
//! and steps in which no lesson was active for it, and with few of those it is shrunk towards zero.

use super::activation::{Activation, Moment};
use super::ids::FingerprintId;
use super::lesson::Lesson;
use super::numbers::UtilityNumbers;
use super::outcome::{Baseline, Outcome};
use super::run::{InForce, Occurrence, RunRecord, comparable};

/// The baseline of an activation from history: earlier runs, and control runs among them.
pub fn baseline(
    activation: &Activation,
    lesson: &Lesson,
    run: &RunRecord,
    history: &[RunRecord],
) -> Baseline {
    let triggers = &lesson.triggers;
    let peers = comparable(run, history);
    let without: Vec<&RunRecord> = peers
        .into_iter()
        .filter(|peer| !peer.had(lesson.id))
        .collect();
    let (hits, samples) = match activation.moment {
        Moment::PreRun => (
            without.iter().filter(|peer| peer.raised(triggers)).count(),
            without.len(),
        ),
        Moment::OnError => {
            let asked = asked_for(activation, triggers);
            let others = history.iter().filter(|other| other.id != run.id);
            others.fold((0, 0), |(hits, samples), other| {
                let (h, s) = repeated(other, &asked);
                (hits + h, samples + s)
            })
        }
    };
    let mut steps: Vec<f64> = without.iter().map(|peer| f64::from(peer.steps)).collect();
    let scores: Vec<f64> = without.iter().filter_map(|peer| peer.score).collect();
    Baseline {
        rate: if samples == 0 {
            0.0
        } else {
            hits as f64 / samples as f64
        },
        samples: samples as u64,
        median_steps: median(&mut steps),
        mean_score: mean(&scores),
    }
}

/// The fingerprint of an on-error activation; a lesson reached through neighbours has none of its own.
fn asked_for(activation: &Activation, triggers: &[FingerprintId]) -> Vec<FingerprintId> {
    activation
        .trigger
        .map_or_else(|| triggers.to_vec(), |(id, _)| vec![id])
}

/// Occurrences of fingerprints with no lesson in force for them: how many were followed by another in
/// the same run, and how many there are.
fn repeated(run: &RunRecord, asked: &[FingerprintId]) -> (usize, usize) {
    let places: Vec<&Occurrence> = run
        .occurrences
        .iter()
        .filter(|occurrence| occurrence.is_of(asked))
        .collect();
    let covers = |row: &&InForce| {
        asked
            .iter()
            .any(|id| row.triggers.binary_search(id).is_ok())
    };
    let from = run
        .in_force
        .iter()
        .filter(covers)
        .map(|row| row.from_step)
        .min();
    let free = |occurrence: &Occurrence| from.is_none_or(|from| occurrence.step < from);
    let samples: Vec<usize> = (0..places.len()).filter(|at| free(places[*at])).collect();
    (
        samples.iter().filter(|at| **at + 1 < places.len()).count(),
        samples.len(),
    )
}

/// Values an activation once its run has ended.
pub fn settle(
    activation: &Activation,
    lesson: &Lesson,
    run: &RunRecord,
    baseline: Baseline,
    numbers: &UtilityNumbers,
) -> Outcome {
    let recurred = came_again(activation, lesson, run);
    let failures_after = run
        .occurrences
        .iter()
        .filter(|occurrence| occurrence.step > activation.step)
        .count();
    let n = baseline.samples as f64;
    let reduction = (baseline.rate - f64::from(u8::from(recurred))) * n / (n + numbers.shrink);
    let step_gain = match baseline.median_steps {
        Some(median) if median > 0.0 && !run.failed() => {
            ((median - f64::from(run.steps)) / median).clamp(-1.0, 1.0)
        }
        _ => 0.0,
    };
    let score_gain = run
        .score
        .zip(baseline.mean_score)
        .map(|(score, mean)| (score - mean).clamp(-1.0, 1.0));
    Outcome {
        recurred,
        failures_after: failures_after.try_into().unwrap_or(u32::MAX),
        baseline,
        error_reduction: reduction,
        step_efficiency_gain: step_gain,
        referee_score_gain: score_gain,
        utility: utility(reduction, step_gain, score_gain, numbers),
        at: run.ended_at,
    }
}

impl Outcome {
    /// The outcome where the run itself is a witness for or against the advice.
    ///
    /// Refuted advice has failed, or would have if it had been followed. How long a run takes is the doing of
    /// all that was advised in it, so that it counts for a piece of advice only as the verdict points: the
    /// refuted one earns nothing from a fast run, the right one does not answer for a slow one.
    pub fn witnessed(self, is_right: bool, numbers: &UtilityNumbers) -> Self {
        let n = self.baseline.samples as f64;
        let reduction = if is_right {
            self.error_reduction
        } else {
            (self.baseline.rate - 1.0) * n / (n + numbers.shrink)
        };
        let as_said = |gain: f64| {
            if is_right {
                gain.max(0.0)
            } else {
                gain.min(0.0)
            }
        };
        let step_gain = as_said(self.step_efficiency_gain);
        let score_gain = self.referee_score_gain.map(as_said);
        Self {
            recurred: self.recurred || !is_right,
            error_reduction: reduction,
            step_efficiency_gain: step_gain,
            referee_score_gain: score_gain,
            utility: utility(reduction, step_gain, score_gain, numbers),
            ..self
        }
    }
}

/// Whether the error came (again), or the advice failed in another way: to trade one error for another
/// cures nothing.
fn came_again(activation: &Activation, lesson: &Lesson, run: &RunRecord) -> bool {
    let advice_failed = run.advice_failed(lesson.id, activation.step);
    if activation.moment == Moment::PreRun {
        return run.raised(&lesson.triggers) || advice_failed.unwrap_or(false);
    }
    let asked = asked_for(activation, &lesson.triggers);
    let after = |occurrence: &&Occurrence| occurrence.step > activation.step;
    let again = run
        .occurrences
        .iter()
        .filter(after)
        .any(|occurrence| occurrence.is_of(&asked));
    // Where nobody says which step followed the advice, it is the next one.
    again || advice_failed.unwrap_or_else(|| run.failed_at(activation.step.saturating_add(1)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;

    #[test]
    fn the_length_of_a_run_counts_as_the_verdict_points() {
        let numbers = UtilityNumbers::default();
        let outcome = |step_efficiency_gain| Outcome {
            recurred: false,
            failures_after: 0,
            baseline: Baseline {
                rate: 0.5,
                samples: 2,
                ..Baseline::default()
            },
            error_reduction: 0.25,
            step_efficiency_gain,
            referee_score_gain: None,
            utility: 0.0,
            at: Timestamp::from_millis(0),
        };
        for (gain, is_right, expected) in [
            (0.4, true, 0.65 * 0.25 + 0.35 * 0.4),
            (-0.4, true, 0.65 * 0.25),
            (0.4, false, -0.65 * 0.25),
            (-0.4, false, -0.65 * 0.25 - 0.35 * 0.4),
        ] {
            let witnessed = outcome(gain).witnessed(is_right, &numbers);
            assert!(
                (witnessed.utility - expected).abs() < 1e-12,
                "{gain} {is_right}"
            );
            assert_eq!(witnessed.recurred, !is_right);
        }
    }
}
