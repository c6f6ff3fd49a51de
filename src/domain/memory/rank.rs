//! Ranking: which bullets answer a query, in which order, and why.
//!
//! combined = W_relevance · relevance + W_strength · strength + W_type · type priority + bonus, in
//! 64-bit floats, compared as computed; equal scores are told apart by rule, so that every instance
//! gives the same order.

use super::aggregate::Memory;
use super::best::{Best, Failure, Scored};
use super::bullet::{Bullet, BulletId, MemoryType};
use super::policy::Profile;
use super::query::Query;
pub use super::ranking::{Hit, NearMiss, Parts, Ranking};
use super::score::Scorer;
use super::search::Search;
use crate::timestamp::Timestamp;

const META_PLACES: usize = 3;

/// Ranks the bullets of a memory at its present clock. "Now" decides about expiry only.
pub fn rank(memory: &Memory, query: &Query, now: Timestamp) -> Ranking {
    search_and_explain(memory, query, now).1
}

/// The same, with what was found.
pub fn search_and_explain(memory: &Memory, query: &Query, now: Timestamp) -> (Found, Ranking) {
    let scorer = Scorer::new(memory, query, now);
    let found = Found::by(Search::new(&scorer).run());
    let ranking = ranking(&scorer, &found);
    (found, ranking)
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    hits: Vec<Scored>,
    missed: Vec<(Scored, Failure)>,
}

impl Found {
    fn by(best: Best) -> Self {
        let (hits, missed) = best.finish();
        Self { hits, missed }
    }

    /// The bullets of the hits, best first, from the memory as it was searched.
    pub fn bullets(&self, memory: &Memory) -> Vec<Bullet> {
        self.hits.iter().map(|hit| memory.at(hit.slot)).collect()
    }

    /// The bullets of the near misses.
    pub fn missed(&self, memory: &Memory) -> Vec<Bullet> {
        let missed = self.missed.iter();
        missed.map(|(scored, _)| memory.at(scored.slot)).collect()
    }
}

/// Ranks by scoring every bullet: the definition that [`rank`] must agree with to the last bit, for
/// tests and as a measure of speed.
#[doc(hidden)]
pub fn rank_by_scan(memory: &Memory, query: &Query, now: Timestamp) -> Ranking {
    let scorer = Scorer::new(memory, query, now);
    let mut best = Best::of(query.top_k);
    for slot in memory.shelf.slots() {
        let bullet = memory.shelf.core(slot);
        let is_advice = scorer.profile == Profile::Engine && bullet.is_planted();
        if bullet.is_active() && !is_advice {
            let (scored, failure) = scorer.judge(slot);
            best.offer(scored, failure);
        }
    }
    ranking(&scorer, &Found::by(best))
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
    // What is not relevant has no word of the query: none need be looked up for it.
    let matched = |scored: &Scored| {
        if scored.parts.relevance > 0.0 {
            scorer.matcher.matched(scored.slot, scored.words)
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
        .planted()
        .filter(|slot| !scorer.is_over(&memory.shelf.core(*slot)));
    live.take(META_PLACES)
        .map(|slot| memory.shelf.id(slot))
        .collect()
}
