//! A query looked up in an index: the text score of each document, and upper bounds of it.
//!
//! The text score is a share of an ideal BM25 score, or the Jaccard similarity of the sets of terms.
//! Terms are summed in ascending order everywhere, since floating-point addition depends on the order.

mod bm25;
mod upper_bounds;

pub(crate) use upper_bounds::UpperBounds;

use std::collections::BTreeSet;

use bm25::{ideal_score, idf, length_norm, term_score};

use crate::inverted_index::{PostingList, Postings};
use crate::{Analyzer, DocId, DocSet, InvertedIndex, jaccard_of};

/// Slack for sums that add the same numbers in another order than the score does.
const SLACK: f64 = 1.0 + 1e-9;
/// From this number of known terms on, all documents are scored at once, term by term. It must stay below 64,
/// the bits of [`TextScore::terms`].
const MANY_TERMS: usize = 40;

/// The text score of a document.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TextScore {
    /// 0 or more; exactly 0 if the document has no term of the query.
    pub score: f64,
    /// Bit n is set if the document has the n-th known term; 0 for queries of many terms.
    pub terms: u64,
}

/// The formula of the text score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Similarity {
    /// Jaccard similarity: shared terms over all terms, 0..=1.
    Jaccard,
    /// BM25 (Robertson and Zaragoza 2009) with a constant added to each idf, divided by the score of an
    /// ideal document with the weightiest terms of the query; may exceed 1. A term counts once however often
    /// the query repeats it; a term that the index does not know weighs most.
    Bm25,
}

/// A word of a query and its terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryWord {
    /// The word as answers show it.
    pub word: String,
    /// Its terms, as the index's analyzer returns them.
    pub terms: Vec<String>,
}

/// A query whose terms were looked up in an index.
#[derive(Debug)]
pub struct TextQuery<'i> {
    postings: &'i Postings,
    formula: Formula,
    /// Known terms, ascending.
    terms: Vec<Term<'i>>,
    words: Vec<MatchedWord>,
    /// Every document's score, if the query has many terms.
    scores: Option<AllScores>,
}

#[derive(Debug)]
struct Term<'i> {
    list: &'i PostingList,
    weight: f64,
}

/// A word of the query with the numbers of its known terms.
#[derive(Debug)]
struct MatchedWord {
    word: String,
    terms: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Formula {
    /// With the number of distinct terms of the query, unknown ones too.
    Jaccard { query: usize },
    /// With the score of the ideal document and the mean length of a document.
    Bm25 { ideal: f64, mean: f64 },
}

/// Scores of all documents, summed term by term.
#[derive(Debug)]
pub(crate) struct AllScores {
    /// By document.
    scores: Vec<f64>,
    /// The documents with any term.
    pub(crate) matched: Vec<DocId>,
}

impl<'i> TextQuery<'i> {
    /// Looks up the words of a query. Costs O(terms), or O(postings) for a query of many terms.
    pub fn new<A: Analyzer>(
        index: &'i InvertedIndex<A>,
        words: Vec<QueryWord>,
        similarity: Similarity,
    ) -> Self {
        let postings = index.postings();
        let mut by_term: Vec<(&str, usize)> = Vec::new();
        for (number, word) in words.iter().enumerate() {
            by_term.extend(word.terms.iter().map(|term| (term.as_str(), number)));
        }
        by_term.sort_unstable();
        let mut known: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
        let (mut weights, mut terms) = (Vec::new(), Vec::new());
        for run in by_term.chunk_by(|a, b| a.0 == b.0) {
            let list = postings.list(run[0].0);
            let weight = match similarity {
                Similarity::Jaccard => 1.0,
                Similarity::Bm25 => {
                    let documents = list.map_or(0, |list| list.docs().len() as u64);
                    idf(postings.documents(), documents)
                }
            };
            weights.push(weight);
            if let Some(list) = list {
                let of_words = run.iter().map(|(_, word)| *word);
                of_words.for_each(|word| known[word].push(terms.len()));
                terms.push(Term { list, weight });
            }
        }
        let formula = match similarity {
            Similarity::Jaccard => Formula::Jaccard {
                query: weights.len(),
            },
            Similarity::Bm25 => Formula::Bm25 {
                ideal: ideal_score(weights, postings.documents()),
                mean: postings.mean_length().max(1.0),
            },
        };
        let words = words
            .into_iter()
            .zip(known)
            .map(|(word, terms)| MatchedWord {
                word: word.word,
                terms,
            });
        let mut query = Self {
            postings,
            formula,
            words: words.collect(),
            terms,
            scores: None,
        };
        if query.terms.len() >= MANY_TERMS {
            query.scores = Some(query.score_all());
        }
        query
    }

