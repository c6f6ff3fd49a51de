//! An inverted index: the documents of each term, with the statistics that ranking needs.
//!
//! A document is one passage, or several of about equal length if it is long; it scores as its best one. A posting is
//! of a document. The occurrences in each passage are stored apart, for long documents only, so that the others pay
//! nothing for them.
//!
//! In addition to its documents, a posting list keeps two bounds of the term's impact: the most occurrences and the
//! shortest passage. A removal may leave them loose, never too tight, so a search that relies on them stays exact. Few
//! terms repeat within a document, so a list stores occurrences only where they exceed one.

mod image;
mod passages;

pub(crate) use passages::Passage;
use passages::{Passages, cut};

use std::collections::HashMap;

use smol_str::SmolStr;

use crate::term_interner::{TermId, TermInterner};
use crate::{DocId, DocSet};

/// Unused terms that are kept, since a text that is removed often comes back.
const UNUSED_KEPT: usize = 256;

/// The text of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text<'t> {
    /// The common heading of its passages, may be empty.
    pub title: &'t str,
    /// The text itself.
    pub body: &'t str,
}

/// Turns texts into terms.
pub trait Analyzer {
    /// Visits the tokens of a text in order.
    fn for_each_token(&self, text: &str, visit: impl FnMut(&str));

    /// Returns the terms of a token: always the same ones for the same token, since builds cache them.
    fn terms(&self, token: &str) -> Vec<String>;

    /// Returns true if a term counts as often as it occurs, or once per document.
    fn counts_repeats(&self) -> bool;

    /// Returns about how many tokens of a body make a passage; `None` if every document is one passage.
    fn passage_tokens(&self) -> Option<usize>;
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
    /// Number of terms by document, with repeats if these count, of the shortest passage of a long one; 0 for a
    /// document that is not indexed.
    lengths: Vec<u32>,
    /// The passages of documents that have more than one.
    long: HashMap<DocId, Box<[Passage]>, foldhash::fast::RandomState>,
    documents: u64,
    /// Passages of all documents.
    passages: u64,
    /// Length of all passages.
    total_length: u64,
    /// At least the length of the longest passage; removals do not lower it.
    longest: u32,
}

/// The documents that have a term.
#[derive(Debug)]
pub(crate) struct PostingList {
    docs: DocSet,
    /// At most the length of the shortest passage with the term; removals do not raise it.
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

    /// Returns how often the term occurs in a document that has it, in any passage of a long one at most.
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

    /// Returns a lower bound of the length of any passage with the term.
    pub(crate) fn shortest(&self) -> u32 {
        self.shortest
    }

    /// Returns the documents that have the term more than once, and an upper bound of its occurrences.
    pub(crate) fn repeated(&self) -> Option<(&DocSet, u32)> {
        let repeats = self.repeats.as_ref()?;
        Some((&repeats.docs, repeats.most))
    }

    /// Inserts a passage of a document.
    pub(crate) fn insert(&mut self, doc: DocId, occurrences: u32, length: u32) {
        self.docs.insert(doc);
        self.shortest = self.shortest.min(length);
        if occurrences < 2 {
            return;
        }
        let repeats = self.repeats.get_or_insert_default();
        repeats.docs.insert(doc);
        repeats.most = repeats.most.max(occurrences);
        if occurrences > 2 {
            match repeats.frequent.binary_search_by_key(&doc, |pair| pair.0) {
                Ok(at) => repeats.frequent[at].1 = repeats.frequent[at].1.max(occurrences),
                Err(at) => repeats.frequent.insert(at, (doc, occurrences)),
            }
        }
    }

