//! Many documents at once: the terms of the query are summed block by block, in bytes.
//!
//! The sum of a document bounds its score. It starts from the bound of the static part, and every term
//! adds what it can add at most, rounded up. Only documents whose sum reaches the threshold are looked at
//! again, the parts of a block with the greatest sums first, since their scores raise the threshold for
//! the rest.
//!
//! To sum a posting costs about a nanosecond, to look a term up for a document costs tens.

use std::cmp::Reverse;

use super::{SLACK, Scorer, Search, Thresholds};
use crate::doc_set::BLOCK;
use crate::prior_order::{StaticBounds, in_steps};
use crate::text_query::UpperBounds;
use crate::{DocId, DocSet};

/// Documents of a part of a block.
const PART: usize = 256;
/// Documents that are compared with the threshold at once: a vector register of bytes.
const RUN: usize = 32;
/// Steps of all terms together, where sums start from 0; leaves room for rounding each term up.
const TERM_STEPS: f64 = 200.0;

/// What is summed, and how sums are read.
struct Sums<'s, 'i> {
    terms: UpperBounds<'i>,
    /// The documents of each term or bonus, with the steps that it adds.
    lists: Vec<(&'i DocSet, u8)>,
    /// What sums start from, by document; empty if bounds of the static part are of no use.
    starts: &'s [u8],
    /// The score that one step stands for.
    step: f64,
    /// Static score and bonus of any document, if sums hold neither.
    fixed: f64,
    /// Steps and text score of each term, if all terms add the same and nothing else is summed.
    equal: Option<(u8, f64)>,
    has_bonuses: bool,
}

/// What a document needs to enter.
#[derive(Clone, Copy)]
struct Limit {
    thresholds: Thresholds,
    /// The least sum that can reach a threshold.
    sum: u8,
}

impl<'s, S: Scorer> Search<'s, '_, S> {
    /// Scores every document with a term, or a bonus that sums hold, that can enter.
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

    /// Returns the static bounds that sums start from. If neighbours lend, a document's score is not
    /// bounded by its own sum, so there are none.
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
        let of_terms = terms.terms.iter();
        let of_terms = of_terms.map(|term| (term.docs, in_steps(weight * term.score, step)));
        let mut lists: Vec<(&'i DocSet, u8)> = of_terms.collect();
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

    /// Scores what can enter of a block, which begins at `first`.
    fn read_block(&mut self, sums: &Sums<'_, 'i>, first: usize, block: &[u8]) {
        let parts = (first..).step_by(PART).zip(block.chunks(PART));
        let mut parts: Vec<(u8, usize, &[u8])> = parts
            .map(|(start, part)| (maximum(part), start, part))
            .collect();
        parts.sort_by_key(|(maximum, _, _)| Reverse(*maximum));
        let mut limit = self.limit(sums);
        if first == 0 {
            // One document of each of the best parts, before any part is read whole: what they score
            // rules most of the others out.
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

    /// Scores a document if its sum says that it can enter; returns the limit from then on.
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
        let floor = self.request.weights.relevance * self.request.floor;
        let hit = (thresholds.hit - sums.fixed).max(floor);
        let least = hit.min(thresholds.miss - sums.fixed) / (1.0 + self.request.lent);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (least / sums.step / SLACK).floor() as u8;
        steps.max(1)
    }

    /// Tells whether a document with a sum can enter, now that its length is looked up.
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

    /// Returns the text score that the steps above a start stand for, before length is known.
    #[inline]
    fn text_bound(&self, steps: u8, weight: f64) -> f64 {
        match self.equal {
            // Equal steps count terms, without the rounding of each.
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
