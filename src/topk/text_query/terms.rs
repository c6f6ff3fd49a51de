//! The known terms of a query, numbered in the order in which they are first looked up.

use std::collections::HashMap;

use crate::LabelIndex;
use crate::inverted_index::{PostingList, Postings};
use crate::term_interner::TermId;

/// A known term.
#[derive(Debug)]
pub(super) struct Term<'i> {
    /// Absent for a label, which every passage has.
    pub(super) id: Option<TermId>,
    pub(super) list: &'i PostingList,
}

/// Terms that were looked up.
pub(super) struct Terms<'i> {
    postings: &'i Postings,
    labels: Option<&'i LabelIndex>,
    known: Vec<Term<'i>>,
    numbers: HashMap<TermId, usize>,
    label_numbers: HashMap<u32, usize>,
}

impl<'i> Terms<'i> {
    pub(super) fn new(postings: &'i Postings, labels: Option<&'i LabelIndex>) -> Self {
        Self {
            postings,
            labels,
            known: Vec::new(),
            numbers: HashMap::new(),
            label_numbers: HashMap::new(),
        }
    }

    /// Returns the number of a term, if any document has it.
    pub(super) fn number(&mut self, name: &str) -> Option<usize> {
        let (id, list) = self.postings.list(name)?;
        let known = &mut self.known;
        let number = self.numbers.entry(id).or_insert_with(|| {
            known.push(Term { id: Some(id), list });
            known.len() - 1
        });
        Some(*number)
    }

    /// Returns the number of a label, if any document has it.
    pub(super) fn number_of_label(&mut self, label: u32) -> Option<usize> {
        let list = self.labels?.list(label)?;
        let known = &mut self.known;
        let number = self.label_numbers.entry(label).or_insert_with(|| {
            known.push(Term { id: None, list });
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
