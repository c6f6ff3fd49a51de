//! Exact top-k: visits documents by query term, then by prior, until no other document can enter.
//!
//! score = w_relevance · relevance + w_prior · prior + class + bonus. The caller computes it; this module
//! only bounds it. Few postings are scored one by one. Many are first summed in bytes, block by block
//! ([`blocks`]), and only documents whose sum reaches the threshold are scored (upper bounds as in
//! MaxScore: Turtle and Flood 1995). Documents without any term come last, by descending prior (the
//! threshold algorithm: Fagin, Lotem and Naor 2001).
//!
//! Every bound is conservative, and every score is the caller's own, so the answer equals that of a scan to
//! the last bit.

mod blocks;

use crate::prior_order::{CLASSES, Cursor, GROUPS};
use crate::{
    DocId, DocSet, Outcome, Prior, PriorOrder, Scored, TextQuery, TextScore, TopK, Weights,
};

/// Fewer postings than this are scored one by one.
const FEW_POSTINGS: usize = 256;
/// Documents that are scored by prior per batch, and before the threshold applies, beyond those kept.
const LOOKAHEAD: usize = 16;
/// Slack for the rounding of sums and quotients, far above any error of a few hundred additions.
const SLACK: f64 = 1.0 + 1e-9;

/// Scores documents exactly. A search skips only documents that cannot enter by these scores.
pub trait Scorer {
    /// Details of a scored document that the caller keeps, such as the parts of its score.
    type Detail: Copy;
    /// Why a document is not a hit.
    type Miss: Copy;

    /// Returns the score of a document, and whether it is a hit. Must not depend on earlier calls.
    fn score(&self, doc: DocId, text: TextScore) -> (Scored<Self::Detail>, Outcome<Self::Miss>);

    /// Maps a text score to relevance, 0..=1. Must never decrease as the text score rises.
    fn relevance(&self, text: f64) -> f64;

    /// Returns the prior of a document: the one that [`PriorOrder`] holds.
    fn prior(&self, doc: DocId) -> Prior;

    /// Visits every document to which this one may lend relevance.
    fn for_each_neighbour(&self, doc: DocId, visit: impl FnMut(DocId));
}

/// A bonus for every document in any of the sets, given once.
#[derive(Clone, Debug)]
pub struct Bonus<'i> {
    /// Added to the score.
    pub amount: f64,
    /// The documents that get it.
    pub holders: Vec<&'i DocSet>,
}

/// The parameters of a search. They must agree with the scorer: documents that they exclude are never scored.
#[derive(Debug)]
pub struct SearchRequest<'i> {
    /// Maximum number of hits.
    pub top_k: usize,
    /// Maximum number of near misses.
    pub near_misses: usize,
    /// Clock that priors are computed at, in ticks.
    pub clock: u64,
    /// Weights of the score.
    pub weights: Weights,
    /// Minimum relevance of a hit, 0..=1.
    pub floor: f64,
    /// Minimum prior of a hit.
    pub least_prior: f64,
    /// Whether a document of each class can be a hit.
    pub classes: [bool; CLASSES],
    /// Bonuses of the query.
    pub bonuses: Vec<Bonus<'i>>,
    /// A superset of the hits, if a filter admits few documents.
    pub candidates: Option<Vec<&'i DocSet>>,
    /// Documents whose score may exceed its bound; they are scored before the search.
    pub first: DocSet,
    /// Greatest share of its text score that a document lends to a neighbour, 0..=1; 0 without neighbours.
    pub lent: f64,
}

/// Returns the best hits and near misses, exactly as a scan over `order` would.
pub fn search<S: Scorer>(
    text: &TextQuery<'_>,
    order: &PriorOrder,
    request: &SearchRequest<'_>,
    scorer: &S,
) -> TopK<S::Detail, S::Miss> {
    let search = Search {
        text,
        order,
        request,
        scorer,
        top: TopK::new(request.top_k, request.near_misses),
        seen: DocSet::default(),
        cursors: [Cursor::default(); GROUPS],
        can_hit: request.top_k > 0 || request.near_misses > 0,
    };
    search.run()
}

