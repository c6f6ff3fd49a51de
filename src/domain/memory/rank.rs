//! Ranking: which bullets answer a query, in which order, and why.
//!
//! combined = W_relevance · relevance + W_strength · strength + W_type · type priority + bonus, in
//! 64-bit floats, compared as computed. A rule decides between equal scores, so that every instance
//! returns the same order.

use hindlore_topk::{Scorer as _, TopK};

use self::precedence::order_linked;
pub use self::ranking::{Hit, NearMiss, Parts, Ranking};
use self::score::{Detail, Failure, Scored, Scorer};
use self::search::{NEAR_MISSES, find};
use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, MemoryType};
use super::policy::Profile;
use super::query::Query;
use hindlore_primitives::timestamp::Timestamp;

/// Seed bullets that go with an answer.
const SEEDS_MAX: usize = 3;

/// Ranks the bullets of a memory at its current clock. `now` decides about expiry only.
pub fn rank(memory: &Memory, query: &Query, now: Timestamp) -> Ranking {
    search_and_explain(memory, query, now).1
}

/// Ranks as [`rank`] does, and returns the found bullets as well.
pub fn search_and_explain(memory: &Memory, query: &Query, now: Timestamp) -> (Found, Ranking) {
    let scorer = Scorer::new(memory, query, now);
    let found = Found::new(&scorer, find(&scorer));
    let ranking = ranking(&scorer, &found);
    (found, ranking)
}

/// The result of a search, before it is explained.
#[derive(Clone, Debug)]
pub struct Found {
    hits: Vec<Scored>,
    missed: Vec<(Scored, Failure)>,
}

impl Found {
    fn new(scorer: &Scorer<'_>, top: TopK<Detail, Failure>) -> Self {
        let (hits, missed) = top.into_sorted();
        let missed = missed
            .into_iter()
            .map(|(scored, why)| (scored, why.unwrap_or(Failure::TopK)))
            .collect();
        let (hits, missed) = order_linked(scorer, (hits, missed));
        Self { hits, missed }
    }

    /// Returns the bullets of the hits, best first. `memory` must be unchanged since the search.
    pub fn bullets(&self, memory: &Memory) -> Vec<Bullet> {
        self.hits.iter().map(|hit| memory.at(hit.doc)).collect()
    }

    /// Returns the bullets of the near misses, best first. `memory` must be unchanged since the search.
    pub fn missed(&self, memory: &Memory) -> Vec<Bullet> {
        let missed = self.missed.iter();
        missed.map(|(scored, _)| memory.at(scored.doc)).collect()
    }
}

/// Ranks by scoring every bullet. [`rank`] must agree with it to the last bit; for tests and as a baseline of
/// speed.
#[doc(hidden)]
pub fn rank_by_scan(memory: &Memory, query: &Query, now: Timestamp) -> Ranking {
    let scorer = Scorer::new(memory, query, now);
    let mut top = TopK::new(query.top_k, NEAR_MISSES);
    for doc in memory.arena.docs() {
        let bullet = memory.arena.header(doc);
        let is_apart = scorer.profile == Profile::Engine && bullet.is_seed();
        if bullet.is_active() && !is_apart {
            let (scored, outcome) = scorer.score(doc, scorer.text.score(doc));
            top.offer(scored, outcome);
        }
    }
    ranking(&scorer, &Found::new(&scorer, top))
}

fn ranking(scorer: &Scorer<'_>, found: &Found) -> Ranking {
    let near_misses = found
        .missed
        .iter()
        .map(|(scored, failure)| scorer.near_miss(scored, *failure))
        .collect();
    Ranking {
        profile: scorer.profile,
        weights: scorer.weights,
        clock: scorer.memory.clock(),
        revision: scorer.memory.revision(),
        hits: hits(scorer, &found.hits),
        near_misses,
        meta_strategies: meta_strategies(scorer),
    }
}

fn hits(scorer: &Scorer<'_>, found: &[Scored]) -> Vec<Hit> {
    // A bullet without relevance has no word of the query, so the look-ups are skipped.
    let matched = |scored: &Scored| {
        if scored.detail.parts.relevance > 0.0 {
            scorer.text.matched_words(scored.doc, scored.detail.text)
        } else {
            Vec::new()
        }
    };
    found
        .iter()
        .map(|scored| scorer.hit(scored, matched(scored)))
        .collect()
}

fn meta_strategies(scorer: &Scorer<'_>) -> Vec<BulletId> {
    let query = scorer.query;
    let filtered = !query.tags.is_empty()
        || (!query.memory_types.is_empty()
            && !query.memory_types.contains(&MemoryType::Procedural));
    if scorer.profile != Profile::Engine || filtered {
        return Vec::new();
    }
    let memory = scorer.memory;
    let live = memory
        .seeds()
        .filter(|doc| !scorer.is_expired(&memory.arena.header(*doc)));
    live.take(SEEDS_MAX)
        .map(|doc| memory.arena.id(doc))
        .collect()
}

mod bonuses;
mod near_bullets;
mod precedence;
pub mod ranking;
pub(super) mod relevance;
mod score;
mod search;
pub(super) mod strength_formula;
#[cfg(test)]
mod tests;
