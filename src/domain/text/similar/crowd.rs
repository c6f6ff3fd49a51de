//! Where a text is similar to more than a few: which of them are looked at.
//!
//! Thousands of texts from one template are all similar to each other, so whoever compares each with all that
//! is near compares all pairs. Two questions can be answered without that. Which of them may be merged with
//! the text: those that have a counterpart of its rarest number, name or word ([`Key`]). And which are worth a
//! person's look beside it: the first ones, which stand for their kind, and those that share a rare word.

use std::collections::HashMap;
use std::hash::BuildHasher;

use super::{Bound, Probe, Similar, SimilarityIndex};
use crate::slot_set::SlotSet;
use crate::text::guard::{Key, offers};
use crate::text::similarity::jaccard_of;
use crate::text::words::Tokens;
use crate::word_map::{WordHasher, WordNumbers};

/// What is near to a text, as far as it is looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Near {
    /// Similar sets, ascending by slot.
    pub similar: Vec<Similar>,
    /// False: there are more. Among these are the first of all, and all that share a word with the text
    /// which no more sets have than the caller would look at.
    pub is_all: bool,
}

/// The words of an index by what they offer.
#[derive(Clone, Default, Debug)]
pub(super) struct Offers {
    hasher: WordHasher,
    /// The newest entry of each key, by its hash; keys that fall together only add candidates.
    newest: HashMap<u64, u32, WordHasher>,
    /// A word and the entry before it of the same key.
    entries: Vec<(u32, Option<u32>)>,
}

impl Offers {
    fn of(words: &WordNumbers) -> Self {
        let mut all = Self::default();
        words.all().for_each(|(id, word)| all.add(id, word));
        all
    }

    /// Notes what a new word offers.
    pub(super) fn add(&mut self, id: u32, word: &str) {
        offers(word, &mut |key| {
            let entry = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
            let before = self.newest.insert(self.hasher.hash_one(key), entry);
            self.entries.push((id, before));
        });
    }

    /// The words that offer a key.
    fn words(&self, key: &str) -> impl Iterator<Item = u32> {
        let mut next = self.newest.get(&self.hasher.hash_one(key)).copied();
        std::iter::from_fn(move || {
            let (id, before) = *self.entries.get(next? as usize)?;
            next = before;
            Some(id)
        })
    }
}

impl SimilarityIndex {
    /// Returns what is near to the words of a text, all of it where that is no more than `most`.
    pub fn near_text(&self, tokens: Tokens, text: &str, bound: Bound, most: usize) -> Near {
        let words = tokens.set(text);
        self.near_ids(&self.known(&words), words.len(), bound, most)
    }

    /// The same for known words of a set of `size` words.
    pub(super) fn near_ids(&self, known: &[u32], size: usize, bound: Bound, most: usize) -> Near {
        let probe = Probe::new(self, known, size, bound);
        // How many of the similar sets share a word that few have: those are looked at, whatever their number.
        let (mut rare, mut common, mut is_all) = (Vec::new(), Vec::new(), true);
        for at in 0..probe.probes {
            let is_rare = probe.rarest[at].len() <= most;
            let mut found = Vec::new();
            probe.walk(self, at, |similar| {
                found.push(similar);
                is_rare || found.len() <= most
            });
            is_all &= is_rare || found.len() <= most;
            if is_rare {
                rare.append(&mut found)
            } else {
                common.append(&mut found)
            }
        }
        let mut similar: Vec<Similar> = rare.iter().chain(&common).copied().collect();
        similar.sort_unstable_by_key(|similar| similar.slot);
        is_all &= similar.len() <= most || common.is_empty();
        if !is_all {
            // The first ones of all are among the first ones of each word.
            similar.truncate(most);
            similar.append(&mut rare);
            similar.sort_unstable_by_key(|similar| similar.slot);
            similar.dedup_by_key(|similar| similar.slot);
        }
        Near { similar, is_all }
    }

    /// Returns the similar sets that offer what a text needs, ascending by slot. The words are a sorted set
    /// without repeats; one key of each need has to be offered.
    pub fn find_meeting(&self, words: &[String], bound: Bound, needs: &[Vec<Key>]) -> Vec<Similar> {
        let known = self.known(words);
        let probe = Probe::new(self, &known, words.len(), bound);
        let offers = self.offers.get_or_init(|| Offers::of(&self.ids));
        let mut needs: Vec<Vec<&SlotSet>> = needs
            .iter()
            .map(|need| self.who_meets(offers, need))
            .collect();
        needs.sort_by_cached_key(|sets| sets.iter().map(|set| set.len()).sum::<usize>());
        let Some((rarest, others)) = needs.split_first() else {
            return probe.all(self);
        };
        let mut slots: Vec<u32> = rarest.iter().flat_map(|set| set.to_vec()).collect();
        slots.sort_unstable();
        slots.dedup();
        let meets = |slot: &u32| {
            let mut others = others.iter();
            others.all(|sets| sets.iter().any(|set| set.contains(*slot)))
        };
        slots.retain(meets);
        let compared = slots.into_iter().filter_map(|slot| {
            let size = self.sets[slot as usize].size();
            let held = probe.rarest.iter().filter(|set| set.contains(slot));
            let similarity = jaccard_of(held.count(), words.len(), size);
            bound
                .holds(similarity)
                .then_some(Similar { slot, similarity })
        });
        compared.collect()
    }

    /// Who has a word that offers one of these keys.
    fn who_meets(&self, offers: &Offers, need: &[Key]) -> Vec<&SlotSet> {
        let mut ids: Vec<u32> = Vec::new();
        for key in need {
            match key {
                Key::One(key) => ids.extend(offers.words(key)),
                Key::Both(head, tail) => {
                    let (heads, tails): (Vec<u32>, Vec<u32>) =
                        (offers.words(head).collect(), offers.words(tail).collect());
                    let held = |ids: &[u32]| -> u64 {
                        ids.iter()
                            .map(|id| u64::from(self.counts[*id as usize]))
                            .sum()
                    };
                    // Who has both has the rarer one.
                    ids.extend(if held(&heads) <= held(&tails) {
                        heads
                    } else {
                        tails
                    });
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| self.counts[*id as usize] > 0);
        ids.iter().map(|id| &self.holders[*id as usize]).collect()
    }

    /// Numbers of those words of a set that the index knows.
    fn known(&self, words: &[String]) -> Vec<u32> {
        let mut known = Vec::with_capacity(words.len());
        self.ids.each(words, |_, id| known.extend(id));
        known
    }
}
