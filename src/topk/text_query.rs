//! A query looked up in an index: the text score of each document, and upper bounds of it.
//!
//! The text score is a share of an ideal BM25 score, or the Jaccard similarity of the sets of terms. A query may have
//! several parts, the whole and its sentences: a document scores by the part that it answers best, and a long one by
//! its best passage. So a score is a maximum of sums, bounded by the sum of the greatest contributions of each term.
//!
//! Sums run in the order of the query everywhere, since floating-point addition depends on the order.

mod all_scores;
mod bm25;
mod need;
mod node;
mod terms;
mod upper_bounds;

pub(crate) use all_scores::AllScores;
pub use need::Need;
pub(crate) use upper_bounds::UpperBounds;

use std::collections::BTreeSet;

use bm25::{
    DOUBT, SENTENCE_DOUBT, UNKNOWN, UNKNOWN_OF_SEVERAL, ideal_score, length_norm, saturated,
};
use node::{Node, resolve};
use terms::{Term, Terms};

use crate::inverted_index::Postings;
use crate::{Analyzer, DocId, DocSet, InvertedIndex, LabelIndex, jaccard_of};

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

/// A word of a query, and how a document has it.
#[derive(Clone, PartialEq, Debug)]
pub struct QueryWord {
    /// The word as answers show it.
    pub word: String,
    /// The need that its documents meet.
    pub need: Need,
    /// How well it names the matter of a document that shares no other word with the query.
    pub telling: Telling,
}

/// How well a shared word names the matter of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling {
    /// It may be about the matter.
    Enough,
    /// It may be only together with another such word.
    Little,
    /// Nothing, in any number.
    Nothing,
}

/// A question, ready to be looked up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Question {
    /// The words that an answer may show.
    pub words: Vec<QueryWord>,
    /// The whole.
    pub whole: Sentence,
    /// Its sentences, if it has several. A document scores by the whole or by the best of them.
    pub sentences: Vec<Sentence>,
}

/// A sentence of a question, or the whole.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sentence {
    /// The needs of its words.
    pub needs: Vec<Need>,
    /// Needs that count only in a text that meets one of the others too.
    pub helpers: Vec<Need>,
    /// Factor of its scores, above 0.
    pub weight: f64,
}

/// A query whose terms were looked up in an index.
#[derive(Debug)]
pub struct TextQuery<'i> {
    postings: &'i Postings,
    formula: Formula,
    /// Known terms.
    terms: Vec<Term<'i>>,
    words: Vec<MatchedWord>,
    /// Every document's score, if the query has many terms.
    scores: Option<AllScores>,
}

/// A word of the query that some document has.
#[derive(Debug)]
struct MatchedWord {
    word: String,
    node: Node,
    telling: Telling,
}

#[derive(Debug)]
enum Formula {
    /// Jaccard similarity: shared terms over all terms, 0..=1. With the number of distinct terms of the query,
    /// unknown ones too.
    Jaccard { query: usize },
    /// BM25 (Robertson and Zaragoza 2009) with a constant added to each idf, divided by the score of an ideal
    /// document with the weightiest words of the part; may exceed 1. With the mean length of a passage.
    Bm25 { parts: Vec<Part>, mean: f64 },
}

/// A part of a query.
#[derive(Debug)]
struct Part {
    nodes: Vec<Node>,
    /// Count only where one of the nodes does.
    helpers: Vec<Node>,
    /// The score of the ideal document, above 0; higher for a sentence of less weight.
    ideal: f64,
}

impl<'i> TextQuery<'i> {
    /// Looks up distinct words, each its own term, to be compared by Jaccard similarity. Costs O(words), or
    /// O(postings) for many.
    pub fn jaccard<A: Analyzer>(index: &'i InvertedIndex<A>, words: Vec<String>) -> Self {
        let postings = index.postings();
        let query = words.len();
        let mut terms = Terms::new(postings, None);
        let words = words
            .into_iter()
            .filter_map(|word| {
                let terms = vec![terms.number(&word)?];
                let node = Node::Any { terms, weight: 1.0 };
                let telling = Telling::Enough;
                Some(MatchedWord {
                    word,
                    node,
                    telling,
                })
            })
            .collect();
        let formula = Formula::Jaccard { query };
        Self::with(postings, formula, terms, words)
    }

