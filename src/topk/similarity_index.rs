//! Finds all near duplicates of a set of terms among many, without comparing all pairs.
//!
//! Similar sets share enough terms that at least one of the query's rarest must be among them (prefix
//! filter: Chaudhuri, Ganti and Kaushik 2006). A set that is found by the i-th rarest term and has none of
//! the rarer ones can share only the terms from there on, so its size is within a narrow range (positional
//! filter: Xiao, Wang, Lin and Yu 2008). Then a signature of 64 bits bounds the number of shared terms,
//! which leaves few sets to be compared term by term. Only the query is ordered by rarity, so the argument
//! holds whichever terms have become frequent since a set was inserted.
//!
//! Sets are not stored: a set has a term if the term's documents include it. Bounds are guessed in floating
//! point, then corrected by the comparison that decides in the end, so that rounding cannot lose a match.

mod dense;
mod image;
mod prepared;
mod probe;

use std::collections::HashMap;
use std::sync::OnceLock;

use smol_str::SmolStr;

pub use dense::{Key, KeysOfTerm, Near};
pub use prepared::Prepared;

use dense::KeyIndex;
use probe::Probe;

use crate::term_interner::{TermId, TermInterner};
use crate::{Analyzer, DocId, DocSet, jaccard_of};

/// Unused terms that are kept, since a text that is removed often comes back.
const UNUSED_KEPT: usize = 256;
/// No set has more terms than this.
const SIZE_MAX: usize = 1 << 32;

/// A set that is similar to a query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Similar {
    /// The document of the set.
    pub doc: DocId,
    /// Jaccard similarity, equal to the last bit to [`jaccard`](crate::jaccard).
    pub similarity: f64,
}

/// A threshold of similarity. Sets without a common term never pass it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// Similarity ≥ the threshold.
    AtLeast(f64),
    /// Similarity > the threshold.
    Above(f64),
}

/// Sets of terms, indexed for exact similarity search.
#[derive(Clone, Default, Debug)]
pub struct SimilarityIndex {
    ids: TermInterner,
    /// The sets that have each term.
    holders: Vec<DocSet>,
    /// Length of each of `holders`: a search reads the count of every term, but the holders of few.
    counts: Vec<u32>,
    unused: usize,
    /// How often terms were forgotten, after which their numbers may mean other terms.
    forgotten: u64,
    sets: Vec<StoredSet>,
    len: usize,
    /// Terms by the keys that they offer, built by the first search that needs it.
    keys: OnceLock<KeyIndex>,
}

/// The size and signature of a set.
#[derive(Clone, Copy, Default, Debug)]
struct StoredSet {
    /// Number of terms, plus one; 0 without a set.
    size: u32,
    /// Lower and upper half of the signature: a `u64` would be aligned to 8 and pad the struct to 16 bytes.
    signature: [u32; 2],
}

/// Terms by token during a build.
type TokenCache = HashMap<SmolStr, Box<[TermId]>, foldhash::fast::RandomState>;

impl StoredSet {
    fn new(ids: &[TermId]) -> Self {
        let signature = ids.iter().fold(0, |bits, id| bits | signature_bit(*id));
        Self {
            size: u32::try_from(ids.len() + 1).unwrap_or(u32::MAX),
            signature: [signature as u32, (signature >> 32) as u32],
        }
    }

    #[inline]
    fn size(self) -> usize {
        (self.size as usize).saturating_sub(1)
    }

    #[inline]
    fn signature(self) -> u64 {
        u64::from(self.signature[0]) | u64::from(self.signature[1]) << 32
    }
}

/// Returns the bit that a term sets in the signatures of its sets. A bit that one signature has and another
/// lacks proves at least one term that the other set lacks.
#[inline]
fn signature_bit(id: TermId) -> u64 {
    // Fibonacci hashing (Knuth 6.4) spreads the terms of one text, which were numbered in sequence.
    1 << (id.wrapping_mul(0x9E37_79B9) >> 26)
}

impl SimilarityIndex {
    /// Creates an empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds an index of texts, which come ascending by document.
    pub fn build<'t, A: Analyzer>(
        analyzer: &A,
        texts: impl Iterator<Item = (DocId, &'t str)>,
    ) -> Self {
        let mut index = Self::new();
        let (mut cache, mut ids) = (TokenCache::default(), Vec::new());
        for (doc, text) in texts {
            ids.clear();
            analyzer.for_each_token(text, |token| {
                if let Some(known) = cache.get(token) {
                    ids.extend_from_slice(known);
                    return;
                }
                let terms = analyzer.terms(token);
                let fresh: Box<[TermId]> = terms.iter().map(|term| index.intern(term)).collect();
                ids.extend_from_slice(&fresh);
                cache.insert(token.into(), fresh);
            });
            ids.sort_unstable();
            ids.dedup();
            index.insert_ids(doc, &ids);
        }
        index.holders.iter_mut().for_each(DocSet::shrink_to_fit);
        index
    }

