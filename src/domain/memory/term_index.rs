//! The search terms of the active bullets: which term occurs where, how often, and how long the
//! bullets are.

use std::collections::HashMap;

use crate::domain::text::words::search_terms;

/// Occurrences of one term in one bullet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Posting {
    /// Slot of the bullet.
    pub slot: u32,
    /// How often the term occurs in it.
    pub occurrences: u32,
}

/// An inverted index with the statistics of the BM25 family.
#[derive(Debug, Default)]
pub struct TermIndex {
    term_ids: HashMap<Box<str>, u32>,
    /// By term id, ascending by slot.
    postings: Vec<Vec<Posting>>,
    /// Number of terms by slot, repeats counted; 0 for slots that are not indexed.
    lengths: Vec<u32>,
    documents: u64,
    total_length: u64,
}

/// The terms of a text with their number of occurrences, ascending by term.
pub fn term_counts(text: &str) -> Vec<(String, u32)> {
    let mut terms = search_terms(text);
    terms.sort_unstable();
    let mut counts: Vec<(String, u32)> = Vec::new();
    for term in terms {
        match counts.last_mut() {
            Some((last, count)) if *last == term => *count += 1,
            _ => counts.push((term, 1)),
        }
    }
    counts
}

impl TermIndex {
    /// Indexes a text under a slot that is not indexed yet.
    pub fn insert(&mut self, slot: u32, text: &str) {
        let mut length = 0;
        for (term, occurrences) in term_counts(text) {
            length += occurrences;
            let id = self.id_of(term);
            let postings = &mut self.postings[id as usize];
            let posting = Posting { slot, occurrences };
            match postings.binary_search_by_key(&slot, |posting| posting.slot) {
                Ok(at) => postings[at] = posting,
                Err(at) => postings.insert(at, posting),
            }
        }
        let at = slot as usize;
        if self.lengths.len() <= at {
            self.lengths.resize(at + 1, 0);
        }
        self.lengths[at] = length;
        self.documents += 1;
        self.total_length += u64::from(length);
    }

    /// Takes out a text that was indexed under a slot.
    pub fn remove(&mut self, slot: u32, text: &str) {
        for (term, _) in term_counts(text) {
            if let Some(id) = self.term_ids.get(term.as_str()) {
                self.postings[*id as usize].retain(|posting| posting.slot != slot);
            }
        }
        let length = std::mem::take(&mut self.lengths[slot as usize]);
        self.documents -= 1;
        self.total_length -= u64::from(length);
    }

    /// Where a term occurs, ascending by slot.
    pub fn postings(&self, term: &str) -> &[Posting] {
        self.term_ids
            .get(term)
            .map_or(&[], |id| self.postings[*id as usize].as_slice())
    }

    /// Number of indexed bullets.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Number of terms of a bullet, repeats counted.
    pub fn length(&self, slot: u32) -> u32 {
        self.lengths.get(slot as usize).copied().unwrap_or_default()
    }

    /// Mean number of terms of a bullet; 0 without any.
    pub fn mean_length(&self) -> f64 {
        if self.documents == 0 {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss)]
        let (total, documents) = (self.total_length as f64, self.documents as f64);
        total / documents
    }

    fn id_of(&mut self, term: String) -> u32 {
        if let Some(id) = self.term_ids.get(term.as_str()) {
            return *id;
        }
        let id = u32::try_from(self.postings.len()).unwrap_or(u32::MAX);
        self.term_ids.insert(term.into_boxed_str(), id);
        self.postings.push(Vec::new());
        id
    }
}
