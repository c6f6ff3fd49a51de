//! Reflection over many trajectories: insights that several of them share, and orders of steps and decisions that
//! separate success and failure.
//!
//! `X` before `Y` is advice where every success that did `Y` had done `X` before, no failure that did `Y` had, and
//! chance would give such a split in fewer than one of twenty tries, over all pairs of actions that were compared. That
//! is no proof that `X` helps; it is an observation about the trajectories, and a later one can contradict it.

use std::collections::{BTreeMap, BTreeSet};

use super::step_action::{self, StepAction};
use super::{evidence, noted, quoted, reflect, shared};
use crate::playbook::{Category, Evidence, Proposal};
use crate::trajectory::{Status, Trajectory};

/// Probability below which a split is no chance.
const CHANCE_MAX: f64 = 0.05;
/// Orders that are proposed at most, those with the most trajectories first.
const ORDERS_MAX: usize = 16;

/// The insights from many trajectories.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchReflection {
    /// Trajectories that were looked at.
    pub looked_at: usize,
    /// Those of them that were worth learning from.
    pub worth_learning: usize,
    /// False if there were fewer than asked for; then nothing is proposed.
    pub is_enough: bool,
    /// The insights, each with its trajectories; near-equal ones are not merged yet.
    pub proposals: Vec<Proposal>,
}

/// Reflects on trajectories; with fewer than `least` nothing is proposed. Their order does not matter.
pub fn reflect_across(trajectories: &[Trajectory], least: usize) -> BatchReflection {
    let mut batch = BatchReflection {
        looked_at: trajectories.len(),
        worth_learning: 0,
        is_enough: trajectories.len() >= least,
        proposals: Vec::new(),
    };
    let mut sorted: Vec<&Trajectory> = trajectories.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    for one in &sorted {
        let reflection = reflect(one);
        batch.worth_learning += usize::from(reflection.is_worth_learning);
        if batch.is_enough {
            batch.proposals.extend(reflection.proposals());
        }
    }
    if batch.is_enough {
        batch.proposals.extend(shared_insights(&sorted));
    }
    batch
}

/// The insights that only several trajectories give: failures and successes that they share, decisions and orders.
pub fn shared_insights(trajectories: &[&Trajectory]) -> Vec<Proposal> {
    let orders = orders(trajectories);
    let is_order = |first: &str, then: &str| {
        let pattern = order_of(first, then);
        orders.iter().any(|one| one.pattern == pattern)
    };
    let mut found = shared::failures(trajectories);
    found.extend(shared::successes(trajectories, is_order));
    found.extend(decisions(trajectories));
    found.extend(orders);
    found
}

/// The first place of each named action of a trajectory that `counts`.
fn first_places(
    trajectory: &Trajectory,
    counts: impl Fn(&StepAction<'_>) -> bool,
) -> BTreeMap<String, usize> {
    let actions = step_action::of(&trajectory.steps);
    let mut places = BTreeMap::new();
    for (place, one) in actions.iter().enumerate() {
        if !one.name.is_empty() && counts(one) {
            places.entry(one.name.clone()).or_insert(place);
        }
    }
    places
}

/// A trajectory that was judged: whether it succeeded, and its actions.
struct Judged<'t> {
    trajectory: &'t Trajectory,
    succeeded: bool,
    /// The first place where each of its actions worked.
    worked: BTreeMap<String, usize>,
    /// The same of actions that never worked: the first try.
    failed: BTreeMap<String, usize>,
}

impl Judged<'_> {
    fn did(&self, name: &str) -> bool {
        self.worked.contains_key(name) || self.failed.contains_key(name)
    }

    fn did_before(&self, first: &str, then: &str) -> bool {
        let then = self.worked.get(then).or_else(|| self.failed.get(then));
        matches!((self.worked.get(first), then), (Some(first), Some(then)) if first < then)
    }
}

