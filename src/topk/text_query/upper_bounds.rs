//! What each term of a query adds to the text score at most: the impacts that block sums add up.

use super::bm25::{length_norm, term_score};
use super::{Formula, SLACK, TextQuery};
use crate::{DocSet, jaccard_of};

/// Upper bounds of a query's terms.
#[derive(Debug)]
pub(crate) struct UpperBounds<'i> {
    pub(crate) terms: Vec<TermBound<'i>>,
    /// True if all terms add the same: then a sum says how many of them a document has.
    pub(crate) are_equal: bool,
    formula: Formula,
    /// Length norm of the shortest document that has any of the terms.
    shortest: f64,
}

/// What a term adds to the text score at most, or adds by being repeated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermBound<'i> {
    /// The documents that it applies to.
    pub(crate) docs: &'i DocSet,
    /// In the shortest document.
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
            // A single occurrence scales with 1 / (1 + norm). What repeats gain over it is bounded for the
            // longest document already.
            Formula::Bm25 { mean, .. } => {
                sum * (1.0 + self.shortest) / (1.0 + length_norm(length, mean)) * SLACK
            }
        }
    }
}

impl<'i> TextQuery<'i> {
    /// Returns what each term adds at most, and what it adds more where it is repeated.
    pub(crate) fn upper_bounds(&self) -> UpperBounds<'i> {
        match self.formula {
            Formula::Jaccard { query } => self.equal_bounds(query),
            Formula::Bm25 { ideal, mean } => self.bm25_bounds(ideal, mean),
        }
    }

    fn bm25_bounds(&self, ideal: f64, mean: f64) -> UpperBounds<'i> {
        let longest = self.postings.longest();
        let shortest = self.terms.iter().map(|term| term.list.shortest());
        let shortest = length_norm(shortest.fold(longest, u32::min), mean);
        let longest = length_norm(longest, mean);
        let mut terms = Vec::with_capacity(self.terms.len() * 2);
        for term in &self.terms {
            let once = term_score(term.weight, 1, shortest) / ideal * SLACK;
            let docs = term.list.docs();
            terms.push(TermBound { docs, score: once });
            if let Some((docs, most)) = term.list.repeated() {
                // Repeats gain the most over a single occurrence in the longest document.
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

    /// Shared terms over all terms are at most shared terms over the terms of the query.
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