struct Search<'s, 'i, S: Scorer> {
    text: &'s TextQuery<'i>,
    order: &'s PriorOrder,
    request: &'s SearchRequest<'i>,
    scorer: &'s S,
    top: TopK<S::Detail, S::Miss>,
    /// Documents that were scored.
    seen: DocSet,
    /// How far the order of each group was read.
    cursors: [Cursor; GROUPS],
    /// False once every possible hit was scored.
    can_hit: bool,
}

/// Minimum scores to enter: as a hit, whose relevance must also reach the floor, and as a near miss.
#[derive(Clone, Copy, PartialEq)]
struct Thresholds {
    hit: f64,
    miss: f64,
}

impl<S: Scorer> Search<'_, '_, S> {
    fn run(mut self) -> TopK<S::Detail, S::Miss> {
        self.score_candidates();
        let request = self.request;
        request.first.for_each(|doc| self.score(doc));
        if self.text.all_scores().is_some() {
            self.read_scores();
        } else if self.postings() < FEW_POSTINGS || self.request.weights.relevance <= 0.0 {
            self.read_postings();
        } else {
            // The strongest documents raise the threshold before the blocks are read.
            if self.request.floor <= 0.0 {
                let count = self.top.hits_kept().saturating_add(LOOKAHEAD);
                self.read_strongest(count, f64::INFINITY);
            }
            self.read_blocks();
        }
        if self.request.floor <= 0.0 {
            self.read_strongest(usize::MAX, self.unread_bonus());
        }
        self.top
    }

    /// Scores the documents that a selective filter admits; all others can only be near misses.
    fn score_candidates(&mut self) {
        let Some(candidates) = &self.request.candidates else {
            return;
        };
        for docs in candidates {
            docs.for_each(|doc| self.score(doc));
        }
        self.can_hit = false;
    }

    /// Returns the number of postings of terms and bonuses.
    fn postings(&self) -> usize {
        let holders = self.request.bonuses.iter().flat_map(|bonus| &bonus.holders);
        let lists = self.text.lists().chain(holders.copied());
        lists.map(DocSet::len).sum()
    }

    /// Scores every document that has a term or a bonus.
    fn read_postings(&mut self) {
        let request = self.request;
        let holders = request.bonuses.iter().flat_map(|bonus| &bonus.holders);
        for docs in self.text.lists().chain(holders.copied()) {
            docs.for_each(|doc| self.score_with_neighbours(doc));
        }
    }

    /// Scores the documents whose text score is known and whose bound reaches the threshold.
    fn read_scores(&mut self) {
        let text = self.text;
        let Some(all) = text.all_scores() else { return };
        let bonus = self.total_bonus();
        let strongest = self.strongest_static();
        let bounds = self
            .order
            .static_bounds(self.request.weights, self.request.clock);
        let mut thresholds = self.thresholds();
        for doc in &all.matched {
            let byte =
                bounds.and_then(|bounds| Some((bounds.bytes().get(*doc as usize)?, bounds.step())));
            // A full byte may have saturated, and a neighbour's prior is not in this document's byte.
            let fixed = match byte {
                Some((byte, step)) if *byte < u8::MAX && self.request.lent <= 0.0 => {
                    f64::from(*byte) * step
                }
                _ => strongest,
            };
            let relevance = self.relevance_bound(text.score(*doc).score);
            if self.can_enter(relevance, fixed + bonus, thresholds) {
                self.score_with_neighbours(*doc);
                thresholds = self.thresholds();
            }
        }
    }

    /// Scores a document unless it was scored before or is not in the order.
    fn score(&mut self, doc: DocId) {
        if self.order.group(doc).is_none() || !self.seen.insert(doc) {
            return;
        }
        let (scored, outcome) = self.scorer.score(doc, self.text.score(doc));
        self.top.offer(scored, outcome);
    }

    fn score_with_neighbours(&mut self, doc: DocId) {
        self.score(doc);
        if self.request.lent > 0.0 {
            let scorer = self.scorer;
            scorer.for_each_neighbour(doc, |near| self.score(near));
        }
    }

