//! Interns terms: each has a number while it is in use, and freed numbers are reused.
//!
//! The hash is seeded per process, so that no author of texts can choose terms that collide. It differs from
//! run to run; nothing may depend on the order of the table.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use smol_str::SmolStr;

use crate::image::{ImageReader, ImageWriter};

/// The number of a term.
pub(crate) type TermId = u32;

/// Terms by number, and numbers by term.
///
/// The table stores numbers only and compares by reading the term. Terms of up to 23 bytes are stored in the
/// vector itself, without an allocation.
#[derive(Clone, Default, Debug)]
pub(crate) struct TermInterner {
    hasher: RandomState,
    table: HashTable<TermId>,
    terms: Vec<SmolStr>,
    free: Vec<TermId>,
}

impl TermInterner {
    /// Returns the number of terms.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the number of a term.
    #[inline]
    pub(crate) fn get(&self, term: &str) -> Option<TermId> {
        self.find(self.hasher.hash_one(term), term)
    }

    /// Returns the number of a term, and whether the term is new.
    pub(crate) fn intern(&mut self, term: &str) -> (TermId, bool) {
        let hash = self.hasher.hash_one(term);
        if let Some(id) = self.find(hash, term) {
            return (id, false);
        }
        // Freed numbers first, so that vectors by number stay as short as the vocabulary in use.
        let id = self.free.pop().unwrap_or_else(|| {
            self.terms.push(SmolStr::default());
            TermId::try_from(self.terms.len() - 1).unwrap_or(TermId::MAX)
        });
        self.terms[id as usize] = term.into();
        let (terms, hasher) = (&self.terms, &self.hasher);
        let rehash = |id: &TermId| hasher.hash_one(terms[*id as usize].as_str());
        self.table.insert_unique(hash, id, rehash);
        (id, true)
    }

    /// Returns all terms with their numbers, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (TermId, &str)> {
        let ids = self.table.iter();
        ids.map(|id| (*id, self.terms[*id as usize].as_str()))
    }

    /// Frees the numbers for which `is_kept` returns false.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(TermId) -> bool) {
        let (terms, free) = (&mut self.terms, &mut self.free);
        self.table.retain(|id| {
            let keep = is_kept(*id);
            if !keep {
                terms[*id as usize] = SmolStr::default();
                free.push(*id);
            }
            keep
        });
    }

    /// Returns one more than the highest number in use.
    pub(crate) fn numbers(&self) -> usize {
        self.terms.len()
    }

    /// Writes the terms by number.
    pub(crate) fn write(&self, image: &mut ImageWriter) {
        image.words(&self.free);
        image.number(self.terms.len() as u64);
        let terms = self.terms.iter();
        terms.for_each(|term| image.bytes(term.as_bytes()));
    }

    /// Reads terms; `None` if the bytes are of something else.
    pub(crate) fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let free = image.words()?;
        let count = image.count()?;
        let terms = (0..count).map(|_| image.text().map(SmolStr::new));
        let terms: Vec<SmolStr> = terms.collect::<Option<_>>()?;
        let hasher = RandomState::default();
        let hash = |id: &TermId| hasher.hash_one(terms[*id as usize].as_str());
        let mut used = vec![true; count];
        free.iter()
            .try_for_each(|id| used.get_mut(*id as usize).map(|used| *used = false))?;
        let mut table = HashTable::with_capacity(count);
        let ids = (0..TermId::try_from(count).ok()?).zip(used);
        for (id, _) in ids.filter(|(_, is_used)| *is_used) {
            table.insert_unique(hash(&id), id, hash);
        }
        Some(Self {
            hasher,
            table,
            terms,
            free,
        })
    }

    #[inline]
    fn find(&self, hash: u64, term: &str) -> Option<TermId> {
        let is_it = |id: &TermId| self.terms[*id as usize] == term;
        self.table.find(hash, is_it).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;

    #[test]
    fn it_is_a_map_that_reuses_freed_numbers() {
        let mut rng = fastrand::Rng::with_seed(4);
        let (mut interner, mut model) = (TermInterner::default(), HashMap::new());
        let mut freed = 0;
        for round in 0..20_000 {
            let term = match rng.u32(..600) {
                0 => String::new(),
                at if at % 7 == 0 => format!("a term too long to lie in the table itself {at}"),
                at => format!("w{at}"),
            };
            let known = model.get(&term).copied();
            assert_eq!(interner.get(&term), known, "{term}");
            let (id, is_new) = interner.intern(&term);
            assert_eq!(known.unwrap_or(id), id, "{term}");
            assert_eq!(is_new, known.is_none(), "{term}");
            model.insert(term, id);
            if round % 1_000 == 999 {
                let part = rng.u32(1..4);
                interner.retain(|id| id % part == 0);
                let before = model.len();
                model.retain(|_, id| *id % part == 0);
                freed += before - model.len();
            }
            assert_eq!(interner.len(), model.len());
            let distinct: BTreeSet<u32> = model.values().copied().collect();
            assert_eq!(distinct.len(), model.len(), "two terms share a number");
        }
        assert!(freed > 1_000, "{freed}");
        assert!(interner.terms.len() <= 600, "freed numbers are reused");
    }
}