fn orders(trajectories: &[&Trajectory]) -> Vec<Proposal> {
    let judged: Vec<Judged<'_>> = trajectories.iter().filter_map(|one| judged(one)).collect();
    let names: BTreeSet<&str> = judged
        .iter()
        .flat_map(|one| one.worked.keys().chain(one.failed.keys()))
        .map(String::as_str)
        .collect();
    let pairs = names.len() * names.len().saturating_sub(1);
    let mut found: Vec<(usize, &str, &str, Vec<Evidence>)> = Vec::new();
    for then in &names {
        let doers: Vec<&Judged<'_>> = judged.iter().filter(|one| one.did(then)).collect();
        let (good, bad): (Vec<&Judged<'_>>, Vec<&Judged<'_>>) =
            doers.iter().partition(|one| one.succeeded);
        if good.is_empty()
            || bad.is_empty()
            || chance(good.len(), bad.len()) * count(pairs) > CHANCE_MAX
        {
            continue;
        }
        for first in names.iter().filter(|first| *first != then) {
            let parts = good.iter().all(|one| one.did_before(first, then))
                && !bad.iter().any(|one| one.did_before(first, then));
            if parts {
                let evidence = good
                    .iter()
                    .map(|one| evidence(one.trajectory, true))
                    .collect();
                found.push((doers.len(), first, then, evidence));
            }
        }
    }
    found.sort_by(|a, b| (b.0, a.1, a.2).cmp(&(a.0, b.1, b.2)));
    found.truncate(ORDERS_MAX);
    let proposal = |(_, first, then, evidence): (usize, &str, &str, Vec<Evidence>)| Proposal {
        category: Category::Helpful,
        pattern: order_of(first, then),
        context: String::new(),
        evidence,
        stated: None,
    };
    found.into_iter().map(proposal).collect()
}

/// The advice to keep an order of two actions.
fn order_of(first: &str, then: &str) -> String {
    format!("Do {} before {}.", quoted(first), quoted(then))
}

/// The decisions that every success made and no failure, where chance would hardly give that.
fn decisions(trajectories: &[&Trajectory]) -> Vec<Proposal> {
    let judged: Vec<Judged<'_>> = trajectories.iter().filter_map(|one| judged(one)).collect();
    let (good, bad): (Vec<&Judged<'_>>, Vec<&Judged<'_>>) =
        judged.iter().partition(|one| one.succeeded);
    let made: Vec<BTreeSet<String>> = good
        .iter()
        .map(|one| noted::decisions(one.trajectory))
        .collect();
    let others: BTreeSet<String> = bad
        .iter()
        .flat_map(|one| noted::decisions(one.trajectory))
        .collect();
    let compared = made
        .iter()
        .flatten()
        .chain(&others)
        .collect::<BTreeSet<_>>()
        .len();
    if good.is_empty()
        || bad.is_empty()
        || chance(good.len(), bad.len()) * count(compared) > CHANCE_MAX
    {
        return Vec::new();
    }
    let is_shared =
        |one: &&String| made.iter().all(|all| all.contains(*one)) && !others.contains(*one);
    let proposal = |decision: &String| Proposal {
        category: Category::Helpful,
        pattern: format!("Decide: “{decision}”."),
        context: String::new(),
        evidence: good
            .iter()
            .map(|one| evidence(one.trajectory, true))
            .collect(),
        stated: None,
    };
    made.first()
        .into_iter()
        .flatten()
        .filter(is_shared)
        .map(proposal)
        .collect()
}

fn judged(trajectory: &Trajectory) -> Option<Judged<'_>> {
    let succeeded = match trajectory.status? {
        Status::Success => true,
        Status::Failure => false,
        // Neither speaks for nor against an order.
        Status::Partial => return None,
    };
    Some(Judged {
        trajectory,
        succeeded,
        failed: first_places(trajectory, |one| one.failed()),
        worked: first_places(trajectory, |one| !one.failed()),
    })
}

/// The probability that chance alone puts all of `good` on one side and all of `bad` on the other: one of the ways to
/// choose `good` of all (Fisher's exact test of the extreme table).
fn chance(good: usize, bad: usize) -> f64 {
    let mut ways = 1.0;
    for k in 1..=good.min(bad) {
        ways *= count(good.max(bad) + k) / count(k);
    }
    1.0 / ways
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts of trajectories are far below 2^53"
)]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_one_of_the_ways_to_choose() {
        for (good, bad, expected) in [(1, 1, 0.5), (3, 2, 0.1), (5, 5, 1.0 / 252.0), (4, 0, 1.0)] {
            assert!((chance(good, bad) - expected).abs() < 1e-12, "{good} {bad}");
        }
    }
}
