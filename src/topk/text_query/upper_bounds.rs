//! Upper bounds of each term's impact on the text score, which block sums add up.
//!
//! A term's impact is greatest in the shortest document that has it. Repeats are bounded apart, as a gain on
//! the documents that have the term more than once, so that they do not loosen the bound of all others.

use super::bm25::{length_norm, term_score};
use super::{Formula, SLACK, TextQuery};
use crate::{DocSet, jaccard_of};

/// Upper bounds of the impacts of a query's terms.
#[derive(Debug)]
pub(crate) struct UpperBounds<'i> {
    pub(crate) terms: Vec<TermBound<'i>>,
    /// True if all terms have the same bound; then a sum tells how many of them a document has.
    pub(crate) are_equal: bool,
    formula: Formula,
    /// Length norm of the shortest document that has any of the terms.
    shortest: f64,
}

/// The greatest impact of a term, or its greatest gain by repetition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermBound<'i> {
    /// The documents to which it applies.
    pub(crate) docs: &'i DocSet,
    /// Text score that it adds in the shortest document.
    pub(crate) score: f64,
}

impl UpperBounds<'_> {
    /// Returns an upper bound of the score of a document of known length, from the sum of the bounds of
    /// its terms.
    #[inline]
    pub(crate) fn for_length(&self, length: u32, sum: f64) -> f64 {
        match self.formula {
            Formula::Jaccard { query } => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let shared = (sum * query as f64 * SLACK) as usize;
                jaccard_of(shared.min(length as usize), query, length as usize)
            }
            // The impact of a single occurrence is proportional to 1 / (1 + norm), so it can be rescaled from
            // the shortest document to this one. The gain of repeats is bounded for any length already.
            Formula::Bm25 { mean, .. } => {
                sum * (1.0 + self.shortest) / (1.0 + length_norm(length, mean)) * SLACK
            }
        }
    }
}

impl<'i> TextQuery<'i> {
    /// Returns the bounds of each term: of a single occurrence, and of the gain where it is repeated.
    pub(crate) fn upper_bounds(&self) -> UpperBounds<'i> {
        match self.formula {
            Formula::Jaccard { query } => self.equal_bounds(query),
            Formula::Bm25 { ideal, mean } => self.bm25_bounds(ideal, mean),
        }
    }

    fn bm25_bounds(&self, ideal: f64, mean: f64) -> UpperBounds<'i> {
        let longest = self.postings.longest();
        let shortest = self
            .terms
            .iter()
            .map(|term| term.list.shortest())
            .fold(longest, u32::min);
        let shortest = length_norm(shortest, mean);
        let longest = length_norm(longest, mean);
        let mut terms = Vec::with_capacity(self.terms.len() * 2);
        for term in &self.terms {
            let once = term_score(term.weight, 1, shortest) / ideal * SLACK;
            let docs = term.list.docs();
            terms.push(TermBound { docs, score: once });
            if let Some((docs, most)) = term.list.repeated() {
                // The longer a document, the more a repeat gains over a single occurrence: saturation sets
                // in later.
                let gain = term_score(1.0, most, longest) / term_score(1.0, 1, longest);
                let score = once * (gain - 1.0) * SLACK;
                terms.push(TermBound { docs, score });
            }
        }
        UpperBounds {
            terms,
            are_equal: false,
            formula: self.formula,
            shortest,
        }
    }

    /// Bounds Jaccard similarity: the union is at least the query, so each shared term adds at most 1 / query.
    fn equal_bounds(&self, query: usize) -> UpperBounds<'i> {
        let score = SLACK / query as f64;
        let docs = self.lists();
        UpperBounds {
            terms: docs.map(|docs| TermBound { docs, score }).collect(),
            are_equal: true,
            formula: self.formula,
            shortest: 0.0,
        }
    }
}
