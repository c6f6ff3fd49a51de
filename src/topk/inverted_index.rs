//! An inverted index: the documents of each term, with the statistics that ranking needs.
//!
//! Beside its documents, a posting list keeps two bounds of the term's impact: the most occurrences and the
//! shortest document. A removal may leave them loose, never too tight, so a search that relies on them
//! stays exact. Few terms repeat within a document, so a list stores occurrences only where they exceed one.

use std::collections::HashMap;

use smol_str::SmolStr;

use crate::term_interner::{TermId, TermInterner};
use crate::{DocId, DocSet};

/// Unused terms that are kept, since a text that is removed often comes back.
const UNUSED_KEPT: usize = 256;

/// Turns texts into terms.
pub trait Analyzer {
    /// Visits the tokens of a text in order.
    fn for_each_token(&self, text: &str, visit: impl FnMut(&str));

    /// Returns the terms of a token: always the same ones for the same token, since builds cache them.
    fn terms(&self, token: &str) -> Vec<String>;

    /// Tells whether a term counts as often as it occurs, or once per document.
    fn counts_repeats(&self) -> bool;
}

/// The documents of each term, and the lengths of the documents.
#[derive(Debug)]
pub struct InvertedIndex<A> {
    analyzer: A,
    postings: Postings,
}

/// The part that does not depend on the analyzer.
#[derive(Default, Debug)]
pub(crate) struct Postings {
    terms: TermInterner,
    lists: Vec<PostingList>,
    unused: usize,
    /// Number of terms by document, with repeats if these count; 0 for a document that is not indexed.
    lengths: Vec<u32>,
    documents: u64,
    total_length: u64,
    /// At least the length of the longest document; removals do not lower it.
    longest: u32,
}

/// The documents that have a term.
#[derive(Debug)]
pub(crate) struct PostingList {
    docs: DocSet,
    /// At most the length of the shortest document with the term; removals do not raise it.
    shortest: u32,
    repeats: Option<Box<Repeats>>,
}

/// The documents that have a term more than once.
#[derive(Default, Debug)]
struct Repeats {
    docs: DocSet,
    /// Occurrences where they exceed two, ascending by document.
    frequent: Vec<(DocId, u32)>,
    /// At least the occurrences in any document; removals do not lower it.
    most: u32,
}

/// Terms by token during a build: analysing a token costs more than indexing it.
type TokenCache = HashMap<SmolStr, Box<[TermId]>, foldhash::fast::RandomState>;

impl Default for PostingList {
    fn default() -> Self {
        Self {
            docs: DocSet::default(),
            shortest: u32::MAX,
            repeats: None,
        }
    }
}

impl PostingList {
    /// Returns the documents that have the term.
    pub(crate) fn docs(&self) -> &DocSet {
        &self.docs
    }

    /// Returns how often the term occurs in a document that has it.
    #[inline]
    pub(crate) fn occurrences(&self, doc: DocId) -> u32 {
        let Some(repeats) = &self.repeats else {
            return 1;
        };
        if !repeats.docs.contains(doc) {
            return 1;
        }
        match repeats.frequent.binary_search_by_key(&doc, |pair| pair.0) {
            Ok(at) => repeats.frequent[at].1,
            Err(_) => 2,
        }
    }

    /// Returns a lower bound of the length of any document with the term.
    pub(crate) fn shortest(&self) -> u32 {
        self.shortest
    }

    /// Returns the documents that have the term more than once, and an upper bound of its occurrences.
    pub(crate) fn repeated(&self) -> Option<(&DocSet, u32)> {
        let repeats = self.repeats.as_ref()?;
        Some((&repeats.docs, repeats.most))
    }

    fn insert(&mut self, doc: DocId, occurrences: u32, length: u32) {
        self.docs.insert(doc);
        self.shortest = self.shortest.min(length);
        if occurrences < 2 {
            return;
        }
        let repeats = self.repeats.get_or_insert_default();
        repeats.docs.insert(doc);
        repeats.most = repeats.most.max(occurrences);
        if occurrences > 2 {
            let at = repeats.frequent.partition_point(|pair| pair.0 < doc);
            repeats.frequent.insert(at, (doc, occurrences));
        }
    }

