//! The known terms of a query, numbered in the order in which they are first looked up.

use std::collections::HashMap;

use crate::inverted_index::{PostingList, Postings};
use crate::term_interner::TermId;

/// A known term.
#[derive(Debug)]
pub(super) struct Term<'i> {
    pub(super) id: TermId,
    pub(super) list: &'i PostingList,
}

/// Terms that were looked up.
pub(super) struct Terms<'i> {
    postings: &'i Postings,
    known: Vec<Term<'i>>,
    numbers: HashMap<TermId, usize>,
}

impl<'i> Terms<'i> {
    pub(super) fn new(postings: &'i Postings) -> Self {
        Self {
            postings,
            known: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Returns the number of a term, if any document has it.
    pub(super) fn number(&mut self, name: &str) -> Option<usize> {
        let (id, list) = self.postings.list(name)?;
        let known = &mut self.known;
        let number = self.numbers.entry(id).or_insert_with(|| {
            known.push(Term { id, list });
            known.len() - 1
        });
        Some(*number)
    }

    /// Returns the number of documents with a term.
    pub(super) fn documents_with(&self, number: usize) -> u64 {
        self.known[number].list.docs().len() as u64
    }

    /// Returns the number of all documents.
    pub(super) fn documents(&self) -> u64 {
        self.postings.documents()
    }

    pub(super) fn into_known(self) -> Vec<Term<'i>> {
        self.known
    }
}
