//! Going through the sets that may be similar to one.

use std::hint::black_box;

use super::{Bound, Similar, SimilarityIndex, bit_of};
use crate::slot_set::SlotSet;
use crate::text::similarity::jaccard_of;

/// A set of words that similar ones are looked for of.
pub(super) struct Probe<'i> {
    bound: Bound,
    /// How many words it has.
    size: usize,
    signature: u64,
    /// The slots that have each of its known words, the rarest first.
    pub(super) rarest: Vec<&'i SlotSet>,
    /// As many words as are shared at least, which is what the smallest similar set has.
    needed: usize,
    /// Of the rarest words, so many need a look: a similar set has one of them.
    pub(super) probes: usize,
}

impl<'i> Probe<'i> {
    pub(super) fn new(
        index: &'i SimilarityIndex,
        known: &[u32],
        size: usize,
        bound: Bound,
    ) -> Self {
        let mut signature = 0;
        // The count in the upper half, the number in the lower: what is one number is quickly sorted.
        let mut by_count: Vec<u64> = Vec::with_capacity(known.len());
        for id in known {
            let count = index.counts[*id as usize];
            if count > 0 {
                signature |= bit_of(*id);
                by_count.push(u64::from(count) << 32 | u64::from(*id));
            }
        }
        by_count.sort_unstable();
        let holders = by_count
            .iter()
            .map(|packed| &index.holders[*packed as u32 as usize]);
        let rarest: Vec<&SlotSet> = holders.collect();
        let needed = bound.least_overlap_with_any(size);
        // Unknown words are the rarest of all and need no look.
        let probes = (rarest.len() + 1).saturating_sub(needed);
        // The lists lie far apart: memory is waited for once for all of them, not by each in turn.
        for holders in &rarest[..probes] {
            black_box(holders.first());
        }
        Self {
            bound,
            size,
            signature,
            rarest,
            needed,
            probes,
        }
    }

    /// All similar sets, ascending by slot.
    pub(super) fn all(&self, index: &SimilarityIndex) -> Vec<Similar> {
        let mut found = Vec::new();
        for probe in 0..self.probes {
            self.walk(index, probe, |similar| {
                found.push(similar);
                true
            });
        }
        found.sort_unstable_by_key(|similar| similar.slot);
        found
    }

    /// Calls with the similar sets that have the word at `probe` and none before it, ascending by slot, for as
    /// long as the call gives true.
    pub(super) fn walk(
        &self,
        index: &SimilarityIndex,
        probe: usize,
        mut found: impl FnMut(Similar) -> bool,
    ) {
        let most_lacking = self.rarest.len().saturating_sub(self.needed);
        let largest = self.bound.largest(self.size, self.rarest.len() - probe);
        self.rarest[probe].walk(|slot| {
            let set = index.sets[slot as usize];
            // Nearly all that is met ends here: a branch that a processor guesses right.
            let lacking = (self.signature & !set.signature()).count_ones() as usize;
            if lacking > most_lacking || !(self.needed..=largest).contains(&set.size()) {
                return true;
            }
            let besides = (set.signature() & !self.signature).count_ones() as usize;
            let shared = (self.rarest.len() - lacking).min(set.size() - besides);
            if !self.bound.holds(jaccard_of(shared, self.size, set.size())) {
                return true;
            }
            let sizes = (self.size, set.size());
            compare(slot, sizes, (&self.rarest, probe), self.bound).is_none_or(&mut found)
        });
    }
}

/// Compares a set that has the word at `probe` with the query: absent when it is not similar, or when
/// an earlier probe has met it. `sizes` are those of the query and of the set.
fn compare(
    slot: u32,
    sizes: (usize, usize),
    (rarest, probe): (&[&SlotSet], usize),
    bound: Bound,
) -> Option<Similar> {
    let needed = bound.least_overlap(sizes.0, sizes.1);
    let mut overlap = 1;
    let mut ahead = rarest.len() - probe - 1;
    for holders in &rarest[probe + 1..] {
        if overlap + ahead < needed {
            return None;
        }
        overlap += usize::from(holders.contains(slot));
        ahead -= 1;
    }
    let similarity = jaccard_of(overlap, sizes.0, sizes.1);
    let was_met = || rarest[..probe].iter().any(|holders| holders.contains(slot));
    (bound.holds(similarity) && !was_met()).then_some(Similar { slot, similarity })
}
