//! Decisions and observations that a trajectory logged, as it worded them.
//!
//! They are facts of one run. A decision becomes advice only where success and failure part on it.

use std::collections::BTreeSet;

use super::Insight;
use crate::playbook::Category;
use crate::trajectory::{Status, Step, StepKind, Trajectory};

/// Largest number of insights of one kind.
const NOTED_MAX: usize = 5;
/// Longest text that is quoted, in characters; a longer one is no decision to repeat.
const CHARS_MAX: usize = 160;

/// The decisions and observations of a trajectory, each in its own words with the outcome of the run.
pub(super) fn insights(trajectory: &Trajectory) -> Vec<Insight> {
    let outcome = match trajectory.status {
        Some(Status::Success) => "the run succeeded",
        Some(Status::Failure) => "the run failed",
        Some(Status::Partial) => "the run succeeded in part",
        None => "the run is open",
    };
    let of_kind = |kind: StepKind, verb: &'static str| {
        let steps = trajectory
            .steps
            .iter()
            .filter(move |step| step.kind == kind);
        let worded = steps.filter_map(|step| Some((words_of(step)?, step.number)));
        worded.take(NOTED_MAX).map(move |(words, number)| Insight {
            category: Category::Neutral,
            pattern: format!("{verb}: “{words}”."),
            context: outcome.to_owned(),
            steps: vec![number],
        })
    };
    of_kind(StepKind::Decision, "Decided")
        .chain(of_kind(StepKind::Observation, "Observed"))
        .collect()
}

/// The words of the decisions of a trajectory.
pub(super) fn decisions(trajectory: &Trajectory) -> BTreeSet<String> {
    let made = trajectory
        .steps
        .iter()
        .filter(|step| step.kind == StepKind::Decision);
    made.filter_map(words_of).collect()
}

fn words_of(step: &Step) -> Option<String> {
    let words: Vec<&str> = step.description.split_whitespace().collect();
    let words = words.join(" ");
    (!words.is_empty() && words.chars().count() <= CHARS_MAX).then_some(words)
}
