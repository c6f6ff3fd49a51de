//! Near duplicates of a text among many, without comparing all pairs.
//!
//! Two sets that are similar enough share so many words that at least one of the query's rarest words
//! must be among them (the pigeonhole principle). So a search reads the postings of those few words
//! only, drops what has the wrong size, and counts the shared words of the rest. The argument needs no
//! order on the stored side: it holds whatever words became frequent since, and the answer is exact.
//!
//! The price is a posting for every word of every set, about 8 bytes per word and set in all. Bounds are
//! searched with the very comparison that decides in the end, so rounding cannot lose a match.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::mem;

use super::similarity::jaccard_of;

/// Words without postings are kept until there are this many: a text that leaves often comes back.
const DEAD_WORDS_KEPT: usize = 256;

/// A set of words that is similar to the query.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Similar {
    /// Where the set was inserted.
    pub slot: u32,
    /// Jaccard similarity, equal to the last bit to [`jaccard`](super::similarity::jaccard).
    pub similarity: f64,
}

/// How similar is similar enough. Sets without a common word never are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// The threshold or more.
    AtLeast(f64),
    /// More than the threshold.
    Above(f64),
}

impl Bound {
    /// Tells whether a similarity is enough.
    pub fn holds(self, similarity: f64) -> bool {
        match self {
            Self::AtLeast(threshold) => similarity >= threshold,
            Self::Above(threshold) => similarity > threshold,
        }
    }

    /// The fewest shared words that suffice for sets of these sizes; more than either has when none do.
    fn least_overlap(self, a: usize, b: usize) -> usize {
        least(a.min(b), |overlap| self.holds(jaccard_of(overlap, a, b)))
    }

    /// The fewest words of a set of `size` that any similar set has in common with it.
    fn least_overlap_with_any(self, size: usize) -> usize {
        // The best partner of a given overlap has no word besides.
        least(size, |overlap| {
            self.holds(jaccard_of(overlap, size, overlap))
        })
    }
}

/// An exact index of sets of words by similarity.
///
/// Slots are the caller's numbers; memory grows with the largest, so they should be dense.
#[derive(Clone, Default, Debug)]
pub struct SimilarityIndex {
    // Hash order reaches no answer: it is only ever looked up by key, or swept as a whole.
    ids: HashMap<Box<str>, u32>,
    postings: Vec<Posting>,
    free_ids: Vec<u32>,
    dead_words: usize,
    sets: Vec<Option<Box<[u32]>>>,
    len: usize,
}

/// The slots whose set has a word, and some that had it once.
///
/// Removal only counts; the list is swept when half of it is stale. A stale or repeated entry costs a
/// look, never a wrong answer, since every candidate is verified against its present set.
#[derive(Clone, Default, Debug)]
struct Posting {
    slots: Vec<u32>,
    stale: u32,
}

impl SimilarityIndex {
    /// Creates an empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns how many slots hold a set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Tells whether no slot holds a set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a sorted set of words without repeats at a slot, in place of what was there.
    pub fn insert(&mut self, slot: u32, words: &[String]) {
        debug_assert!(
            words.is_sorted_by(|a, b| a < b),
            "a set is sorted and has no repeats"
        );
        self.remove(slot);
        let mut set: Vec<u32> = words.iter().map(|word| self.intern(word)).collect();
        set.sort_unstable();
        for &id in &set {
            let posting = &mut self.postings[id as usize];
            if posting.slots.is_empty() {
                self.dead_words -= 1;
            }
            posting.slots.push(slot);
        }
        let place = slot as usize;
        if self.sets.len() <= place {
            self.sets.resize(place + 1, None);
        }
        self.sets[place] = Some(set.into_boxed_slice());
        self.len += 1;
    }

    /// Takes away the set at a slot; does nothing when there is none.
    pub fn remove(&mut self, slot: u32) {
        let Some(set) = self.sets.get_mut(slot as usize).and_then(Option::take) else {
            return;
        };
        self.len -= 1;
        for &id in &set {
            let posting = &mut self.postings[id as usize];
            posting.stale += 1;
            if posting.stale as usize * 2 > posting.slots.len() {
                self.sweep(id);
            }
        }
        if self.dead_words > DEAD_WORDS_KEPT && self.dead_words * 2 > self.ids.len() {
            self.forget_dead_words();
        }
    }

