//! A retrieval on its way through a lane, and the answer of one memory to it.

use tokio::sync::oneshot;

use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::query::Query;
use crate::domain::memory::rank::{NearMiss, Ranking, rank};
use crate::domain::timestamp::Timestamp;
use crate::store::{RetrievalRecord, Returned};

/// The answer of one memory.
#[derive(Clone, Debug)]
pub(super) struct MemoryAnswer {
    pub(super) ranking: Ranking,
    pub(super) bullets: Vec<Bullet>,
    pub(super) near_misses: Vec<(NearMiss, Bullet)>,
    pub(super) meta_strategies: Vec<Bullet>,
    pub(super) tick: Option<u64>,
}

impl MemoryAnswer {
    pub(super) fn rank(memory: &Memory, query: &Query, now: Timestamp) -> Self {
        let ranking = rank(memory, query, now);
        let bullet = |id: BulletId| memory.get(id);
        let near = |miss: &NearMiss| Some((miss.clone(), bullet(miss.id)?));
        Self {
            bullets: ranking
                .hits
                .iter()
                .filter_map(|hit| bullet(hit.id))
                .collect(),
            near_misses: ranking.near_misses.iter().filter_map(near).collect(),
            meta_strategies: ranking
                .meta_strategies
                .iter()
                .filter_map(|id| bullet(*id))
                .collect(),
            tick: None,
            ranking,
        }
    }

    /// The record of this answer, its tick not yet given; absent when nothing was returned.
    pub(super) fn record(&self, job: &mut RetrieveJob, now: Timestamp) -> Option<RetrievalRecord> {
        job.recorded_at = None;
        if self.ranking.hits.is_empty() {
            return None;
        }
        job.recorded_at = Some(now);
        let hits = self.ranking.hits.iter().map(|hit| (hit.id, hit.score));
        Some(job.asked.record(&self.ranking, hits, now))
    }

    /// The ids of what was returned.
    pub(super) fn ids(&self) -> Vec<BulletId> {
        self.ranking.hits.iter().map(|hit| hit.id).collect()
    }

    /// Notes the tick that the memory gave this retrieval.
    pub(super) fn touched(&mut self, memory: &Memory) {
        self.tick = Some(memory.clock());
    }
}

/// What a record says of the question.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) id: String,
    pub(super) query: String,
    pub(super) parameters: String,
    pub(super) inject: bool,
}

impl Asked {
    pub(super) fn record(
        &self,
        ranking: &Ranking,
        hits: impl Iterator<Item = (BulletId, f64)>,
        at: Timestamp,
    ) -> RetrievalRecord {
        let returned = hits.map(|(bullet, score)| Returned {
            bullet,
            score,
            injected: self.inject,
            used: false,
            helped: false,
            harmed: false,
            ignored: false,
        });
        RetrievalRecord {
            id: self.id.clone(),
            tick: 0,
            revision: ranking.revision,
            ranked_at: ranking.clock,
            at,
            profile: ranking.profile,
            query: self.query.clone(),
            parameters: self.parameters.clone(),
            returned: returned.collect(),
        }
    }
}

/// A retrieval on its way through a lane.
pub(super) struct RetrieveJob {
    pub(super) query: Query,
    pub(super) strict: bool,
    pub(super) asked: Asked,
    /// When it was recorded; absent while it was not.
    pub(super) recorded_at: Option<Timestamp>,
    pub(super) reply: oneshot::Sender<EngineResult<MemoryAnswer>>,
    pub(super) result: Option<MemoryAnswer>,
    /// The incarnation of the memory that `result` was ranked in before the job came into a group.
    pub(super) ranked_in: Option<String>,
}

impl RetrieveJob {
    /// What was ranked before, where no delta came in between.
    pub(super) fn take_ranked(&mut self, snapshot: &Snapshot) -> Option<MemoryAnswer> {
        let ranked_in = self.ranked_in.take()?;
        let answer = self.result.take()?;
        let is_same = ranked_in == snapshot.incarnation
            && answer.ranking.revision == snapshot.memory.revision();
        is_same.then_some(answer)
    }

    /// Answers with what was found.
    pub(super) fn send(self) {
        drop(self.reply.send(self.result.ok_or(EngineError::Stopped)));
    }
}
