//! The request and answer of a retrieval, and how the answers of several memories are merged.

pub(crate) mod injection;
mod over_several;
pub(crate) mod related;
mod retrieve;

use std::collections::BTreeSet;

use self::injection::{FitBullets, Injection, Shown, keep_places};
use self::related::Beside;
use crate::actor::memory_answer::MemoryAnswer;
use crate::embeddings::meaning::Meaning;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::content::ContentHash;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::{Hit, NearMiss, Ranking};
use hindlore_redact::Redactions;

/// Maximum near misses in an answer.
const NEAR_MISSES_MAX: usize = 5;

/// A memory and its own answer.
type Ranked = (MemoryKey, MemoryAnswer);

/// A query, and how to record its answer.
#[derive(Clone, Debug)]
pub struct RetrieveRequest {
    /// The query with its filters.
    pub query: Query,
    /// Read only: no tick, no touch, no record.
    pub peek: bool,
    /// Rank under the memory's lock, on exactly the state at which the tick is taken.
    pub strict: bool,
    /// Include the learner's memories that hold everywhere: those of the scopes `shared` and `default`.
    pub include_shared: bool,
    /// Whether the returned bullets go into a prompt.
    pub inject: Injection,
    /// Which of the ranked bullets are shown; absent for all. The others are not recorded.
    pub fit: Option<FitBullets>,
    /// Include the general advice that the memory started with.
    pub with_advice: bool,
}

impl From<&str> for RetrieveRequest {
    fn from(question: &str) -> Self {
        Self::new(Query::new(question))
    }
}

impl RetrieveRequest {
    /// A recorded retrieval without filters.
    pub fn new(query: Query) -> Self {
        Self {
            query,
            peek: false,
            strict: false,
            include_shared: false,
            inject: Injection::Nothing,
            fit: None,
            with_advice: false,
        }
    }

    /// An unrecorded request for a query.
    pub fn peek(query: Query) -> Self {
        Self {
            peek: true,
            ..Self::new(query)
        }
    }
}

/// One returned bullet with its explanation.
#[derive(Clone, PartialEq, Debug)]
pub struct RetrievedBullet {
    /// The bullet as ranked.
    pub bullet: Bullet,
    /// Its score and explanation.
    pub hit: Hit,
    /// Scope of its memory.
    pub scope: String,
    /// The bullets of that memory that replace or contradict it.
    pub beside: Beside,
}

/// The position of a memory when ranked, and the tick of the retrieval there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPosition {
    /// Scope of the memory.
    pub scope: String,
    /// Clock when ranked.
    pub clock: u64,
    /// Revision when ranked.
    pub revision: u64,
    /// Tick of the retrieval; absent if this memory returned nothing, or on a peek.
    pub tick: Option<u64>,
}

/// The answer to a retrieval.
#[derive(Clone, PartialEq, Debug)]
pub struct Retrieved {
    /// Id for later feedback; absent if nothing was returned, or on a peek.
    pub retrieval: Option<String>,
    /// Ranking in the memory named by the request.
    pub ranking: Ranking,
    /// Best first, over all memories that took part.
    pub bullets: Vec<RetrievedBullet>,
    /// The best of those left out.
    pub near_misses: Vec<(NearMiss, Bullet)>,
    /// General advice, if requested.
    pub meta_strategies: Vec<Bullet>,
    /// The memories that took part, the one named by the request first.
    pub memories: Vec<MemoryPosition>,
    /// Secrets removed from the query before it was recorded.
    pub redacted: Redactions,
    /// Ranked bullets that the choice of [`RetrieveRequest::fit`] left out.
    pub beyond_budget: usize,
    /// Why it was not recorded although it should have been.
    pub not_recorded: Option<String>,
    /// Whether meaning counted, where a model is configured.
    pub meaning: Option<Meaning>,
}

impl Retrieved {
    /// The answer of one memory.
    pub(super) fn from_one(key: &MemoryKey, answer: MemoryAnswer) -> Self {
        let mut retrieved = Self {
            retrieval: None,
            ranking: answer.ranking.clone(),
            bullets: Vec::new(),
            near_misses: Vec::new(),
            meta_strategies: answer.meta_strategies.clone(),
            memories: Vec::new(),
            redacted: Redactions::default(),
            beyond_budget: answer.beyond_budget,
            not_recorded: None,
            meaning: None,
        };
        retrieved.add(key, answer);
        retrieved
    }

