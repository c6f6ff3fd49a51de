//! Curation: proposals go into a list of strategies, equal ones merge, and strategies refuted by the evidence go out.
//!
//! Deterministic: equal lists, proposals and times give equal results. A proposal is matched with the strategy that it
//! was born as, else with the most similar one of its category that the merge guard lets through, so that no two rules
//! that differ in the one word that matters become one. Every proposal, by a rule or a model, is curated here.

mod outcome;

use std::collections::BTreeMap;

use super::confidence::ConfidenceRules;
use super::strategy::{Category, Proposal, Strategy, summed};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::guard::{GuardFeatures, MergeGuard};
use hindlore_text::similarity::jaccard;
use hindlore_text::words::Tokens;
use outcome::{
    added_because, change, cut, is_as_before, leaving, mentions, merge, updated_because, verdict,
};

/// The numbers of curation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurationRules {
    /// Least similarity of two equal strategies, inclusive.
    pub similarity: f64,
    /// Lower 90 % bound of the share of failures from which a strategy is one to avoid, rather than none at all.
    pub clearly_harmful: f64,
    /// How confidence is computed.
    pub confidence: ConfidenceRules,
}

impl Default for CurationRules {
    fn default() -> Self {
        Self {
            similarity: 0.85,
            clearly_harmful: 0.5,
            confidence: ConfidenceRules::default(),
        }
    }
}

/// The change of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Evidence, context or stated confidence changed.
    Updated,
    /// It was helpful or neutral and is now one to avoid.
    Moved,
    /// It is gone.
    Removed,
    /// A proposal that its own evidence speaks against, and no strategy is like it.
    LeftOut,
}

/// One change, with its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The change.
    pub kind: ChangeKind,
    /// Id of the strategy; empty for one left out.
    pub strategy: String,
    /// Its pattern.
    pub pattern: String,
    /// Why.
    pub reason: String,
}

/// The result of a curation.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Curated {
    /// The strategies, in their order.
    pub strategies: Vec<Strategy>,
    /// The changes, each strategy once.
    pub changes: Vec<Change>,
    /// Number of strategies that are as they were.
    pub unchanged: usize,
}

impl Curated {
    /// Number of changes of a kind.
    pub fn count(&self, kind: ChangeKind) -> usize {
        self.changes
            .iter()
            .filter(|change| change.kind == kind)
            .count()
    }

    /// True if the list is another one than before.
    pub fn is_change(&self) -> bool {
        self.changes
            .iter()
            .any(|change| change.kind != ChangeKind::LeftOut)
    }
}

/// Puts proposals into a list. They must have passed [`Proposal::checked`].
pub fn curate(
    playbook: &str,
    known: &[Strategy],
    proposals: Vec<Proposal>,
    (guard, rules): (&MergeGuard, &CurationRules),
    now: Timestamp,
) -> Curated {
    let mut list = List::of(known, guard, rules.similarity);
    let mut left_out = Vec::new();
    for proposal in proposals {
        if let Some(change) = list.take(playbook, proposal, now) {
            left_out.push(change);
        }
    }
    list.finish(known, left_out, rules, now)
}

/// The proposals in place of the list: strategies that are proposed again keep their ids and the time they came.
pub fn replace(
    playbook: &str,
    known: &[Strategy],
    proposals: Vec<Proposal>,
    (guard, rules): (&MergeGuard, &CurationRules),
    now: Timestamp,
) -> Curated {
    let mut list = List::of(&[], guard, rules.similarity);
    let mut left_out = Vec::new();
    for proposal in proposals {
        if let Some(change) = list.take(playbook, proposal, now) {
            left_out.push(change);
        }
    }
    for entry in &mut list.entries {
        let strategy = &mut entry.strategy;
        if let Some(before) = known.iter().find(|one| one.id == strategy.id) {
            strategy.created = before.created;
            if before.canonical() == strategy.canonical() {
                strategy.updated = before.updated;
            }
        }
    }
    list.finish(known, left_out, rules, now)
}

/// The list while proposals go in.
struct List<'g> {
    guard: &'g MergeGuard,
    similarity: f64,
    entries: Vec<Entry>,
}

struct Entry {
    strategy: Strategy,
    pattern: Said,
    context: Said,
    /// True if it came with the present proposals.
    is_new: bool,
}

/// A text as it is compared.
struct Said {
    words: Vec<String>,
    features: GuardFeatures,
}

impl Said {
    fn of(text: &str, guard: &MergeGuard) -> Self {
        Self {
            words: Tokens::Standard.set(text),
            features: guard.features(text),
        }
    }
}

impl<'g> List<'g> {
    fn of(known: &[Strategy], guard: &'g MergeGuard, similarity: f64) -> Self {
        let mut list = Self {
            guard,
            similarity,
            entries: Vec::with_capacity(known.len()),
        };
        for strategy in known {
            list.push(strategy.clone());
        }
        list
    }

    fn push(&mut self, strategy: Strategy) {
        let entry = self.entry(strategy);
        self.entries.push(entry);
    }

    fn entry(&self, strategy: Strategy) -> Entry {
        Entry {
            pattern: Said::of(&strategy.pattern, self.guard),
            context: Said::of(&strategy.context, self.guard),
            strategy,
            is_new: false,
        }
    }