    /// Returns every slot whose set is similar enough to the words, in ascending order.
    ///
    /// The words are a sorted set without repeats. The slot that they were inserted at is found too.
    pub fn find(&self, words: &[String], bound: Bound) -> Vec<Similar> {
        debug_assert!(
            words.is_sorted_by(|a, b| a < b),
            "a set is sorted and has no repeats"
        );
        let mut query: Vec<u32> = words
            .iter()
            .filter_map(|word| self.ids.get(word.as_str()).copied())
            .collect();
        query.sort_unstable();
        let mut found = Vec::new();
        for slot in self.candidates(&query, words.len(), bound) {
            let Some(Some(set)) = self.sets.get(slot as usize) else {
                continue;
            };
            let needed = bound.least_overlap(words.len(), set.len());
            if let Some(overlap) = overlap_of_at_least(needed, &query, set) {
                let similarity = jaccard_of(overlap, words.len(), set.len());
                if bound.holds(similarity) {
                    found.push(Similar { slot, similarity });
                }
            }
        }
        found
    }

    /// The slots that share one of the query's rarest words, ascending; `size` counts unknown words too.
    fn candidates(&self, query: &[u32], size: usize, bound: Bound) -> Vec<u32> {
        let needed = bound.least_overlap_with_any(size);
        if needed > query.len() {
            return Vec::new();
        }
        // Unknown words are the rarest of all and need no look.
        let probes = query.len() + 1 - needed;
        let mut rarest: Vec<(usize, u32)> = query
            .iter()
            .map(|&id| (self.postings[id as usize].slots.len(), id))
            .collect();
        rarest.sort_unstable();
        let mut slots = Vec::new();
        for &(_, id) in &rarest[..probes] {
            slots.extend_from_slice(&self.postings[id as usize].slots);
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn intern(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = self.free_ids.pop().unwrap_or_else(|| {
            self.postings.push(Posting::default());
            (self.postings.len() - 1) as u32
        });
        self.ids.insert(word.into(), id);
        self.dead_words += 1;
        id
    }

    fn sweep(&mut self, id: u32) {
        let mut slots = mem::take(&mut self.postings[id as usize].slots);
        slots.sort_unstable();
        slots.dedup();
        let has_word = |set: &Option<Box<[u32]>>| {
            set.as_ref()
                .is_some_and(|set| set.binary_search(&id).is_ok())
        };
        slots.retain(|&slot| self.sets.get(slot as usize).is_some_and(has_word));
        if slots.capacity() > 4 * slots.len() {
            slots.shrink_to_fit();
        }
        if slots.is_empty() {
            self.dead_words += 1;
        }
        self.postings[id as usize] = Posting { slots, stale: 0 };
    }

    fn forget_dead_words(&mut self) {
        let Self {
            ids,
            postings,
            free_ids,
            ..
        } = self;
        ids.retain(|_, id| {
            let alive = !postings[*id as usize].slots.is_empty();
            if !alive {
                free_ids.push(*id);
            }
            alive
        });
        // The sweep goes in hash order, which differs from run to run.
        free_ids.sort_unstable();
        self.dead_words = 0;
    }
}

/// The least number in `1..=limit` for which a monotone condition holds, else `limit + 1`.
fn least(limit: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (1, limit + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Counts what two sorted sets share, or gives up as soon as it must stay below `needed`.
fn overlap_of_at_least(needed: usize, a: &[u32], b: &[u32]) -> Option<usize> {
    let mut spare_a = a.len().checked_sub(needed)?;
    let mut spare_b = b.len().checked_sub(needed)?;
    let (mut i, mut j, mut overlap) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => {
                spare_a = spare_a.checked_sub(1)?;
                i += 1;
            }
            Ordering::Greater => {
                spare_b = spare_b.checked_sub(1)?;
                j += 1;
            }
            Ordering::Equal => {
                overlap += 1;
                i += 1;
                j += 1;
            }
        }
    }
    Some(overlap)
}

#[cfg(test)]
mod tests;