    fn remove(&mut self, doc: DocId) -> bool {
        let removed = self.docs.remove(doc);
        if let Some(repeats) = &mut self.repeats
            && repeats.docs.remove(doc)
        {
            if let Ok(at) = repeats.frequent.binary_search_by_key(&doc, |pair| pair.0) {
                repeats.frequent.remove(at);
            }
            if repeats.docs.is_empty() {
                self.repeats = None;
            }
        }
        removed
    }
}

impl<A: Analyzer> InvertedIndex<A> {
    /// Builds an index of texts, which come ascending by document.
    pub fn build<'t>(analyzer: A, texts: impl Iterator<Item = (DocId, &'t str)>) -> Self {
        let postings = Postings::default();
        let mut index = Self { analyzer, postings };
        let (mut cache, mut terms) = (TokenCache::default(), Vec::new());
        for (doc, text) in texts {
            index.collect_terms(text, &mut cache, &mut terms);
            index.postings.insert(doc, &counts(&mut terms));
        }
        index.postings.shrink_to_fit();
        index
    }

    /// Indexes the text of a document that is not indexed yet.
    pub fn insert(&mut self, doc: DocId, text: &str) {
        let mut terms = Vec::new();
        let (analyzer, postings) = (&self.analyzer, &mut self.postings);
        analyzer.for_each_token(text, |token| {
            let of_token = analyzer.terms(token).into_iter();
            terms.extend(of_token.map(|term| postings.intern(&term)));
        });
        if !analyzer.counts_repeats() {
            terms.sort_unstable();
            terms.dedup();
        }
        postings.insert(doc, &counts(&mut terms));
    }

    /// Removes a document that was indexed with exactly this text.
    pub fn remove(&mut self, doc: DocId, text: &str) {
        let mut terms = Vec::new();
        let (analyzer, postings) = (&self.analyzer, &mut self.postings);
        analyzer.for_each_token(text, |token| {
            let of_token = analyzer.terms(token).into_iter();
            terms.extend(of_token.filter_map(|term| postings.terms.get(&term)));
        });
        terms.sort_unstable();
        terms.dedup();
        postings.remove(doc, &terms);
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        usize::try_from(self.postings.documents).unwrap_or(usize::MAX)
    }

    /// Tells whether no document is indexed.
    pub fn is_empty(&self) -> bool {
        self.postings.documents == 0
    }

    pub(crate) fn postings(&self) -> &Postings {
        &self.postings
    }

    fn collect_terms(&mut self, text: &str, cache: &mut TokenCache, terms: &mut Vec<TermId>) {
        terms.clear();
        let (analyzer, postings) = (&self.analyzer, &mut self.postings);
        analyzer.for_each_token(text, |token| {
            if let Some(known) = cache.get(token) {
                terms.extend_from_slice(known);
                return;
            }
            let terms_of_token = analyzer.terms(token);
            let fresh: Box<[TermId]> = terms_of_token
                .iter()
                .map(|term| postings.intern(term))
                .collect();
            terms.extend_from_slice(&fresh);
            cache.insert(token.into(), fresh);
        });
        if !analyzer.counts_repeats() {
            terms.sort_unstable();
            terms.dedup();
        }
    }
}

/// Returns each term once, ascending, with the number of its occurrences.
fn counts(terms: &mut [TermId]) -> Vec<(TermId, u32)> {
    terms.sort_unstable();
    let runs = terms.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0], u32::try_from(run.len()).unwrap_or(u32::MAX)))
        .collect()
}

impl Postings {
    fn insert(&mut self, doc: DocId, counts: &[(TermId, u32)]) {
        let length = counts.iter().map(|(_, occurrences)| occurrences).sum();
        for (term, occurrences) in counts {
            let list = &mut self.lists[*term as usize];
            if list.docs.is_empty() {
                self.unused -= 1;
            }
            list.insert(doc, *occurrences, length);
        }
        let at = doc as usize;
        if self.lengths.len() <= at {
            self.lengths.resize(at + 1, 0);
        }
        self.lengths[at] = length;
        self.longest = self.longest.max(length);
        self.documents += 1;
        self.total_length += u64::from(length);
    }

