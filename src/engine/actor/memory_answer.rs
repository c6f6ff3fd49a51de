//! The answer of one memory to a query, and its record.

use crate::memory::retrieval::injection::{FitBullets, Injection, Shown, keep_places};
use crate::memory::retrieval::related::Beside;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::{Hit, NearMiss, Ranking, search_and_explain};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{RetrievalRecord, Returned};

/// The answer of one memory.
#[derive(Clone, Debug)]
pub(crate) struct MemoryAnswer {
    pub(crate) ranking: Ranking,
    /// Bullets of the hits, best first.
    pub(crate) bullets: Vec<Bullet>,
    pub(crate) near_misses: Vec<(NearMiss, Bullet)>,
    pub(crate) meta_strategies: Vec<Bullet>,
    /// Related bullets of each hit.
    pub(crate) beside: Vec<Beside>,
    /// Tick of the retrieval; absent until it is recorded, and if nothing was returned.
    pub(crate) tick: Option<u64>,
    /// Incarnation of the memory; absent if the memory does not exist.
    pub(crate) incarnation: Option<String>,
    /// Hits that the caller's choice left out.
    pub(crate) beyond_budget: usize,
}

impl MemoryAnswer {
    /// Ranks and explains the bullets for a query.
    pub(crate) fn rank(
        memory: &Memory,
        incarnation: Option<&str>,
        query: &Query,
        now: Timestamp,
    ) -> Self {
        let (found, ranking) = search_and_explain(memory, query, now);
        let near = ranking.near_misses.iter().cloned();
        let advice = ranking.meta_strategies.iter();
        let hits = ranking.hits.iter().map(|hit| hit.id);
        Self {
            beside: hits.map(|id| Beside::of(memory, id)).collect(),
            bullets: found.bullets(memory),
            near_misses: near.zip(found.missed(memory)).collect(),
            meta_strategies: advice.filter_map(|id| memory.get(*id)).collect(),
            tick: None,
            incarnation: incarnation.map(str::to_owned),
            beyond_budget: 0,
            ranking,
        }
    }

    /// True if no delta was applied to the memory since it was ranked.
    pub(crate) fn holds_for(&self, memory: &Memory, incarnation: &str) -> bool {
        self.incarnation.as_deref() == Some(incarnation)
            && self.ranking.revision == memory.revision()
    }

    /// True if there is something to record: bullets of an existing memory.
    pub(crate) fn is_recorded(&self) -> bool {
        self.incarnation.is_some() && !self.ranking.hits.is_empty()
    }

    /// Leaves the hits that are shown.
    pub(crate) fn fit(&mut self, retrieval: Option<&str>, fit: Option<&FitBullets>) {
        let Some(fit) = fit else {
            return;
        };
        let shown: Vec<Shown<'_>> = self.bullets.iter().zip(&self.beside).collect();
        let places = fit.choose()(retrieval, &shown);
        self.beyond_budget += self.bullets.len() - places.len();
        self.keep(&places);
    }

    /// Drops all hits but these.
    pub(crate) fn keep_bullets(&mut self, ids: &[BulletId]) {
        let hits = self.ranking.hits.iter().enumerate();
        let places = hits.filter(|(_, hit)| ids.contains(&hit.id));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        self.keep(&places);
    }

    fn keep(&mut self, places: &[usize]) {
        keep_places(&mut self.ranking.hits, places);
        keep_places(&mut self.bullets, places);
        keep_places(&mut self.beside, places);
    }
}

/// The fields of a retrieval's record that are known before it is ranked.
#[derive(Clone, Debug)]
pub(crate) struct QueryRecord {
    pub(crate) id: String,
    pub(crate) query: String,
    pub(crate) parameters: String,
    pub(crate) inject: Injection,
    pub(crate) fit: Option<FitBullets>,
}

impl QueryRecord {
    /// The record of an answer, without its tick: the store or the decision assigns that.
    pub(crate) fn record(&self, answer: &MemoryAnswer, at: Timestamp) -> RetrievalRecord {
        let hits = answer.ranking.hits.iter();
        let returned = hits.map(|hit| returned(hit, self.inject));
        self.record_returned(answer, returned.collect(), at)
    }

    /// Records the given hits of an answer.
    pub(crate) fn record_returned(
        &self,
        answer: &MemoryAnswer,
        returned: Vec<Returned>,
        at: Timestamp,
    ) -> RetrievalRecord {
        RetrievalRecord {
            id: self.id.clone(),
            tick: 0,
            revision: answer.ranking.revision,
            ranked_at: answer.ranking.clock,
            at,
            profile: answer.ranking.profile,
            query: self.query.clone(),
            parameters: self.parameters.clone(),
            returned,
        }
    }
}

/// A returned hit, and whether it goes into a prompt.
pub(crate) fn returned(hit: &Hit, inject: Injection) -> Returned {
    Returned {
        bullet: hit.id,
        score: hit.score,
        injected: inject == Injection::All,
        used: false,
        helped: false,
        harmed: false,
        ignored: false,
    }
}