    /// Returns the number of sets.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there is no set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Inserts the set of a document that has none. The terms must be sorted and distinct.
    pub fn insert(&mut self, doc: DocId, terms: &[String]) {
        debug_assert!(is_set(terms), "a set is sorted and has no repeats");
        let ids: Vec<TermId> = terms.iter().map(|term| self.intern(term)).collect();
        self.insert_ids(doc, &ids);
    }

    /// Removes the set of a document, if it has one. `terms` are those of the set, sorted and distinct.
    pub fn remove(&mut self, doc: DocId, terms: &[String]) {
        match self.sets.get_mut(doc as usize) {
            Some(set) if set.size > 0 => *set = StoredSet::default(),
            _ => return,
        }
        self.len -= 1;
        for id in self.known(terms) {
            let count = &mut self.counts[id as usize];
            if self.holders[id as usize].remove(doc) {
                *count -= 1;
                self.unused += usize::from(*count == 0);
            }
        }
        // Only once half of the terms are unused, so that the sweep costs O(1) per removal on average.
        if self.unused > UNUSED_KEPT && self.unused * 2 > self.ids.len() {
            let counts = &self.counts;
            self.ids.retain(|id| counts[id as usize] > 0);
            self.unused = 0;
            self.forgotten += 1;
            self.keys = OnceLock::new();
        }
    }

    /// Returns every set that is similar enough to the terms, ascending by document. The terms must be sorted
    /// and distinct. An equal set is found too, with a similarity of 1.
    pub fn find(&self, terms: &[String], bound: Bound) -> Vec<Similar> {
        debug_assert!(is_set(terms), "a set is sorted and has no repeats");
        Probe::new(self, &self.known(terms), terms.len(), bound).find_all(self)
    }

    fn insert_ids(&mut self, doc: DocId, ids: &[TermId]) {
        for id in ids {
            let count = &mut self.counts[*id as usize];
            if *count == 0 {
                self.unused -= 1;
            }
            *count += u32::from(self.holders[*id as usize].insert(doc));
        }
        let at = doc as usize;
        if self.sets.len() <= at {
            self.sets.resize(at + 1, StoredSet::default());
        }
        debug_assert_eq!(self.sets[at].size, 0, "the document has no set");
        self.sets[at] = StoredSet::new(ids);
        self.len += 1;
    }

    /// Returns the numbers of the known terms among these.
    fn known(&self, terms: &[String]) -> Vec<TermId> {
        terms.iter().filter_map(|term| self.ids.get(term)).collect()
    }

    fn intern(&mut self, term: &str) -> TermId {
        let (id, is_new) = self.ids.intern(term);
        self.unused += usize::from(is_new);
        if id as usize == self.holders.len() {
            self.holders.push(DocSet::default());
            self.counts.push(0);
        }
        if is_new && let Some(keys) = self.keys.get_mut() {
            keys.insert(id, term);
        }
        id
    }
}

fn is_set(terms: &[String]) -> bool {
    terms.is_sorted_by(|a, b| a < b)
}

impl Bound {
    /// Returns true if a similarity passes the threshold.
    pub fn holds(self, similarity: f64) -> bool {
        match self {
            Self::AtLeast(threshold) => similarity >= threshold,
            Self::Above(threshold) => similarity > threshold,
        }
    }

    /// Returns the threshold, as a first guess.
    fn threshold(self) -> f64 {
        match self {
            Self::AtLeast(threshold) | Self::Above(threshold) => threshold,
        }
    }

    /// Returns the minimum overlap of similar sets of these sizes; more than the smaller size if none is enough.
    fn least_overlap(self, a: usize, b: usize) -> usize {
        let threshold = self.threshold();
        let guess = (a + b) as f64 * threshold / (1.0 + threshold);
        least(guess, a.min(b), |overlap| {
            self.holds(jaccard_of(overlap, a, b))
        })
    }

    /// Returns the minimum overlap of any set with a similar set of `size`, which is also the size of the smallest
    /// similar set.
    fn least_overlap_with_any(self, size: usize) -> usize {
        // For a given overlap, the most similar partner has no other term.
        least(size as f64 * self.threshold(), size, |overlap| {
            self.holds(jaccard_of(overlap, size, overlap))
        })
    }

    /// Returns the size of the largest similar sets that share `shared` terms with a set of `size`. They
    /// must be enough for a set that has no others.
    fn largest(self, size: usize, shared: usize) -> usize {
        let fits = |more: usize| self.holds(jaccard_of(shared, size, shared + more));
        let guess = (shared as f64 / self.threshold() - size as f64).floor() + 1.0;
        shared + least(guess, SIZE_MAX, |more| !fits(more)) - 1
    }
}

/// Returns the least number in `1..=limit` for which a monotone condition holds, else `limit + 1`. The guess
/// is mostly right, so it is tried before the range is bisected.
fn least(guess: f64, limit: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (1, limit + 1);
    // The cast takes NaN to 0 and saturates.
    let guess = (guess.ceil() as usize).clamp(1, limit.max(1));
    for near in [guess.saturating_sub(1), guess] {
        if (low..high).contains(&near) {
            if holds(near) {
                high = near
            } else {
                low = near + 1
            }
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle
        } else {
            low = middle + 1
        }
    }
    low
}

#[cfg(test)]
mod tests;
