//! Making room: the weakest bullets beyond the limit are archived.
//!
//! Bullets lie in the order of their strength already; it is read from the weak end until no later one
//! can be weaker than those that were found. Only what is as weak to the last digit is read besides.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use mnemograph_topk::DocId;

use super::aggregate::Memory;
use super::application::DeltaApplication;
use super::bullet::BulletId;
use super::strength_formula::StrengthFormula;

/// A bullet by what it is pruned by, the stronger the greater: decayed score, helpful votes, then the
/// earlier in insertion order.
#[derive(Clone, Copy, Debug)]
struct PruneKey {
    score: f64,
    helpful: u64,
    doc: Reverse<DocId>,
}

impl Ord for PruneKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then_with(|| self.helpful.cmp(&other.helpful))
            .then_with(|| self.doc.cmp(&other.doc))
    }
}

impl PartialOrd for PruneKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PruneKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PruneKey {}

/// Archives the weakest bullets beyond `limit`: by decayed score, then helpful votes, then insertion
/// order.
pub(super) fn prune(event: &mut DeltaApplication<'_, '_>, limit: u64) {
    let memory = event.draft.memory();
    let beyond = memory.limited().saturating_sub(limit);
    let weakest = weakest(memory, usize::try_from(beyond).unwrap_or(usize::MAX));
    weakest.into_iter().for_each(|id| event.archive(id));
}

/// The `count` weakest bullets of those that count against the limit.
fn weakest(memory: &Memory, count: usize) -> Vec<BulletId> {
    if count == 0 {
        return Vec::new();
    }
    let order = memory.order(StrengthFormula::Decayed);
    let (arena, clock) = (&memory.arena, memory.clock());
    let mut found: BinaryHeap<PruneKey> = BinaryHeap::new();
    for group in order.weakest_first(clock) {
        for (doc, least) in group {
            let is_beyond = |strongest: &PruneKey| least > strongest.score;
            if found.len() >= count && found.peek().is_some_and(is_beyond) {
                break;
            }
            let bullet = arena.header(doc);
            if !memory.counts_against_limit(&bullet) {
                continue;
            }
            found.push(PruneKey {
                score: bullet.decayed_score(&memory.policy().rates, clock),
                helpful: bullet.counts.helpful,
                doc: Reverse(doc),
            });
            if found.len() > count {
                found.pop();
            }
        }
    }
    found.iter().map(|one| arena.id(one.doc.0)).collect()
}

#[cfg(test)]
mod tests;