    /// Merges the best `top_k` of at least one memory, the named one first. Bullets of a `settled` scope are recorded
    /// already and keep their places.
    pub(super) fn from_several(ranked: &[Ranked], top_k: usize, settled: &[&str]) -> Self {
        let (key, own) = &ranked[0];
        let mut retrieved = Self::from_one(key, own.clone());
        let mut ends = vec![retrieved.bullets.len()];
        for (key, answer) in &ranked[1..] {
            retrieved.add(key, answer.clone());
            ends.push(retrieved.bullets.len());
        }
        sort_by_standing(&mut retrieved.bullets, &ends);
        let is_settled = |one: &RetrievedBullet| settled.contains(&one.scope.as_str());
        let kept = retrieved
            .bullets
            .iter()
            .filter(|one| is_settled(one))
            .count();
        let mut free = top_k.saturating_sub(kept);
        let (shown, beyond): (Vec<_>, Vec<_>) = retrieved.bullets.into_iter().partition(|one| {
            let is_shown = is_settled(one) || free > 0;
            free -= usize::from(is_shown && !is_settled(one));
            is_shown
        });
        retrieved.bullets = shown;
        retrieved.add_beyond(beyond, top_k);
        retrieved
    }

    /// Adds the hits beyond `top_k` to the near misses.
    fn add_beyond(&mut self, beyond: Vec<RetrievedBullet>, top_k: usize) {
        let by_score = |a: f64, b: f64| b.total_cmp(&a);
        let near_misses = &mut self.near_misses;
        near_misses.sort_by(|a, b| by_score(a.0.score, b.0.score));
        // Ahead of near misses with the same score, since these bullets were hits.
        let missed = beyond.into_iter().rev().map(|one| {
            let near_miss = NearMiss {
                id: one.hit.id,
                score: one.hit.score,
                reason: format!("it is beyond the {top_k} that were asked for"),
            };
            (near_miss, one.bullet)
        });
        near_misses.splice(0..0, missed);
        near_misses.sort_by(|a, b| by_score(a.0.score, b.0.score));
        near_misses.truncate(NEAR_MISSES_MAX);
    }

    /// Leaves the bullets that are shown. Those of the `settled` scopes are recorded already and have the first choice.
    pub(super) fn fit(
        &mut self,
        retrieval: Option<&str>,
        fit: Option<&FitBullets>,
        settled: &[&str],
    ) {
        let Some(fit) = fit else {
            return;
        };
        let mut order: Vec<usize> = (0..self.bullets.len()).collect();
        // `false` sorts first, so the settled scopes are offered first.
        order.sort_by_key(|at| !settled.contains(&self.bullets[*at].scope.as_str()));
        let shown = order.iter().map(|at| &self.bullets[*at]);
        let shown: Vec<Shown<'_>> = shown.map(|one| (&one.bullet, &one.beside)).collect();
        let chosen = fit.choose()(retrieval, &shown);
        let mut places: Vec<usize> = chosen.iter().map(|at| order[*at]).collect();
        // Chosen in another order; the answer keeps its own.
        places.sort_unstable();
        self.beyond_budget += self.bullets.len() - places.len();
        keep_places(&mut self.bullets, &places);
    }

    /// The bullets from one memory, best first.
    pub(super) fn bullets_of(&self, key: &MemoryKey) -> impl Iterator<Item = &RetrievedBullet> {
        let bullets = self.bullets.iter();
        bullets.filter(|one| one.scope == key.scope())
    }

    fn add(&mut self, key: &MemoryKey, answer: MemoryAnswer) {
        let scope = key.scope().to_owned();
        self.memories.push(MemoryPosition {
            scope: scope.clone(),
            clock: answer.ranking.clock,
            revision: answer.ranking.revision,
            tick: answer.tick,
        });
        let shown = answer.bullets.into_iter().zip(answer.beside);
        // A text that several memories hold is shown once.
        let known: BTreeSet<ContentHash> = self.bullets.iter().map(hash_of).collect();
        let hits = answer.ranking.hits.into_iter().zip(shown);
        let hits = hits.map(|(hit, (bullet, beside))| RetrievedBullet {
            beside,
            bullet,
            hit,
            scope: scope.clone(),
        });
        self.bullets
            .extend(hits.filter(|one| !known.contains(&hash_of(one))));
        self.near_misses.extend(answer.near_misses);
    }
}

fn hash_of(one: &RetrievedBullet) -> ContentHash {
    one.bullet.content_hash()
}

/// Merges the bullets of several memories, each of which ends before its place in `ends`, and keeps the order within
/// each. That order follows rules beyond the score, so a bullet ranks as high as the best one below it.
fn sort_by_standing(bullets: &mut Vec<RetrievedBullet>, ends: &[usize]) {
    let mut standings: Vec<f64> = Vec::new();
    for &end in ends {
        let part = bullets[standings.len()..end].iter().rev();
        let mut found: Vec<f64> = part
            .scan(f64::NEG_INFINITY, |best, one| {
                *best = best.max(one.hit.score);
                Some(*best)
            })
            .collect();
        found.reverse();
        standings.extend(found);
    }
    let mut placed: Vec<(f64, RetrievedBullet)> =
        standings.into_iter().zip(std::mem::take(bullets)).collect();
    // Stable, so equal standings keep the order within a memory.
    placed.sort_by(|a, b| b.0.total_cmp(&a.0));
    bullets.extend(placed.into_iter().map(|(_, one)| one));
}