    /// Scores documents by descending static score, about `count` of them, until none of the rest can be a
    /// hit with `bonus` and no relevance.
    fn read_strongest(&mut self, count: usize, bonus: f64) {
        let mut read = 0;
        while read < count && self.can_hit {
            let bounds = (0..GROUPS).filter_map(|group| {
                let doc = self.order.doc_at(group, self.cursors[group])?;
                let bound = self.static_bound(group, doc)?;
                Some((bound + bonus, group))
            });
            let best = bounds.max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((bound, group)) = best else { return };
            if bound * SLACK < self.top.hit_threshold() {
                return;
            }
            read += LOOKAHEAD;
            self.read_batch(group, bonus <= 0.0);
        }
    }

    /// Scores the next documents of a group.
    fn read_batch(&mut self, group: usize, is_last: bool) {
        let mut cursor = self.cursors[group];
        for _ in 0..LOOKAHEAD {
            let Some(doc) = self.order.doc_at(group, cursor) else {
                break;
            };
            if self.seen.contains(doc) {
                cursor = self.order.next(group, cursor);
                continue;
            }
            let (scored, outcome) = self.scorer.score(doc, self.text.score(doc));
            self.seen.insert(doc);
            // In the last pass every document with a term is scored already, so the documents of an equal
            // prior that follow score the same and lose the tie. Thousands of them are skipped at once.
            let is_beaten = self.top.worst_hit().is_some_and(|worst| scored < *worst);
            self.top.offer(scored, outcome);
            cursor = if is_last && is_beaten {
                let prior = self.scorer.prior(doc);
                let is_equal = |other| {
                    let other = self.scorer.prior(other);
                    self.order.are_equal(group, &prior, &other)
                };
                self.order.skip_while(group, cursor, is_equal)
            } else {
                self.order.next(group, cursor)
            };
        }
        self.cursors[group] = cursor;
    }

    /// Returns an upper bound of the static score of a document and of those after it in its group; `None` if they
    /// cannot be hits.
    fn static_bound(&self, group: usize, doc: DocId) -> Option<f64> {
        let request = self.request;
        let prior = self.order.upper_bound(group, doc, request.clock);
        let class = group % CLASSES;
        let is_weak = prior * SLACK < request.least_prior;
        let can_hit = request.classes[class] && !is_weak;
        can_hit.then(|| request.weights.prior * prior + request.weights.class[class])
    }

    /// Returns an upper bound of the static score of any document.
    fn strongest_static(&self) -> f64 {
        let weights = self.request.weights;
        let class = weights.class.iter().copied().fold(0.0, f64::max);
        weights.prior * self.order.strongest(self.request.clock) + class
    }

    /// Returns an upper bound of the relevance of a document with this text score, and of its neighbours'.
    #[inline]
    fn relevance_bound(&self, text: f64) -> f64 {
        self.scorer
            .relevance(text * (1.0 + self.request.lent) * SLACK)
    }

    #[inline]
    fn can_enter(&self, relevance: f64, fixed: f64, thresholds: Thresholds) -> bool {
        let score = (self.request.weights.relevance * relevance + fixed) * SLACK;
        score >= thresholds.miss || (score >= thresholds.hit && relevance >= self.request.floor)
    }

    fn thresholds(&self) -> Thresholds {
        let hit = if self.can_hit {
            self.top.hit_threshold()
        } else {
            f64::INFINITY
        };
        let miss = self.top.miss_threshold();
        Thresholds { hit, miss }
    }

    fn total_bonus(&self) -> f64 {
        let bonuses = self.request.bonuses.iter();
        bonuses.map(|bonus| bonus.amount).sum()
    }

    /// Returns the bonus that an unread document may still have.
    fn unread_bonus(&self) -> f64 {
        let is_read = self.text.all_scores().is_none() && self.reads_bonuses();
        if is_read { 0.0 } else { self.total_bonus() }
    }

    /// Returns true if the documents with a bonus are visited like those with a term.
    fn reads_bonuses(&self) -> bool {
        self.postings() < FEW_POSTINGS
            || self.request.weights.relevance <= 0.0
            || self.block_bounds().is_some()
    }
}

#[cfg(test)]
mod tests;
