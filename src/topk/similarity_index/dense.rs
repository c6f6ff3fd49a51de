//! Searches for texts with very many near duplicates, such as thousands from one template.
//!
//! All of them are similar to each other, so comparing each with all of its near duplicates compares all
//! pairs. Two questions can be answered without that: which of them have the keys that a caller requires
//! ([`SimilarityIndex::find_with_keys`]), and which make a sample: the first ones, and those that share a
//! rare term ([`SimilarityIndex::find_near`]).

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use super::probe::Probe;
use super::{Bound, Similar, SimilarityIndex};
use crate::term_interner::{TermId, TermInterner};
use crate::{DocId, DocSet, jaccard_of};

/// A requirement on the keys that the terms of a set offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    /// A term with this key.
    One(String),
    /// Two terms, one with each of these keys.
    Both(String, String),
}

/// Visits the keys that a term offers.
pub type KeysOfTerm = fn(&str, &mut dyn FnMut(String));

/// The near duplicates of a text, or a sample of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Near {
    /// Ascending by document.
    pub similar: Vec<Similar>,
    /// False if there are more. Then `similar` has the first of all, and every one that shares with the text a
    /// term that few sets have.
    pub is_all: bool,
}

/// Terms by the keys that they offer.
#[derive(Clone, Debug)]
pub(super) struct KeyIndex {
    keys_of: KeysOfTerm,
    hasher: RandomState,
    /// The newest entry of each key, by the key's hash: a collision only adds candidates.
    newest: HashMap<u64, u32, RandomState>,
    /// A term, and the previous entry of the same key: a linked list per key.
    entries: Vec<(TermId, Option<u32>)>,
}

impl KeyIndex {
    fn new(terms: &TermInterner, keys_of: KeysOfTerm) -> Self {
        let mut index = Self {
            keys_of,
            hasher: RandomState::default(),
            newest: HashMap::default(),
            entries: Vec::new(),
        };
        terms.iter().for_each(|(id, term)| index.insert(id, term));
        index
    }

    /// Adds a new term.
    pub(super) fn insert(&mut self, id: TermId, term: &str) {
        (self.keys_of)(term, &mut |key| {
            let entry = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
            let before = self.newest.insert(self.hasher.hash_one(key), entry);
            self.entries.push((id, before));
        });
    }

    /// Returns the terms that offer a key.
    fn terms(&self, key: &str) -> impl Iterator<Item = TermId> {
        let mut next = self.newest.get(&self.hasher.hash_one(key)).copied();
        std::iter::from_fn(move || {
            let (id, before) = *self.entries.get(next? as usize)?;
            next = before;
            Some(id)
        })
    }
}

impl Probe<'_> {
    /// Returns the similar sets, all of them up to `most`.
    pub(super) fn find_near(&self, index: &SimilarityIndex, most: usize) -> Near {
        let (mut rare, mut common, mut is_all) = (Vec::new(), Vec::new(), true);
        for at in 0..self.prefix {
            // A rare term has few holders by definition, so all of them fit.
            let is_rare = self.rarest[at].len() <= most;
            let mut found = Vec::new();
            self.visit_while(index, at, |similar| {
                found.push(similar);
                is_rare || found.len() <= most
            });
            is_all &= is_rare || found.len() <= most;
            if is_rare {
                rare.append(&mut found);
            } else {
                common.append(&mut found);
            }
        }
        let mut similar: Vec<Similar> = rare.iter().chain(&common).copied().collect();
        similar.sort_unstable_by_key(|similar| similar.doc);
        is_all &= similar.len() <= most || common.is_empty();
        if !is_all {
            // The first ones of all are among the first ones of each term, so none is missed.
            similar.truncate(most);
            similar.append(&mut rare);
            similar.sort_unstable_by_key(|similar| similar.doc);
            similar.dedup_by_key(|similar| similar.doc);
        }
        Near { similar, is_all }
    }
}

impl SimilarityIndex {
    /// Returns the similar sets whose terms offer at least one key of each of `needs`, ascending by document.
    /// The terms must be sorted and distinct, and `keys_of` the same at every call.
    pub fn find_with_keys(
        &self,
        terms: &[String],
        bound: Bound,
        needs: &[Vec<Key>],
        keys_of: KeysOfTerm,
    ) -> Vec<Similar> {
        let probe = Probe::new(self, &self.known(terms), terms.len(), bound);
        let keys = self.keys.get_or_init(|| KeyIndex::new(&self.ids, keys_of));
        let mut needs: Vec<Vec<&DocSet>> = needs
            .iter()
            .map(|need| self.holders_of(keys, need))
            .collect();
        needs.sort_by_cached_key(|sets| sets.iter().map(|set| set.len()).sum::<usize>());
        let Some((rarest, others)) = needs.split_first() else {
            return probe.find_all(self);
        };
        let mut docs: Vec<DocId> = rarest.iter().flat_map(|set| set.to_vec()).collect();
        docs.sort_unstable();
        docs.dedup();
        docs.retain(|doc| {
            let mut others = others.iter();
            others.all(|sets| sets.iter().any(|set| set.contains(*doc)))
        });
        let compared = docs.into_iter().filter_map(|doc| {
            let size = self.sets[doc as usize].size();
            let shared = probe.rarest.iter().filter(|set| set.contains(doc));
            let similarity = jaccard_of(shared.count(), terms.len(), size);
            let is_similar = bound.holds(similarity);
            is_similar.then_some(Similar { doc, similarity })
        });
        compared.collect()
    }

    /// Returns the holders of every term that offers one of these keys.
    fn holders_of(&self, index: &KeyIndex, need: &[Key]) -> Vec<&DocSet> {
        let mut ids: Vec<TermId> = Vec::new();
        for key in need {
            match key {
                Key::One(key) => ids.extend(index.terms(key)),
                Key::Both(head, tail) => {
                    let heads: Vec<TermId> = index.terms(head).collect();
                    let tails: Vec<TermId> = index.terms(tail).collect();
                    // A set with both keys has the rarer one, and the filter may pass too many.
                    let is_rarer = self.total(&heads) <= self.total(&tails);
                    ids.extend(if is_rarer { heads } else { tails });
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| self.counts[*id as usize] > 0);
        ids.iter().map(|id| &self.holders[*id as usize]).collect()
    }

    fn total(&self, ids: &[TermId]) -> u64 {
        let counts = ids.iter().map(|id| u64::from(self.counts[*id as usize]));
        counts.sum()
    }
}
