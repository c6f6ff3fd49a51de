//! Near duplicates of a text among many, without comparing all pairs.
//!
//! Two sets that are similar enough share so many words that at least one of the query's rarest words
//! must be among them (prefix filter: Chaudhuri, Ganti, Kaushik 2006). A set that is met by the i-th
//! rarest word, and has none of those before, can share only the words from there on (position filter:
//! Xiao, Wang, Lin, Yu 2008), so its size must lie in a narrow range. Of whatever is left a signature of
//! 64 bits tells how many words can be shared at most, which leaves little to be counted word by word. The
//! argument needs no order on the stored side: it holds whatever words became frequent since, and the
//! answer is exact.
//!
//! The price is about two bytes for every word of every set, and twelve for the set; the sets themselves
//! are not kept, since a set has a word when the word's slots have the set. Bounds are guessed and then
//! searched with the very comparison that decides in the end, so rounding cannot lose a match.

mod asked;
mod crowd;
mod probe;

use std::sync::OnceLock;

pub use self::asked::Asked;
pub use self::crowd::Near;
use self::crowd::Offers;
use self::probe::Probe;
use super::lower_words::LowerWords;
use super::similarity::jaccard_of;
use super::words::{Tokens, classic_words, for_each_raw_word};
use crate::slot_set::SlotSet;
use crate::word_map::{WordMap, WordNumbers};

/// Words without sets are kept until there are this many: a text that leaves often comes back.
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

    /// The threshold, as a number to guess by.
    fn threshold(self) -> f64 {
        match self {
            Self::AtLeast(threshold) | Self::Above(threshold) => threshold,
        }
    }

    /// The fewest shared words that suffice for sets of these sizes; more than either has when none do.
    fn least_overlap(self, a: usize, b: usize) -> usize {
        let threshold = self.threshold();
        let guess = (a + b) as f64 * threshold / (1.0 + threshold);
        least(guess, a.min(b), |overlap| {
            self.holds(jaccard_of(overlap, a, b))
        })
    }

    /// The fewest words of a set of `size` that any similar set has in common with it, which is also the size of
    /// the smallest similar set.
    fn least_overlap_with_any(self, size: usize) -> usize {
        // The best partner of a given overlap has no word besides.
        least(size as f64 * self.threshold(), size, |overlap| {
            self.holds(jaccard_of(overlap, size, overlap))
        })
    }

    /// The size of the largest similar sets that share `shared` words with a set of `size`, which are enough
    /// for a set that has no others.
    fn largest(self, size: usize, shared: usize) -> usize {
        let fits = |more: usize| self.holds(jaccard_of(shared, size, shared + more));
        let guess = (shared as f64 / self.threshold() - size as f64).floor() + 1.0;
        shared + least(guess, SIZE_MAX, |more| !fits(more)) - 1
    }
}

/// No text has more words than this.
const SIZE_MAX: usize = 1 << 32;

/// An exact index of sets of words by similarity.
///
/// Slots are the caller's numbers; memory grows with the largest, so they should be dense.
#[derive(Clone, Default, Debug)]
pub struct SimilarityIndex {
    ids: WordNumbers,
    /// The slots whose set has a word.
    holders: Vec<SlotSet>,
    /// How many they are: a search reads that of every word, and the slots of few.
    counts: Vec<u32>,
    dead_words: usize,
    /// How often words were forgotten, whose numbers then go to others.
    forgotten: u64,
    /// By slot.
    sets: Vec<Stored>,
    len: usize,
    /// What the words offer, from the first search that needs it on.
    offers: OnceLock<Offers>,
}

/// What is known of a set without its words.
#[derive(Clone, Copy, Default, Debug)]
struct Stored {
    /// Number of words, plus one; 0 for a slot without a set.
    size: u32,
    /// The lower and the upper half of its signature.
    signature: [u32; 2],
}

impl Stored {
    #[inline]
    fn size(self) -> usize {
        (self.size as usize).saturating_sub(1)
    }

    #[inline]
    fn signature(self) -> u64 {
        u64::from(self.signature[0]) | u64::from(self.signature[1]) << 32
    }
}

