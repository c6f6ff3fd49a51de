//! The change of a strategy and its description: verdicts by evidence, merging, and reasons.

use super::{Change, ChangeKind, Curated, CurationRules};
use crate::lesson::evidence::interval::{Share, Z90};
use crate::playbook::confidence::ConfidenceRules;
use crate::playbook::content::STRATEGIES_MAX;
use crate::playbook::strategy::{Category, Stated, Strategy, united};
use hindlore_primitives::timestamp::Timestamp;

/// Returns true if a strategy is as the playbook had it.
pub(super) fn is_as_before(known: &[Strategy], strategy: &Strategy) -> bool {
    let before = known.iter().find(|one| one.id == strategy.id);
    before.is_some_and(|before| before.canonical() == strategy.canonical())
}

/// How a strategy leaves: one that never was in the playbook was only left out.
pub(super) fn leaving(known: &[Strategy], id: &str) -> ChangeKind {
    if known.iter().any(|one| one.id == id) {
        ChangeKind::Removed
    } else {
        ChangeKind::LeftOut
    }
}

pub(super) fn mentions(strategies: &[Strategy], changes: &[Change], id: &str) -> bool {
    strategies.iter().any(|one| one.id == id) || changes.iter().any(|one| one.strategy == id)
}

pub(super) fn change(kind: ChangeKind, strategy: &Strategy, reason: String) -> Change {
    Change {
        kind,
        strategy: strategy.id.clone(),
        pattern: strategy.pattern.clone(),
        reason,
    }
}

/// Takes over the additions of a proposal to its strategy.
pub(super) fn merge(keep: &mut Strategy, new: Strategy, now: Timestamp) {
    let before = keep.canonical();
    keep.evidence = united(&keep.evidence, &new.evidence);
    if keep.context.is_empty() {
        keep.context = new.context;
    }
    let weight = |stated: &Stated| (stated.evidence, stated.confidence.to_bits());
    keep.stated = [keep.stated, new.stated]
        .into_iter()
        .flatten()
        .max_by_key(weight);
    if keep.canonical() != before {
        keep.updated = now;
    }
}

/// The demand of the evidence on a strategy that changed: to move, to go, or nothing.
pub(super) fn verdict(strategy: &Strategy, rules: &CurationRules) -> Option<(ChangeKind, String)> {
    let (worked, failed) = strategy.votes();
    if strategy.category == Category::Harmful {
        let reason = format!("what it warns of worked {worked} times and failed {failed} times");
        return (worked > failed).then_some((ChangeKind::Removed, reason));
    }
    if failed <= worked {
        return None;
    }
    let share = Share {
        hits: failed,
        of: worked + failed,
    };
    let reason = format!("it failed {failed} times and worked {worked} times");
    if share.wilson(Z90).lower >= rules.clearly_harmful {
        Some((ChangeKind::Moved, reason))
    } else {
        Some((ChangeKind::Removed, reason))
    }
}

pub(super) fn added_because(strategy: &Strategy) -> String {
    match (strategy.evidence.len(), strategy.stated) {
        (0, Some(_)) => "stated".to_owned(),
        (0, None) => "written".to_owned(),
        (1, _) => "shown by 1 trajectory".to_owned(),
        (count, _) => format!("shown by {count} trajectories"),
    }
}

pub(super) fn updated_because(before: &Strategy, now: &Strategy) -> String {
    let is_new = |id: &str| before.evidence.iter().all(|one| one.trajectory != id);
    let news = now
        .evidence
        .iter()
        .filter(|one| is_new(&one.trajectory))
        .count();
    match news {
        0 => "its context, its category or what is stated of it changed".to_owned(),
        1 => "1 more trajectory".to_owned(),
        count => format!("{count} more trajectories"),
    }
}

/// Takes the least sure strategies out of a list that is too long; of equals the newest.
pub(super) fn cut(
    curated: &mut Curated,
    known: &[Strategy],
    confidence: &ConfidenceRules,
    now: Timestamp,
) {
    let over = curated.strategies.len().saturating_sub(STRATEGIES_MAX);
    if over == 0 {
        return;
    }
    let mut places: Vec<usize> = (0..curated.strategies.len()).collect();
    let sure = |at: &usize| confidence.of(&curated.strategies[*at], now).value;
    places.sort_by(|a, b| sure(a).total_cmp(&sure(b)).then(b.cmp(a)));
    let mut gone: Vec<usize> = places.into_iter().take(over).collect();
    gone.sort_unstable();
    for at in gone.into_iter().rev() {
        let strategy = curated.strategies.remove(at);
        curated
            .changes
            .retain(|change| change.strategy != strategy.id);
        let reason =
            format!("a playbook holds {STRATEGIES_MAX} strategies, and it was the least sure");
        let kind = leaving(known, &strategy.id);
        curated.changes.push(change(kind, &strategy, reason));
    }
    let is_known_as_it_was = |one: &&Strategy| known.iter().any(|before| before == *one);
    curated.unchanged = curated.strategies.iter().filter(is_known_as_it_was).count();
}
