//! One search for the sets that are similar to a query.
//!
//! Filters run from cheap to exact: prefix, signature and size, then a comparison term by term that gives up as
//! soon as the threshold is out of reach. Each similar set is reported once, by its rarest shared term.

use std::hint::black_box;

use super::{Bound, Similar, SimilarityIndex, signature_bit};
use crate::term_interner::TermId;
use crate::{DocId, DocSet, jaccard_of};

/// A query against the index.
pub(super) struct Probe<'i> {
    bound: Bound,
    /// Number of terms of the query, unknown ones included.
    size: usize,
    signature: u64,
    /// The holders of each known term, rarest first.
    pub(super) rarest: Vec<&'i DocSet>,
    /// Minimum overlap of any similar set, which is also the size of the smallest.
    needed: usize,
    /// Length of the prefix of `rarest` that every similar set shares a term with.
    pub(super) prefix: usize,
}

impl<'i> Probe<'i> {
    pub(super) fn new(
        index: &'i SimilarityIndex,
        known: &[TermId],
        size: usize,
        bound: Bound,
    ) -> Self {
        let mut signature = 0;
        // The count in the upper half, the number in the lower: plain integers sort fastest.
        let mut by_count: Vec<u64> = Vec::with_capacity(known.len());
        for id in known {
            let count = index.counts[*id as usize];
            if count > 0 {
                signature |= signature_bit(*id);
                by_count.push(u64::from(count) << 32 | u64::from(*id));
            }
        }
        by_count.sort_unstable();
        let holders = by_count
            .iter()
            .map(|packed| &index.holders[*packed as u32 as usize]);
        let rarest: Vec<&DocSet> = holders.collect();
        let needed = bound.least_overlap_with_any(size);
        // A similar set lacks at most size − needed of the terms, so one of the first size − needed + 1 is
        // shared. Unknown terms come first of all and have no holders to visit.
        let prefix = (rarest.len() + 1).saturating_sub(needed);
        // The lists are far apart in memory. Reading one entry of each up front lets the cache misses overlap.
        for holders in &rarest[..prefix] {
            black_box(holders.first());
        }
        Self {
            bound,
            size,
            signature,
            rarest,
            needed,
            prefix,
        }
    }

    /// Returns all similar sets, ascending by document.
    pub(super) fn find_all(&self, index: &SimilarityIndex) -> Vec<Similar> {
        let mut found = Vec::new();
        for at in 0..self.prefix {
            self.visit_while(index, at, |similar| {
                found.push(similar);
                true
            });
        }
        found.sort_unstable_by_key(|similar| similar.doc);
        found
    }

    /// Visits the similar sets whose first term of the prefix is at `at`, ascending by document, until `visit`
    /// returns false.
    pub(super) fn visit_while(
        &self,
        index: &SimilarityIndex,
        at: usize,
        mut visit: impl FnMut(Similar) -> bool,
    ) {
        let missing_max = self.rarest.len().saturating_sub(self.needed);
        let size_max = self.bound.largest(self.size, self.rarest.len() - at);
        self.rarest[at].visit_while(|doc| {
            let set = index.sets[doc as usize];
            // Nearly every set fails this test, so the branch is predicted and the loop stays tight.
            let missing = (self.signature & !set.signature()).count_ones() as usize;
            if missing > missing_max || !(self.needed..=size_max).contains(&set.size()) {
                return true;
            }
            let extra = (set.signature() & !self.signature).count_ones() as usize;
            let shared = (self.rarest.len() - missing).min(set.size() - extra);
            if !self.bound.holds(jaccard_of(shared, self.size, set.size())) {
                return true;
            }
            let similar = self.compare(doc, set.size(), at);
            similar.is_none_or(&mut visit)
        });
    }

    /// Compares a set that has the term at `at` with the query. `None` if it is not similar, or if an earlier
    /// term of the prefix has found it already.
    fn compare(&self, doc: DocId, size: usize, at: usize) -> Option<Similar> {
        let needed = self.bound.least_overlap(self.size, size);
        let (before, behind) = (&self.rarest[..at], &self.rarest[at + 1..]);
        let mut overlap = 1;
        for (seen, holders) in behind.iter().enumerate() {
            if overlap + (behind.len() - seen) < needed {
                return None;
            }
            overlap += usize::from(holders.contains(doc));
        }
        let similarity = jaccard_of(overlap, self.size, size);
        let was_met = || before.iter().any(|holders| holders.contains(doc));
        (self.bound.holds(similarity) && !was_met()).then_some(Similar { doc, similarity })
    }
}
