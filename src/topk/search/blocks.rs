//! Bounds many documents at once: sums the impacts of the query's terms block by block, in bytes.
//!
//! The sum of a document bounds its score. It starts from the bound of the static part, and every term
//! adds its greatest impact, rounded up. Only documents whose sum reaches the threshold are scored, the
//! parts of a block with the greatest sums first, since their scores raise the threshold for the rest.
//!
//! Summing a posting costs about a nanosecond; looking up a term for one document costs tens.

use std::cmp::Reverse;

use super::{SLACK, Scorer, Search, Thresholds};
use crate::doc_set::BLOCK;
use crate::prior_order::{StaticBounds, in_steps};
use crate::text_query::UpperBounds;
use crate::{DocId, DocSet};

/// Documents of a part of a block.
const PART: usize = 256;
/// Documents compared with the threshold at once: one vector register of bytes.
const RUN: usize = 32;
/// Steps of all terms together if sums start from 0. The other 55 are room for rounding each term up.
const TERM_STEPS: f64 = 200.0;

/// The lists to sum, and how to read a sum.
struct Sums<'s, 'i> {
    terms: UpperBounds<'i>,
    /// The documents of each term or bonus, with the steps that it adds.
    lists: Vec<(&'i DocSet, u8)>,
    /// Initial sum by document: the bound of its static part. Empty if those bounds do not apply.
    starts: &'s [u8],
    /// The score of one step.
    step: f64,
    /// Upper bound of static score and bonus of any document, if sums include neither; else 0.
    fixed: f64,
    /// Steps and text score of each term, if all terms add the same and nothing else is summed.
    equal: Option<(u8, f64)>,
    has_bonuses: bool,
}

/// The thresholds, and the byte that they come to.
#[derive(Clone, Copy)]
struct Limit {
    thresholds: Thresholds,
    /// The least sum that can reach a threshold.
    sum: u8,
}

impl<'s, S: Scorer> Search<'s, '_, S> {
    /// Scores every document that can enter and has a term, or a bonus that is part of the sums.
    pub(super) fn read_blocks(&mut self) {
        let sums = self.sums();
        let mut block = Box::new([0; BLOCK]);
        let end = self.text.doc_end();
        for (number, first) in (0..end).step_by(BLOCK).enumerate() {
            let len = (end - first).min(BLOCK);
            sums.fill(number, &mut block);
            self.read_block(&sums, first, &block[..len]);
        }
    }

    /// Returns the static bounds that sums start from. If neighbours lend, a document's own sum does not
    /// bound its score, so there are none.
    pub(super) fn block_bounds(&self) -> Option<&'s StaticBounds> {
        if self.request.lent > 0.0 {
            return None;
        }
        self.order
            .static_bounds(self.request.weights, self.request.clock)
    }
}

