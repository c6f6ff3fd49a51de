//! Archives the weakest bullets beyond the limit of a memory.
//!
//! Bullets are in the order of their strength already. It is read from the weak end until no later bullet can
//! be weaker than those found, so pruning a few bullets of many reads only a few.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use hindlore_topk::DocId;

use super::application::DeltaApplication;
use crate::memory::aggregate::Memory;
use crate::memory::bullet::BulletId;
use crate::memory::rank::strength_formula::StrengthFormula;

/// The order of pruning: the smallest goes first. Compares decayed score, then helpful votes; of equals the
/// later in insertion order is the smaller.
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

/// Archives the weakest bullets beyond `limit`, in the order of [`PruneKey`].
pub(crate) fn prune(event: &mut DeltaApplication<'_, '_>, limit: u64) {
    let memory = event.draft.memory();
    let beyond = memory.limited().saturating_sub(limit);
    let weakest = weakest(memory, usize::try_from(beyond).unwrap_or(usize::MAX));
    weakest.into_iter().for_each(|id| event.archive(id));
}

/// Returns the `count` weakest of the bullets that count against the limit.
fn weakest(memory: &Memory, count: usize) -> Vec<BulletId> {
    if count == 0 {
        return Vec::new();
    }
    let order = memory.order(StrengthFormula::Decayed);
    let (arena, clock) = (&memory.arena, memory.clock());
    // The strongest of those found is on top: the first to give way to a weaker one.
    let mut found: BinaryHeap<PruneKey> = BinaryHeap::new();
    for group in order.weakest_first(clock) {
        for (doc, least) in group {
            // `least` bounds this bullet and all after it in the group. Equal scores must be read on, since
            // votes and insertion order decide between them.
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