    /// Merges a proposal with its strategy or adds it; returns the change if it is left out.
    fn take(&mut self, playbook: &str, proposal: Proposal, now: Timestamp) -> Option<Change> {
        let mut new = Strategy::new(playbook, proposal, now);
        if let Some(at) = self.place_of(&new) {
            let entry = &self.entries[at];
            // A list is one statement of its counts; a repeated list must not count again.
            if entry.is_new {
                new.stated = summed(entry.strategy.stated, new.stated);
            }
            merge(&mut self.entries[at].strategy, new, now);
            return None;
        }
        if !new.evidence.is_empty() && new.supporting().next().is_none() {
            return Some(Change {
                kind: ChangeKind::LeftOut,
                strategy: String::new(),
                reason: "no trajectory supports it".to_owned(),
                pattern: std::mem::take(&mut new.pattern),
            });
        }
        self.push(new);
        if let Some(entry) = self.entries.last_mut() {
            entry.is_new = true;
        }
        None
    }

    /// The strategy that a new one is: the one of its id, else the most similar of its category.
    fn place_of(&self, new: &Strategy) -> Option<usize> {
        let same = |entry: &Entry| entry.strategy.id == new.id;
        if let Some(at) = self.entries.iter().position(same) {
            return Some(at);
        }
        self.most_alike(&self.entry(new.clone()))
    }

    /// The most similar strategy of the category of another, if one is similar enough.
    fn most_alike(&self, new: &Entry) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (at, entry) in self.entries.iter().enumerate() {
            if entry.strategy.category != new.strategy.category {
                continue;
            }
            let similarity = jaccard(&entry.pattern.words, &new.pattern.words);
            let is_better = best.is_none_or(|(known, _)| similarity > known);
            if similarity >= self.similarity
                && is_better
                && self
                    .guard
                    .check(&entry.pattern.features, &new.pattern.features)
                    .is_none()
                && self.is_same_context(&entry.context, &new.context)
            {
                best = Some((similarity, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Contexts are alike when one is empty, or both are equal.
    fn is_same_context(&self, a: &Said, b: &Said) -> bool {
        a.words.is_empty()
            || b.words.is_empty()
            || (jaccard(&a.words, &b.words) >= self.similarity
                && self.guard.check(&a.features, &b.features).is_none())
    }

    /// Moves the strategies that changed and clearly fail to those to avoid. One that is then like another there becomes
    /// one with it. Returns the reasons of the moved, by id, and the changes for those that became one.
    fn move_harmful(
        &mut self,
        known: &[Strategy],
        rules: &CurationRules,
        now: Timestamp,
    ) -> (BTreeMap<String, String>, Vec<Change>) {
        let mut moved = BTreeMap::new();
        for entry in &mut self.entries {
            let strategy = &mut entry.strategy;
            let is_new = !is_as_before(known, strategy);
            if let Some((ChangeKind::Moved, reason)) = verdict(strategy, rules)
                && is_new
            {
                strategy.category = Category::Harmful;
                strategy.updated = now;
                moved.insert(strategy.id.clone(), reason);
            }
        }
        let mut joined = Vec::new();
        for id in moved.keys().cloned().collect::<Vec<_>>() {
            let Some(at) = self.entries.iter().position(|one| one.strategy.id == id) else {
                continue;
            };
            let entry = self.entries.remove(at);
            let Some(other) = self.most_alike(&entry) else {
                self.entries.insert(at, entry);
                continue;
            };
            let reason = moved.remove(&id).unwrap_or_default();
            let into = &mut self.entries[other].strategy;
            let reason = format!("{reason}, and {} warns of the same", into.id);
            let kind = leaving(known, &entry.strategy.id);
            joined.push(change(kind, &entry.strategy, reason));
            merge(into, entry.strategy, now);
        }
        (moved, joined)
    }

    fn finish(
        mut self,
        known: &[Strategy],
        left_out: Vec<Change>,
        rules: &CurationRules,
        now: Timestamp,
    ) -> Curated {
        let mut curated = Curated::default();
        let (mut moved, joined) = self.move_harmful(known, rules, now);
        curated.changes = joined;
        let mut strategies = Vec::with_capacity(self.entries.len());
        for entry in self.entries {
            let strategy = entry.strategy;
            let before = known.iter().find(|one| one.id == strategy.id);
            let is_same = is_as_before(known, &strategy);
            let verdict = verdict(&strategy, rules).filter(|_| !is_same);
            if let Some((_, reason)) = verdict {
                let kind = leaving(known, &strategy.id);
                curated.changes.push(change(kind, &strategy, reason));
                continue;
            }
            match before {
                _ if moved.contains_key(&strategy.id) => {
                    let reason = moved.remove(&strategy.id).unwrap_or_default();
                    curated
                        .changes
                        .push(change(ChangeKind::Moved, &strategy, reason));
                }
                None => curated.changes.push(change(
                    ChangeKind::Added,
                    &strategy,
                    added_because(&strategy),
                )),
                Some(_) if is_same => curated.unchanged += 1,
                Some(before) => {
                    let reason = updated_because(before, &strategy);
                    curated
                        .changes
                        .push(change(ChangeKind::Updated, &strategy, reason));
                }
            }
            strategies.push(strategy);
        }
        let gone: Vec<&Strategy> = known
            .iter()
            .filter(|one| !mentions(&strategies, &curated.changes, &one.id))
            .collect();
        for gone in gone {
            let reason = "it is not among the strategies that replace the list".to_owned();
            curated
                .changes
                .push(change(ChangeKind::Removed, gone, reason));
        }
        curated.strategies = strategies;
        cut(&mut curated, known, &rules.confidence, now);
        curated.changes.extend(left_out);
        curated
    }
}

#[cfg(test)]
mod tests;