/// The bit that a word sets in the signatures of its sets. A bit of one signature that another has not
/// is a word of the one that the other lacks.
#[inline]
fn bit_of(id: u32) -> u64 {
    // Fibonacci hashing (Knuth 6.4): words that came one after the other get bits far apart.
    1 << (id.wrapping_mul(0x9E37_79B9) >> 26)
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

    /// Creates the index of these texts.
    pub fn build<'t>(tokens: Tokens, texts: impl Iterator<Item = (u32, &'t str)>) -> Self {
        let mut index = Self::new();
        let mut seen: WordMap<u32> = WordMap::default();
        let mut ids = Vec::new();
        for (slot, text) in texts {
            ids.clear();
            match tokens {
                Tokens::Classic => {
                    let words = classic_words(text);
                    ids.extend(words.iter().map(|word| index.intern(word)));
                }
                Tokens::Standard => for_each_raw_word(text, |raw| {
                    let id = seen.get(raw).copied().unwrap_or_else(|| {
                        let id = index.intern(&raw.to_lowercase());
                        seen.insert(raw.into(), id);
                        id
                    });
                    ids.push(id);
                }),
            }
            ids.sort_unstable();
            ids.dedup();
            index.insert_ids(slot, &ids);
        }
        index.holders.iter_mut().for_each(SlotSet::shrink);
        index
    }

    /// Puts a sorted set of words without repeats at a slot that has none.
    pub fn insert(&mut self, slot: u32, words: &[String]) {
        debug_assert!(
            words.is_sorted_by(|a, b| a < b),
            "a set is sorted and has no repeats"
        );
        let ids: Vec<u32> = words.iter().map(|word| self.intern(word)).collect();
        self.insert_ids(slot, &ids);
    }

    fn insert_ids(&mut self, slot: u32, ids: &[u32]) {
        for id in ids {
            let count = &mut self.counts[*id as usize];
            if *count == 0 {
                self.dead_words -= 1;
            }
            *count += u32::from(self.holders[*id as usize].insert(slot));
        }
        let place = slot as usize;
        if self.sets.len() <= place {
            self.sets.resize(place + 1, Stored::default());
        }
        debug_assert_eq!(self.sets[place].size, 0, "the slot is free");
        let signature = ids.iter().fold(0, |bits, id| bits | bit_of(*id));
        self.sets[place] = Stored {
            size: u32::try_from(ids.len() + 1).unwrap_or(u32::MAX),
            signature: [signature as u32, (signature >> 32) as u32],
        };
        self.len += 1;
    }

    /// Takes away the set at a slot, which has these words; does nothing when there is none.
    pub fn remove(&mut self, slot: u32, words: &[String]) {
        match self.sets.get_mut(slot as usize) {
            Some(set) if set.size > 0 => *set = Stored::default(),
            _ => return,
        }
        self.len -= 1;
        for word in words {
            if let Some(id) = self.ids.get(word) {
                let count = &mut self.counts[id as usize];
                if self.holders[id as usize].remove(slot) {
                    *count -= 1;
                    self.dead_words += usize::from(*count == 0);
                }
            }
        }
        if self.dead_words > DEAD_WORDS_KEPT && self.dead_words * 2 > self.ids.len() {
            let counts = &self.counts;
            self.ids.retain(|id| counts[id as usize] > 0);
            self.dead_words = 0;
            self.forgotten += 1;
            self.offers = OnceLock::new();
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
        let mut known = Vec::with_capacity(words.len());
        self.ids.each(words, |_, id| known.extend(id));
        self.find_ids(&known, words.len(), bound)
    }

    /// The same for the words of a text.
    pub fn find_text(&self, tokens: Tokens, text: &str, bound: Bound) -> Vec<Similar> {
        if tokens == Tokens::Classic {
            return self.find(&tokens.set(text), bound);
        }
        self.ask(&LowerWords::of(text), bound).0
    }

    /// Finds by the known words of a set of `size` words.
    fn find_ids(&self, known: &[u32], size: usize, bound: Bound) -> Vec<Similar> {
        Probe::new(self, known, size, bound).all(self)
    }

    fn intern(&mut self, word: &str) -> u32 {
        let (id, is_new) = self.ids.intern(word);
        self.dead_words += usize::from(is_new);
        if id as usize == self.holders.len() {
            self.holders.push(SlotSet::default());
            self.counts.push(0);
        }
        if is_new && let Some(offers) = self.offers.get_mut() {
            offers.add(id, word);
        }
        id
    }
}

/// The least number in `1..=limit` for which a monotone condition holds, else `limit + 1`. It is looked for at the
/// guess first, where it mostly is.
fn least(guess: f64, limit: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (1, limit + 1);
    // What is no number is taken for 0, and what is too large for the largest.
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
