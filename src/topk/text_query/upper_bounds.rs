//! Upper bounds of each term's impact on the text score, which block sums add up.
//!
//! A term's impact is greatest in the shortest passage that has it, in the part of the query where it weighs most.
//! The best passage for the best part has no more than the sum of these. Repeats are bounded apart, as a gain on
//! the documents that have the term more than once, so that they do not loosen the bound of all others.

use super::bm25::{length_norm, saturated};
use super::{Formula, Part, SLACK, TextQuery};
use crate::{DocSet, jaccard_of};

/// Upper bounds of the impacts of a query's terms.
#[derive(Debug)]
pub(crate) struct UpperBounds<'i> {
    pub(crate) terms: Vec<TermBound<'i>>,
    /// True if all terms have the same bound; then a sum shows how many of them a document has.
    pub(crate) are_equal: bool,
    reading: Reading,
    /// Length norm of the shortest passage that has any of the terms.
    shortest: f64,
}

/// How a sum is read once the length of a document is known.
#[derive(Clone, Copy, Debug)]
enum Reading {
    /// With the number of distinct terms of the query.
    Jaccard { query: usize },
    /// With the mean length of a passage.
    Bm25 { mean: f64 },
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
        match self.reading {
            Reading::Jaccard { query } => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let shared = (sum * query as f64 * SLACK) as usize;
                jaccard_of(shared.min(length as usize), query, length as usize)
            }
            // The impact of a single occurrence is proportional to 1 / (1 + norm), so it can be rescaled from
            // the shortest document to this one. The gain of repeats is bounded for any length already.
            Reading::Bm25 { mean } => {
                sum * (1.0 + self.shortest) / (1.0 + length_norm(length, mean)) * SLACK
            }
        }
    }
}

impl<'i> TextQuery<'i> {
    /// Returns the bounds of each term: of a single occurrence, and of the gain where it is repeated.
    pub(crate) fn upper_bounds(&self) -> UpperBounds<'i> {
        match &self.formula {
            Formula::Jaccard { query } => self.equal_bounds(*query),
            Formula::Bm25 { parts, mean } => self.bm25_bounds(parts, *mean),
        }
    }

    /// Returns the most that each term, at weight 1, adds to the share of any part.
    fn greatest_shares(&self, parts: &[Part]) -> Vec<f64> {
        let mut greatest = vec![0.0_f64; self.terms.len()];
        let mut of_part = vec![0.0_f64; self.terms.len()];
        for part in parts {
            of_part.fill(0.0);
            for node in part.nodes.iter().chain(&part.helpers) {
                node.for_each_term(&mut |term, weight| of_part[term] += weight / part.ideal);
            }
            for (greatest, share) in greatest.iter_mut().zip(&of_part) {
                *greatest = greatest.max(*share);
            }
        }
        greatest
    }

    fn bm25_bounds(&self, parts: &[Part], mean: f64) -> UpperBounds<'i> {
        let longest = self.postings.longest();
        let shortest = self
            .terms
            .iter()
            .map(|term| term.list.shortest())
            .fold(longest, u32::min);
        let shortest = length_norm(shortest, mean);
        let longest = length_norm(longest, mean);
        let mut terms = Vec::with_capacity(self.terms.len() * 2);
        for (term, share) in self.terms.iter().zip(self.greatest_shares(parts)) {
            let once = share * saturated(1, shortest) * SLACK;
            let docs = term.list.docs();
            terms.push(TermBound { docs, score: once });
            if let Some((docs, most)) = term.list.repeated() {
                // The longer a document, the more a repeat gains over a single occurrence: saturation sets
                // in later.
                let gain = saturated(most, longest) / saturated(1, longest);
                let score = once * (gain - 1.0) * SLACK;
                terms.push(TermBound { docs, score });
            }
        }
        UpperBounds {
            terms,
            are_equal: false,
            reading: Reading::Bm25 { mean },
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
            reading: Reading::Jaccard { query },
            shortest: 0.0,
        }
    }
}
