//! Gathering the evidence about a lesson: its outcomes, the relevant runs, and the regressions that it
//! has to answer for.

use super::activation::Activation;
use super::lesson::Lesson;
use super::numbers::GateNumbers;
use super::promotion::{EvidenceRows, OutcomeRow, ROWS_MAX, RunRow};
use super::run::{Occurrence, RunRecord, comparable, is_same_domain, is_same_task};
use super::utility::mean;

/// Gathers the rows about a lesson from runs and activations, both oldest first.
pub fn evidence(
    lesson: &Lesson,
    runs: &[RunRecord],
    activations: &[Activation],
    numbers: &GateNumbers,
) -> EvidenceRows {
    let own = |activation: &&Activation| activation.lesson == lesson.id && !activation.withheld;
    let outcomes = activations.iter().filter(own).filter_map(|activation| {
        let utility = activation.outcome?.utility;
        Some(OutcomeRow {
            activation: activation.id,
            run: activation.run.clone(),
            utility,
        })
    });
    let relevant: Vec<&RunRecord> = runs
        .iter()
        .filter(|run| run.had(lesson.id) || run.raised(&lesson.triggers))
        .collect();
    let is_row = |run: &&RunRecord| {
        let is_near = |other: &&RunRecord| is_same_task(run, other) || is_same_domain(run, other);
        run.had(lesson.id) || run.raised(&lesson.triggers) || relevant.iter().any(is_near)
    };
    let rows = runs.iter().filter(is_row).map(|run| RunRow {
        run: run.id.clone(),
        with_lesson: run.had(lesson.id),
        raised: run.raised(&lesson.triggers),
        passed: run.passed,
        score: run.score,
        regression: blames(lesson, run, runs, numbers),
    });
    EvidenceRows {
        outcomes: last(outcomes.collect()),
        runs: last(rows.collect()),
        contests: last(lesson.contests.clone()),
        reliability: lesson.reliability,
        unused_opportunities: lesson.unused_opportunities,
    }
}

/// Tells whether a run was a major regression that a lesson has to answer for: one of its fingerprints
/// was raised while it was in force, or a step taken on its advice failed.
fn blames(lesson: &Lesson, run: &RunRecord, runs: &[RunRecord], numbers: &GateNumbers) -> bool {
    let Some(from) = run
        .in_force
        .iter()
        .filter(|row| row.lesson == lesson.id)
        .map(|row| row.from_step)
        .min()
    else {
        return false;
    };
    // Where it is known whose advice was taken, nobody answers for advice that was not.
    let followed = run.advice_failed(lesson.id, from);
    if !run.followed.is_empty() && followed.is_none() {
        return false;
    }
    let raised =
        |occurrence: &Occurrence| occurrence.step > from && occurrence.is_of(&lesson.triggers);
    let failing = run.occurrences.iter().any(raised) || followed == Some(true);
    failing && is_major_regression(run, runs, numbers)
}

/// Pass turned to fail, or the score fell below the mean of the last comparable runs.
pub fn is_major_regression(run: &RunRecord, runs: &[RunRecord], numbers: &GateNumbers) -> bool {
    let earlier: Vec<&RunRecord> = comparable(run, runs)
        .into_iter()
        .filter(|other| (other.ended_at, &other.id) < (run.ended_at, &run.id))
        .collect();
    let window = &earlier[earlier.len().saturating_sub(numbers.regression_window)..];
    let passed_before = window.iter().rev().find_map(|other| other.passed) == Some(true);
    let scores: Vec<f64> = window.iter().filter_map(|other| other.score).collect();
    let fell = run
        .score
        .zip(mean(&scores))
        .is_some_and(|(score, mean)| mean - score >= numbers.regression_fall_min);
    (passed_before && run.passed == Some(false)) || fell
}

fn last<T>(mut rows: Vec<T>) -> Vec<T> {
    rows.drain(..rows.len().saturating_sub(ROWS_MAX));
    rows
}
