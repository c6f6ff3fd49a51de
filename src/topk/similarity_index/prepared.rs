//! A text whose terms are looked up once, to be searched for and then inserted.

use super::{Bound, Near, Probe, Similar, SimilarityIndex};
use crate::DocId;
use crate::term_interner::TermId;

/// The set of terms of a text, looked up in an index.
#[derive(Debug)]
pub struct Prepared {
    /// Numbers of the known terms, ascending and distinct.
    known: Vec<TermId>,
    /// The other terms, ascending and distinct.
    unknown: Vec<String>,
    /// The index's `forgotten` at the look-up; later, numbers may mean other terms.
    forgotten: u64,
}

impl Prepared {
    fn len(&self) -> usize {
        self.known.len() + self.unknown.len()
    }
}

impl SimilarityIndex {
    /// Looks up the terms of a text, in any order and with repeats.
    pub fn prepare<'t>(&self, terms: impl Iterator<Item = &'t str>) -> Prepared {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for term in terms {
            match self.ids.get(term) {
                Some(id) => known.push(id),
                None => unknown.push(term),
            }
        }
        known.sort_unstable();
        known.dedup();
        unknown.sort_unstable();
        unknown.dedup();
        Prepared {
            known,
            unknown: unknown.into_iter().map(str::to_owned).collect(),
            forgotten: self.forgotten,
        }
    }

    /// Returns every set that is similar enough to a prepared text, ascending by document.
    pub fn find_prepared(&self, text: &Prepared, bound: Bound) -> Vec<Similar> {
        Probe::new(self, &text.known, text.len(), bound).find_all(self)
    }

    /// Returns the near duplicates of a prepared text; all of them if there are at most `most`.
    pub fn find_near(&self, text: &Prepared, bound: Bound, most: usize) -> Near {
        Probe::new(self, &text.known, text.len(), bound).find_near(self, most)
    }

    /// Inserts a prepared text for a document that has no set. Returns false, and inserts nothing, if the index
    /// has forgotten terms since the look-up.
    pub fn insert_prepared(&mut self, doc: DocId, text: Prepared) -> bool {
        if text.forgotten != self.forgotten {
            return false;
        }
        let mut ids = text.known;
        ids.extend(text.unknown.iter().map(|term| self.intern(term)));
        self.insert_ids(doc, &ids);
        true
    }
}