    /// Removes a document; returns whether it was there.
    pub(crate) fn remove(&mut self, doc: DocId) -> bool {
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
    pub fn build<'t>(analyzer: A, texts: impl Iterator<Item = (DocId, Text<'t>)>) -> Self {
        let postings = Postings::default();
        let mut index = Self { analyzer, postings };
        let (mut cache, mut passages) = (TokenCache::default(), Passages::default());
        for (doc, text) in texts {
            passages.clear();
            let Self { analyzer, postings } = &mut index;
            cut(analyzer, text, &mut passages, |token, terms| {
                if let Some(known) = cache.get(token) {
                    return terms.extend_from_slice(known);
                }
                let of_token = analyzer.terms(token);
                let fresh: Box<[TermId]> =
                    of_token.iter().map(|term| postings.intern(term)).collect();
                terms.extend_from_slice(&fresh);
                cache.insert(token.into(), fresh);
            });
            postings.insert(doc, &mut passages);
        }
        index.postings.shrink_to_fit();
        index
    }

    /// Indexes the text of a document that is not indexed yet.
    pub fn insert(&mut self, doc: DocId, text: Text<'_>) {
        let mut passages = Passages::default();
        let Self { analyzer, postings } = self;
        cut(analyzer, text, &mut passages, |token, terms| {
            let of_token = analyzer.terms(token).into_iter();
            terms.extend(of_token.map(|term| postings.intern(&term)));
        });
        postings.insert(doc, &mut passages);
    }

    /// Removes a document that was indexed with exactly this text.
    pub fn remove(&mut self, doc: DocId, text: Text<'_>) {
        let mut terms = Vec::new();
        let Self { analyzer, postings } = self;
        for part in [text.title, text.body] {
            analyzer.for_each_token(part, |token| {
                let of_token = analyzer.terms(token).into_iter();
                terms.extend(of_token.filter_map(|term| postings.terms.get(&term)));
            });
        }
        terms.sort_unstable();
        terms.dedup();
        postings.remove(doc, &terms);
    }

    /// Returns true if any document has a term.
    pub fn knows(&self, term: &str) -> bool {
        self.postings.list(term).is_some()
    }

    /// Returns the terms that documents have and that a rule keeps, sorted. Reads all terms.
    pub fn terms_where(&self, keep: impl Fn(&str) -> bool) -> Vec<String> {
        let known = self.postings.terms.iter();
        let mut terms: Vec<String> = known
            .filter(|(id, term)| keep(term) && !self.postings.lists[*id as usize].docs.is_empty())
            .map(|(_, term)| term.to_owned())
            .collect();
        terms.sort_unstable();
        terms
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        usize::try_from(self.postings.documents).unwrap_or(usize::MAX)
    }

    /// Returns true if no document is indexed.
    pub fn is_empty(&self) -> bool {
        self.postings.documents == 0
    }

    pub(crate) fn postings(&self) -> &Postings {
        &self.postings
    }
}

impl Postings {
    fn insert(&mut self, doc: DocId, passages: &mut Passages) {
        let counted = passages.counted();
        let lengths = counted.iter().map(|passage| passage.length);
        let shortest = lengths.clone().min().unwrap_or_default();
        let longest = lengths.clone().max().unwrap_or_default();
        for passage in &counted {
            self.total_length += u64::from(passage.length);
            for (term, occurrences) in &passage.terms {
                let list = &mut self.lists[*term as usize];
                if list.docs.is_empty() {
                    self.unused -= 1;
                }
                list.insert(doc, *occurrences, passage.length);
            }
        }
        let at = doc as usize;
        if self.lengths.len() <= at {
            self.lengths.resize(at + 1, 0);
        }
        self.lengths[at] = shortest;
        self.longest = self.longest.max(longest);
        self.documents += 1;
        self.passages += counted.len() as u64;
        if counted.len() > 1 {
            self.long.insert(doc, counted.into_boxed_slice());
        }
    }

    fn remove(&mut self, doc: DocId, terms: &[TermId]) {
        for term in terms {
            let list = &mut self.lists[*term as usize];
            if list.remove(doc) && list.docs.is_empty() {
                self.unused += 1;
                *list = PostingList::default();
            }
        }
        let shortest = std::mem::take(&mut self.lengths[doc as usize]);
        let (passages, length) = match self.long.remove(&doc) {
            None => (1, u64::from(shortest)),
            Some(all) => {
                let lengths = all.iter().map(|passage| u64::from(passage.length));
                (all.len() as u64, lengths.sum())
            }
        };
        self.documents -= 1;
        self.passages -= passages;
        self.total_length -= length;
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

    /// Returns the number of a term and its posting list, if any document has it.
    pub(crate) fn list(&self, term: &str) -> Option<(TermId, &PostingList)> {
        let id = self.terms.get(term)?;
        let list = &self.lists[id as usize];
        (!list.docs.is_empty()).then_some((id, list))
    }

    /// Returns the passages of a document that has more than one.
    #[inline]
    pub(crate) fn passages(&self, doc: DocId) -> Option<&[Passage]> {
        if self.long.is_empty() {
            return None;
        }
        self.long.get(&doc).map(|passages| &**passages)
    }

    /// Returns the documents that have more than one passage, in no order.
    pub(crate) fn long(&self) -> impl Iterator<Item = DocId> {
        self.long.keys().copied()
    }

    /// Returns the number of documents.
    pub(crate) fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns one more than the highest document that was ever indexed.
    pub(crate) fn doc_end(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the number of terms of a document, of its shortest passage if it is long.
    #[inline]
    pub(crate) fn length(&self, doc: DocId) -> u32 {
        self.lengths.get(doc as usize).copied().unwrap_or_default()
    }

    /// Returns an upper bound of the length of any passage.
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// Returns the mean length of a passage; 0 without any.
    pub(crate) fn mean_length(&self) -> f64 {
        if self.passages == 0 {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss)]
        let (total, passages) = (self.total_length as f64, self.passages as f64);
        total / passages
    }
}

#[cfg(test)]
mod tests;