impl<'s, 'i, S: Scorer> Search<'s, 'i, S> {
    fn sums(&self) -> Sums<'s, 'i> {
        let request = self.request;
        let weight = request.weights.relevance;
        let terms = self.text.upper_bounds();
        let bounds = self.block_bounds();
        let has_bonuses = bounds.is_some() && !request.bonuses.is_empty();
        let (starts, step, fixed) = match bounds {
            Some(bounds) => (bounds.bytes(), bounds.step(), 0.0),
            None => {
                let total: f64 = terms.terms.iter().map(|term| term.score).sum();
                let step = (weight * total / TERM_STEPS).max(f64::MIN_POSITIVE);
                let fixed = self.strongest_static() + self.total_bonus();
                (&[][..], step, fixed)
            }
        };
        let mut lists: Vec<(&'i DocSet, u8)> = terms
            .terms
            .iter()
            .map(|term| (term.docs, in_steps(weight * term.score, step)))
            .collect();
        let first = terms.terms.first().filter(|_| terms.are_equal);
        let equal = first.map(|term| (in_steps(weight * term.score, step), term.score));
        if has_bonuses {
            for bonus in &request.bonuses {
                let amount = in_steps(bonus.amount, step);
                lists.extend(bonus.holders.iter().map(|docs| (*docs, amount)));
            }
        }
        Sums {
            terms,
            lists,
            starts,
            step,
            fixed,
            equal: equal.filter(|_| !has_bonuses),
            has_bonuses,
        }
    }

    /// Scores the documents of a block that can enter; the block begins at document `first`.
    fn read_block(&mut self, sums: &Sums<'_, 'i>, first: usize, block: &[u8]) {
        let mut parts: Vec<(u8, usize, &[u8])> = (first..)
            .step_by(PART)
            .zip(block.chunks(PART))
            .map(|(start, part)| (maximum(part), start, part))
            .collect();
        parts.sort_by_key(|(maximum, _, _)| Reverse(*maximum));
        let mut limit = self.limit(sums);
        if first == 0 {
            // First one document of each of the best parts: their scores raise the threshold so far that
            // most other documents are ruled out unseen.
            for (greatest, start, part) in parts.iter().take(self.top.hits_kept()) {
                let at = part.iter().position(|sum| sum == greatest);
                let doc = doc_id(start + at.unwrap_or_default());
                limit = self.score_candidate(sums, doc, *greatest, limit);
            }
        }
        for (greatest, start, part) in parts {
            if greatest < limit.sum {
                return;
            }
            for (start, run) in (start..).step_by(RUN).zip(part.chunks(RUN)) {
                if maximum(run) < limit.sum {
                    continue;
                }
                for (at, sum) in (start..).zip(run) {
                    if *sum >= limit.sum {
                        limit = self.score_candidate(sums, doc_id(at), *sum, limit);
                    }
                }
            }
        }
    }

    /// Scores a document if its sum lets it enter, and returns the new limit.
    fn score_candidate(&mut self, sums: &Sums<'_, 'i>, doc: DocId, sum: u8, limit: Limit) -> Limit {
        if !self.is_candidate(sums, doc, sum, limit.thresholds) {
            return limit;
        }
        self.score_with_neighbours(doc);
        if self.thresholds() == limit.thresholds {
            return limit;
        }
        self.limit(sums)
    }

    fn limit(&self, sums: &Sums<'_, 'i>) -> Limit {
        let thresholds = self.thresholds();
        let sum = self.least_sum(sums, thresholds);
        Limit { thresholds, sum }
    }

    /// Returns the least sum with which a document can enter; at least 1, since 0 has no term.
    fn least_sum(&self, sums: &Sums<'_, 'i>, thresholds: Thresholds) -> u8 {
        // A hit needs relevance for the floor, even while the top k is not full and any score enters.
        let floor = self.request.weights.relevance * self.request.floor;
        let hit = (thresholds.hit - sums.fixed).max(floor);
        let least = hit.min(thresholds.miss - sums.fixed) / (1.0 + self.request.lent);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (least / sums.step / SLACK).floor() as u8;
        steps.max(1)
    }

    /// Returns true if a document can enter, by its sum and then by its length, which tightens the bound.
    #[inline]
    fn is_candidate(
        &self,
        sums: &Sums<'_, 'i>,
        doc: DocId,
        sum: u8,
        thresholds: Thresholds,
    ) -> bool {
        // A full byte may have saturated, and lent relevance is in no sum.
        if sum == u8::MAX || self.request.lent > 0.0 {
            return true;
        }
        let start = sums.starts.get(doc as usize).copied().unwrap_or_default();
        // No term added anything: the documents without terms come later, by prior.
        if sum == start {
            return false;
        }
        let fixed = sums.fixed + f64::from(start) * sums.step;
        let text = sums.text_bound(sum - start, self.request.weights.relevance);
        let relevance = if sums.has_bonuses {
            text
        } else {
            self.relevance_bound(sums.terms.for_length(self.text.length(doc), text))
        };
        self.can_enter(relevance, fixed, thresholds) && !self.seen.contains(doc)
    }
}

impl Sums<'_, '_> {
    /// Sums one block.
    fn fill(&self, number: usize, block: &mut [u8; BLOCK]) {
        let starts = self.starts.get(number * BLOCK..).unwrap_or_default();
        let starts = &starts[..starts.len().min(BLOCK)];
        block[..starts.len()].copy_from_slice(starts);
        block[starts.len()..].fill(0);
        for (docs, amount) in &self.lists {
            docs.add_to_block(number, block, *amount);
        }
    }

    /// Returns the text score of the steps above a start, before length is known.
    #[inline]
    fn text_bound(&self, steps: u8, weight: f64) -> f64 {
        match self.equal {
            // Equal steps count the terms of the document, so their rounding cancels out.
            Some((each, score)) => f64::from(steps / each) * score,
            None => f64::from(steps) * self.step * SLACK / weight,
        }
    }
}

#[inline]
fn doc_id(at: usize) -> DocId {
    #[allow(clippy::cast_possible_truncation)]
    let doc = at as DocId;
    doc
}

#[inline]
fn maximum(sums: &[u8]) -> u8 {
    sums.iter().copied().fold(0, u8::max)
}
