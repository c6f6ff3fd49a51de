//! Failures and successes that several trajectories share.
//!
//! A failure is shared if the action failed with the same words in at least two trajectories and worked in none. A success
//! is shared if at least three trajectories did the same actions in the same order, and no failed one did.

use std::collections::{BTreeMap, BTreeSet};

use super::recovery::trace_step;
use super::repeated::{against, fails_with};
use super::step_action::{self, StepAction};
use super::{CUT, evidence, headline, local, quoted};
use crate::lesson::learning::contrast::is_lasting;
use crate::lesson::learning::pattern;
use crate::playbook::{Category, Proposal};
use crate::trajectory::{Status, Trajectory};

/// Trajectories that make a failure a shared one.
const FAILURES_MIN: usize = 2;
/// Trajectories that make a success a shared one.
const SUCCESSES_MIN: usize = 3;
/// Actions of a success that a sentence names.
const ACTIONS_MAX: usize = 8;
/// Shared failures or successes that are proposed at most, those with the most trajectories first.
const PROPOSED_MAX: usize = 16;

/// The failures that trajectories share, as advice against the action.
pub(super) fn failures(trajectories: &[&Trajectory]) -> Vec<Proposal> {
    let mut worked: BTreeSet<String> = BTreeSet::new();
    let mut failed: BTreeMap<(String, String), Vec<(&Trajectory, String)>> = BTreeMap::new();
    for trajectory in trajectories {
        let actions = step_action::of(&trajectory.steps);
        for one in &actions {
            let text = one.text();
            let form = pattern::without_case_values(&text);
            if !one.failed() {
                worked.extend([text, form]);
                continue;
            }
            let files = local::written_before(&actions, one.step.number);
            let is_own = text.is_empty() || local::is_of_one_run(&text, &files);
            if let Some(said) = headline(one.step).filter(|_| !is_own)
                && is_lasting(&trace_step(one))
            {
                failed
                    .entry((form, said))
                    .or_default()
                    .push((trajectory, text));
            }
        }
    }
    let mut found = Vec::new();
    for ((form, said), tries) in failed {
        let runs: BTreeSet<&str> = tries.iter().map(|(one, _)| one.id.as_str()).collect();
        // Equal tries are quoted as they were, others by their common form.
        let is_one = tries.iter().all(|(_, text)| *text == tries[0].1);
        let quote = if is_one { &tries[0].1 } else { &form };
        if runs.len() < FAILURES_MIN || worked.contains(quote) {
            continue;
        }
        found.push(Proposal {
            category: Category::Harmful,
            pattern: against(quote),
            context: fails_with(&said),
            evidence: tries.iter().map(|(one, _)| evidence(one, false)).collect(),
            stated: None,
        });
    }
    most(found)
}

/// The orders of actions that successes share, as advice; those with a pair of actions whose order is advice already
/// are left out.
pub(super) fn successes(
    trajectories: &[&Trajectory],
    is_order: impl Fn(&str, &str) -> bool,
) -> Vec<Proposal> {
    let mut good: BTreeMap<Vec<String>, Vec<&Trajectory>> = BTreeMap::new();
    let mut bad: BTreeSet<Vec<String>> = BTreeSet::new();
    for trajectory in trajectories {
        match trajectory.status {
            Some(Status::Success) => good.entry(names(trajectory)).or_default().push(trajectory),
            Some(Status::Failure) => {
                bad.insert(names(trajectory));
            }
            Some(Status::Partial) | None => {}
        }
    }
    let mut found = Vec::new();
    for (names, shown) in good {
        let is_several = (2..=ACTIONS_MAX).contains(&names.len());
        if !is_several || shown.len() < SUCCESSES_MIN || bad.contains(&names) {
            continue;
        }
        let is_known = |(at, first): (usize, &String)| {
            names[at + 1..].iter().any(|then| is_order(first, then))
        };
        if names.iter().enumerate().any(is_known) {
            continue;
        }
        let quotes: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let kind = shown[0].task_type.as_ref();
        let kind = kind.filter(|_| shown.iter().all(|one| one.task_type == shown[0].task_type));
        found.push(Proposal {
            category: Category::Helpful,
            pattern: format!("Do {}.", quotes.join(", then ")),
            context: kind.map_or_else(String::new, |kind| format!("in tasks of type {kind}")),
            evidence: shown.iter().map(|one| evidence(one, true)).collect(),
            stated: None,
        });
    }
    most(found)
}

/// The names of the actions of a trajectory that worked, in order; one done again at once counts once.
fn names(trajectory: &Trajectory) -> Vec<String> {
    let actions = step_action::of(&trajectory.steps);
    let named = |one: &&StepAction<'_>| !one.failed() && !one.name.is_empty();
    let mut names: Vec<String> = actions
        .iter()
        .filter(named)
        .map(|one| one.name.clone())
        .collect();
    names.dedup();
    names
}

fn most(mut found: Vec<Proposal>) -> Vec<Proposal> {
    found.retain(|one| !one.pattern.contains(CUT));
    found.sort_by_key(|one| std::cmp::Reverse(one.evidence.len()));
    found.truncate(PROPOSED_MAX);
    found
}