    /// Returns the text score of a document.
    pub fn score(&self, doc: DocId) -> TextScore {
        if let Some(all) = &self.scores {
            let score = all.scores.get(doc as usize).copied().unwrap_or_default();
            return TextScore { score, terms: 0 };
        }
        let length = self.postings.length(doc);
        let mut terms = 0;
        let held = self
            .terms
            .iter()
            .enumerate()
            .filter(|(_, term)| term.list.docs().contains(doc))
            .inspect(|(number, _)| terms |= 1 << number);
        let score = match self.formula {
            Formula::Jaccard { query } => jaccard_of(held.count(), query, length as usize),
            Formula::Bm25 { ideal, mean } => {
                let norm = length_norm(length, mean);
                let scores =
                    held.map(|(_, term)| term_score(term.weight, term.list.occurrences(doc), norm));
                // `Iterator::sum` starts from -0.0, which an empty sum would keep.
                scores.fold(0.0, |sum, score| sum + score) / ideal
            }
        };
        TextScore { score, terms }
    }

    /// Returns the words of the query that a document has, each once, in the order of the query.
    pub fn matched_words(&self, doc: DocId, score: TextScore) -> Vec<String> {
        let has = |term: usize| match self.scores {
            None => score.terms >> term & 1 == 1,
            Some(_) => self.terms[term].list.docs().contains(doc),
        };
        let mut seen = BTreeSet::new();
        self.words
            .iter()
            .filter(|word| word.terms.iter().any(|term| has(*term)))
            .filter(|word| seen.insert(word.word.as_str()))
            .map(|word| word.word.clone())
            .collect()
    }

    /// Returns the documents of each known term, in the order of the terms.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &'i DocSet> {
        self.terms.iter().map(|term| term.list.docs())
    }

    /// Returns all scores, if the query has many terms.
    pub(crate) fn all_scores(&self) -> Option<&AllScores> {
        self.scores.as_ref()
    }

    /// Returns one more than the highest document that was ever indexed.
    pub(crate) fn doc_end(&self) -> usize {
        self.postings.doc_end()
    }

    /// Returns the number of terms of a document.
    #[inline]
    pub(crate) fn length(&self, doc: DocId) -> u32 {
        self.postings.length(doc)
    }

    /// Scores all documents term by term. Each sum adds the terms in the order of `score`, so it rounds alike.
    fn score_all(&self) -> AllScores {
        let (mut scores, mut matched) = (vec![0.0; self.doc_end()], Vec::new());
        for term in &self.terms {
            term.list.docs().for_each(|doc| {
                let sum = &mut scores[doc as usize];
                // Every term adds more than 0, so a sum of 0 means that no term has met the document yet.
                if *sum == 0.0 {
                    matched.push(doc);
                }
                *sum += match self.formula {
                    Formula::Jaccard { .. } => 1.0,
                    Formula::Bm25 { mean, .. } => {
                        let norm = length_norm(self.postings.length(doc), mean);
                        term_score(term.weight, term.list.occurrences(doc), norm)
                    }
                };
            });
        }
        for doc in &matched {
            let sum = &mut scores[*doc as usize];
            *sum = match self.formula {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Formula::Jaccard { query } => {
                    jaccard_of(*sum as usize, query, self.postings.length(*doc) as usize)
                }
                Formula::Bm25 { ideal, .. } => *sum / ideal,
            };
        }
        AllScores { scores, matched }
    }
}
