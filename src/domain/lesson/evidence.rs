//! Gathering the evidence about a lesson: its rows, the runs of the two arms, and the regressions that it has to
//! answer for.

pub mod assertion;
pub mod attribution;
pub mod comparison;
pub mod evidence_row;
pub mod evidence_rows;
pub mod interval;
pub mod outcome;
pub mod proof_state;
pub mod summary;
pub mod utility;
pub mod verdict_numbers;

use std::collections::BTreeSet;

use self::comparison::Arms;
use self::evidence_rows::{Arm, EvidenceRows, OutcomeRow, ROWS_MAX, RunRow};
use self::utility::mean;
use super::activation::Activation;
use super::lesson::Lesson;
use super::lesson_policy::GateNumbers;
use super::run::{RunRecord, comparable};

/// Gathers the rows about a lesson from runs and activations, both oldest first. Rows from before a review or a
/// second chance are left out, but for the need of the lesson, which is no verdict on it.
pub fn evidence(
    lesson: &Lesson,
    runs: &[RunRecord],
    activations: &[Activation],
    numbers: &GateNumbers,
) -> EvidenceRows {
    let proof = &lesson.proof;
    let own = |activation: &&Activation| activation.lesson == lesson.id && !activation.withheld;
    let own: Vec<&Activation> = activations.iter().filter(own).collect();
    let outcomes = own.iter().filter_map(|activation| {
        let outcome = activation
            .outcome
            .filter(|outcome| proof.counts(outcome.at))?;
        Some(OutcomeRow {
            activation: activation.id,
            run: activation.run.clone(),
            utility: outcome.utility,
            row: outcome.row,
        })
    });
    let arms = Arms::new(lesson, runs, numbers);
    let is_in = |arm: &[&RunRecord], run: &RunRecord| arm.iter().any(|one| one.id == run.id);
    let rows = runs.iter().filter_map(|run| {
        let arm = if is_in(&arms.with, run) {
            Some(Arm::With)
        } else {
            is_in(&arms.without, run).then_some(Arm::Without)
        };
        let (with_lesson, raised) = (run.had(lesson.id), run.raised(&lesson.triggers));
        let is_relevant = with_lesson || raised;
        (is_relevant || arm.is_some()).then(|| RunRow {
            run: run.id.clone(),
            with_lesson,
            raised,
            passed: run.passed,
            score: run.score,
            regression: proof.counts(run.ended_at) && blames(&own, run, runs, numbers),
            arm,
            control: run.control,
            steps: run.steps,
        })
    });
    let contests = lesson.contests.iter();
    let contests = contests.filter(|contest| proof.counts(contest.at));
    let supports = proof.supports.iter();
    let supports = supports.filter(|support| proof.counts(support.at));
    let against = proof.counterexamples.iter();
    let against = against.filter(|found| proof.counts(found.at));
    EvidenceRows {
        outcomes: last(outcomes.collect()),
        runs: last(rows.collect()),
        contests: last(contests.copied().collect()),
        reliability: lesson.reliability,
        unused_opportunities: lesson.unused_opportunities,
        supports: last(supports.cloned().collect()),
        counterexamples: last(against.cloned().collect()),
        needs: needs(lesson, &own),
        has_correct: lesson.rule.names_a_cure(),
        by_person: proof.by_person,
        status_at: proof.status_at,
    }
}

/// The runs that show the need of a lesson, sorted: the action without its advice failed in its way.
fn needs(lesson: &Lesson, own: &[&Activation]) -> Vec<String> {
    let sources = lesson.source_runs.iter();
    let supports = lesson.proof.supports.iter().map(|support| &support.run);
    let needed = own
        .iter()
        .filter(|activation| activation.outcome.is_some_and(|outcome| outcome.row.needed));
    let shown = needed.map(|activation| &activation.run);
    let all: BTreeSet<&String> = sources.chain(supports).chain(shown).collect();
    all.into_iter().take(ROWS_MAX).cloned().collect()
}

/// Returns true if a run was a major regression that a lesson has to answer for: its advice was followed at or
/// before a step that failed. To have been shown is no guilt, nor is a run that failed without a failing step.
fn blames(own: &[&Activation], run: &RunRecord, runs: &[RunRecord], numbers: &GateNumbers) -> bool {
    let of_run = own.iter().filter(|activation| activation.run == run.id);
    let followed = of_run
        .filter_map(|activation| activation.outcome?.row.followed_step)
        .min();
    let Some(followed) = followed else {
        return false;
    };
    let failed_since = run.occurrences.iter().any(|one| one.step >= followed);
    failed_since && is_major_regression(run, runs, numbers)
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
