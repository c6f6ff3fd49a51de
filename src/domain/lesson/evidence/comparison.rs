//! The two arms of the comparative proof: comparable runs with the lesson offered in time, and without it.
//!
//! An arm must not be chosen by the result. So a run counts with the lesson only when it was offered before the first
//! step: an offer on an error exists only where the error came. It counts without it when chance withheld it (a control
//! run) or before the lesson was born; the run that the lesson was learned from never counts, because it was chosen for
//! its failure; of all others the last ones count whether they raised the error or not.

use std::collections::BTreeSet;

use super::evidence_rows::ROWS_MAX;
use super::interval::Share;
use super::outcome::Baseline;
use super::utility::{mean, median};
use crate::lesson::learning::attempt::subjects_of_rule;
use crate::lesson::lesson::Lesson;
use crate::lesson::lesson_policy::GateNumbers;
use crate::lesson::run::RunRecord;

/// Comparable runs, oldest first, at most [`ROWS_MAX`] an arm, the last ones.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Arms<'r> {
    /// Runs with the lesson offered in time.
    pub with: Vec<&'r RunRecord>,
    /// Runs without it.
    pub without: Vec<&'r RunRecord>,
}

impl<'r> Arms<'r> {
    /// The arms of a lesson from runs, which are oldest first.
    ///
    /// Runs of the lesson's task are the closer comparison; those of its domain and tool are taken where the task
    /// fills no two arms.
    pub fn new(lesson: &Lesson, runs: &'r [RunRecord], numbers: &GateNumbers) -> Self {
        let place = &lesson.place;
        let of_task = |run: &&RunRecord| place.shares_task(&run.place);
        let of_domain = |run: &&RunRecord| place.shares_domain(&run.place);
        let near = Self::among(lesson, runs.iter().filter(of_task));
        if near.is_enough(numbers) || place.domain.is_none() {
            return near;
        }
        Self::among(lesson, runs.iter().filter(of_domain))
    }

    fn among(lesson: &Lesson, runs: impl Iterator<Item = &'r RunRecord>) -> Self {
        let subjects = subjects_of_rule(&lesson.rule);
        let taught: BTreeSet<&str> = lesson.source_runs.iter().map(String::as_str).collect();
        let mut arms = Self::default();
        for run in runs.filter(|run| run.attempted(&subjects)) {
            let is_before_birth = run.ended_at < lesson.created_at;
            // A control run that taught the lesson again was not chosen for it: chance had chosen it before.
            let is_source = taught.contains(run.id.as_str())
                && (!run.control || run.ended_at <= lesson.created_at);
            if run.was_offered(lesson.id) {
                if lesson.proof.counts(run.ended_at) {
                    arms.with.push(run);
                }
            } else if (run.control || is_before_birth) && !is_source {
                arms.without.push(run);
            }
        }
        for arm in [&mut arms.with, &mut arms.without] {
            arm.drain(..arm.len().saturating_sub(ROWS_MAX));
        }
        arms
    }

    fn is_enough(&self, numbers: &GateNumbers) -> bool {
        self.with.len().min(self.without.len()) >= numbers.arm_runs_min
    }

    /// The rate without the lesson.
    pub fn baseline(&self, lesson: &Lesson) -> Baseline {
        let without = || self.without.iter();
        let raised = Share::from_cases(without().map(|run| run.raised(&lesson.triggers)));
        let mut steps: Vec<f64> = without().map(|run| f64::from(run.steps)).collect();
        let scores: Vec<f64> = without().filter_map(|run| run.score).collect();
        Baseline {
            rate: raised.rate().unwrap_or_default(),
            samples: raised.of as u64,
            median_steps: median(&mut steps),
            mean_score: mean(&scores),
        }
    }
}