    /// Looks up a question, to be scored by BM25. Costs O(terms), or O(postings) for a question of many terms.
    /// Labels are looked up in `labels`; without it no document has any.
    pub fn bm25<A: Analyzer>(
        index: &'i InvertedIndex<A>,
        labels: Option<&'i LabelIndex>,
        question: &Question,
    ) -> Self {
        let postings = index.postings();
        let mut terms = Terms::new(postings, labels);
        let unknown = if question.sentences.is_empty() {
            UNKNOWN
        } else {
            UNKNOWN_OF_SEVERAL
        };
        let mut part = |sentence: &Sentence, doubt: f64| {
            let mut weights = Vec::new();
            let mut nodes = |needs: &[Need]| -> Vec<Node> {
                let resolved = needs.iter().map(|need| resolve(need, &mut terms));
                let counted = resolved.inspect(|resolved| {
                    let share = if resolved.node.is_some() {
                        1.0
                    } else {
                        unknown
                    };
                    weights.push(share * resolved.weight);
                });
                counted.filter_map(|resolved| resolved.node).collect()
            };
            let (nodes, helpers) = (nodes(&sentence.needs), nodes(&sentence.helpers));
            let ideal = ideal_score(weights, postings.documents(), doubt) / sentence.weight;
            Part {
                nodes,
                helpers,
                ideal,
            }
        };
        let mut parts = vec![part(&question.whole, DOUBT)];
        let sentences = question.sentences.iter();
        parts.extend(sentences.map(|sentence| part(sentence, SENTENCE_DOUBT)));
        parts.retain(|part| !part.nodes.is_empty());
        let mean = postings.mean_length().max(1.0);
        let shown = |word: &QueryWord, terms: &mut Terms<'i>| {
            let node = resolve(&word.need, terms).node?;
            Some(MatchedWord {
                word: word.word.clone(),
                node,
                telling: word.telling,
            })
        };
        let words = question.words.iter();
        let words = words.filter_map(|word| shown(word, &mut terms)).collect();
        Self::with(postings, Formula::Bm25 { parts, mean }, terms, words)
    }

    fn with(
        postings: &'i Postings,
        formula: Formula,
        terms: Terms<'i>,
        words: Vec<MatchedWord>,
    ) -> Self {
        let mut query = Self {
            postings,
            formula,
            words,
            terms: terms.into_known(),
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
            let score = all.score(doc);
            return TextScore { score, terms: 0 };
        }
        let mut terms = 0_u64;
        for (number, term) in self.terms.iter().enumerate() {
            if term.list.docs().contains(doc) {
                terms |= 1 << number;
            }
        }
        if terms == 0 {
            return TextScore::default();
        }
        let score = match &self.formula {
            Formula::Jaccard { query } => jaccard_of(
                terms.count_ones() as usize,
                *query,
                self.length(doc) as usize,
            ),
            Formula::Bm25 { parts, mean } => {
                let has = |number: usize| terms >> number & 1 == 1;
                self.bm25_score(doc, parts, *mean, &has)
            }
        };
        TextScore { score, terms }
    }

    /// Returns true if a document has more than one passage.
    pub fn is_long(&self, doc: DocId) -> bool {
        self.postings.passages(doc).is_some()
    }

    /// Returns the words of the query that a document has, each once, in the order of the query.
    pub fn matched_words(&self, doc: DocId, score: TextScore) -> Vec<String> {
        let has = self.terms_of(doc, score);
        let mut seen = BTreeSet::new();
        self.words
            .iter()
            .filter(|word| word.node.is_met(&has))
            .filter(|word| seen.insert(word.word.as_str()))
            .map(|word| word.word.clone())
            .collect()
    }

    /// Returns the only word of the query that a document has, if that word names no matter alone.
    pub fn only_common(&self, doc: DocId, score: TextScore) -> Option<&str> {
        let has = self.terms_of(doc, score);
        let mut common: Option<&str> = None;
        for word in &self.words {
            if word.telling == Telling::Nothing || !word.node.is_met(&has) {
                continue;
            }
            if word.telling == Telling::Enough {
                return None;
            }
            // A question may have one word twice.
            if *common.get_or_insert(&word.word) != word.word {
                return None;
            }
        }
        common
    }

    /// Returns which terms a document has.
    fn terms_of(&self, doc: DocId, score: TextScore) -> impl Fn(usize) -> bool {
        move |term| match self.scores {
            None => score.terms >> term & 1 == 1,
            Some(_) => self.terms[term].list.docs().contains(doc),
        }
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

    /// Returns the number of terms of a document, of its shortest passage if it is long.
    #[inline]
    pub(crate) fn length(&self, doc: DocId) -> u32 {
        self.postings.length(doc)
    }

    /// Returns the score of the best passage for the best part; `has` looks up the terms of the document.
    fn bm25_score(
        &self,
        doc: DocId,
        parts: &[Part],
        mean: f64,
        has: &impl Fn(usize) -> bool,
    ) -> f64 {
        let (mut few, mut many);
        let scores = if self.terms.len() <= MANY_TERMS {
            few = [0.0; MANY_TERMS];
            &mut few[..self.terms.len()]
        } else {
            many = vec![0.0; self.terms.len()];
            many.as_mut_slice()
        };
        let Some(passages) = self.postings.passages(doc) else {
            let norm = length_norm(self.postings.length(doc), mean);
            for (number, term) in self.terms.iter().enumerate() {
                if has(number) {
                    scores[number] = saturated(term.list.occurrences(doc), norm);
                }
            }
            return best_part(parts, scores);
        };
        let mut best = 0.0_f64;
        for passage in passages {
            let norm = length_norm(passage.length, mean);
            for (number, term) in self.terms.iter().enumerate() {
                let occurs = has(number).then(|| term.id.map_or(1, |id| passage.occurrences(id)));
                scores[number] = occurs.map_or(0.0, |times| saturated(times, norm));
            }
            best = best.max(best_part(parts, scores));
        }
        best
    }
}

/// Returns the greatest share of an ideal score, from the score of each term at weight 1.
fn best_part(parts: &[Part], scores: &[f64]) -> f64 {
    let score = |term: usize| scores[term];
    let sum = |nodes: &[Node], start: f64| {
        let values = nodes.iter().map(|node| node.value(&score));
        values.fold(start, |sum, value| sum + value)
    };
    let shares = parts.iter().map(|part| {
        let own = sum(&part.nodes, 0.0);
        let helped = if own > 0.0 {
            sum(&part.helpers, own)
        } else {
            0.0
        };
        helped / part.ideal
    });
    shares.fold(0.0, f64::max)
}