    fn remove(&mut self, doc: DocId, terms: &[TermId]) {
        for term in terms {
            let list = &mut self.lists[*term as usize];
            if list.remove(doc) && list.docs.is_empty() {
                self.unused += 1;
                *list = PostingList::default();
            }
        }
        let length = std::mem::take(&mut self.lengths[doc as usize]);
        self.documents -= 1;
        self.total_length -= u64::from(length);
        // Only once half of the terms are unused, so that the sweep costs O(1) per removal on average.
        if self.unused > UNUSED_KEPT && self.unused * 2 > self.terms.len() {
            let lists = &self.lists;
            let is_used = |term: TermId| !lists[term as usize].docs.is_empty();
            self.terms.retain(is_used);
            self.unused = 0;
        }
    }

    fn intern(&mut self, term: &str) -> TermId {
        let (id, is_new) = self.terms.intern(term);
        self.unused += usize::from(is_new);
        if id as usize == self.lists.len() {
            self.lists.push(PostingList::default());
        }
        id
    }

    fn shrink_to_fit(&mut self) {
        for list in &mut self.lists {
            list.docs.shrink_to_fit();
            if let Some(repeats) = &mut list.repeats {
                repeats.docs.shrink_to_fit();
                repeats.frequent.shrink_to_fit();
            }
        }
    }

    /// Returns the posting list of a term, if any document has it.
    pub(crate) fn list(&self, term: &str) -> Option<&PostingList> {
        let id = self.terms.get(term)?;
        let list = &self.lists[id as usize];
        (!list.docs.is_empty()).then_some(list)
    }

    /// Returns the number of documents.
    pub(crate) fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns one more than the highest document that was ever indexed.
    pub(crate) fn doc_end(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the number of terms of a document.
    #[inline]
    pub(crate) fn length(&self, doc: DocId) -> u32 {
        self.lengths.get(doc as usize).copied().unwrap_or_default()
    }

    /// Returns an upper bound of the length of any document.
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// Returns the mean length of a document; 0 without any.
    pub(crate) fn mean_length(&self) -> f64 {
        if self.documents == 0 {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss)]
        let (total, documents) = (self.total_length as f64, self.documents as f64);
        total / documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words, and the two halves of a word with a hyphen.
    struct Words;

    impl Analyzer for Words {
        fn for_each_token(&self, text: &str, visit: impl FnMut(&str)) {
            text.split(' ').for_each(visit);
        }

        fn terms(&self, token: &str) -> Vec<String> {
            token.split('-').map(str::to_owned).collect()
        }

        fn counts_repeats(&self) -> bool {
            true
        }
    }

    #[test]
    fn repeats_and_lengths_are_counted() {
        let texts = [(0, "file file-file sum"), (1, "file sum"), (4, "file file")];
        let mut index = InvertedIndex::build(Words, texts.into_iter());
        let file = index.postings.list("file").unwrap();
        let counts = [0, 1, 4].map(|doc| file.occurrences(doc));
        assert_eq!((counts, file.docs().to_vec()), ([3, 1, 2], vec![0, 1, 4]));
        assert_eq!(file.repeated().map(|(_, most)| most), Some(3));
        assert_eq!(file.shortest(), 2);
        let length = |index: &InvertedIndex<Words>, doc| index.postings.length(doc);
        assert_eq!((length(&index, 0), length(&index, 3)), (4, 0));
        index.remove(0, "file file-file sum");
        index.remove(4, "file file");
        assert!(index.postings.list("file").unwrap().repeated().is_none());
        assert_eq!((index.len(), index.postings.mean_length()), (1, 2.0));
    }

    #[test]
    fn unused_terms_are_forgotten() {
        let mut index = InvertedIndex::build(Words, std::iter::empty());
        for round in 0..2_000 {
            let text = format!("w{round} v{round}");
            index.insert(0, &text);
            index.remove(0, &text);
        }
        let postings = &index.postings;
        assert!(postings.terms.len() < 4 * UNUSED_KEPT && postings.lists.len() < 4 * UNUSED_KEPT);
        assert!(postings.list("w1999").is_none());
    }
}
