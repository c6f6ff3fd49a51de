//! The differences of two versions: strategies by their ids, and their order.

use std::collections::BTreeMap;

use super::strategy::Strategy;

/// The changes that turn one list of strategies into another.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct StrategyDiff {
    /// Strategies that only the second has, in its order.
    pub added: Vec<Strategy>,
    /// Strategies that only the first has, in its order.
    pub removed: Vec<Strategy>,
    /// Strategies that both have with another content: as it was, and as it is; in the second's order.
    pub changed: Vec<(Strategy, Strategy)>,
    /// Ids in the second's order, where adding and removing alone would give another one.
    pub order: Option<Vec<String>>,
}

impl StrategyDiff {
    /// True if both are equal.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The differences from `a` to `b`; ids are unique in each.
pub fn diff(a: &[Strategy], b: &[Strategy]) -> StrategyDiff {
    let (in_a, in_b) = (by_id(a), by_id(b));
    let mut found = StrategyDiff {
        added: only_in(b, &in_a),
        removed: only_in(a, &in_b),
        changed: Vec::new(),
        order: None,
    };
    for now in b {
        if let Some(was) = in_a.get(now.id.as_str()).filter(|was| **was != now) {
            found.changed.push(((*was).clone(), now.clone()));
        }
    }
    let plain = apply(&found, a);
    let order =
        |list: &[Strategy]| -> Vec<String> { list.iter().map(|one| one.id.clone()).collect() };
    found.order = Some(order(b)).filter(|wanted| *wanted != order(&plain));
    found
}

/// The list that a diff makes of its first one: `apply(&diff(a, b), a) == b`.
pub fn apply(diff: &StrategyDiff, a: &[Strategy]) -> Vec<Strategy> {
    let is_removed = |one: &&Strategy| diff.removed.iter().any(|other| other.id == one.id);
    let now = |one: &Strategy| {
        let changed = diff.changed.iter().find(|(_, now)| now.id == one.id);
        changed.map_or_else(|| one.clone(), |(_, now)| now.clone())
    };
    let mut list: Vec<Strategy> = a.iter().filter(|one| !is_removed(one)).map(now).collect();
    list.extend(diff.added.iter().cloned());
    if let Some(order) = &diff.order {
        let place = |one: &Strategy| order.iter().position(|id| *id == one.id);
        list.sort_by_key(place);
    }
    list
}

fn by_id(list: &[Strategy]) -> BTreeMap<&str, &Strategy> {
    list.iter().map(|one| (one.id.as_str(), one)).collect()
}

fn only_in(list: &[Strategy], other: &BTreeMap<&str, &Strategy>) -> Vec<Strategy> {
    let own = list
        .iter()
        .filter(|one| !other.contains_key(one.id.as_str()));
    own.cloned().collect()
}
