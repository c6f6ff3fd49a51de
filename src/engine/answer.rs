//! A retrieval on its way through a lane, and the answer of one memory to it.

use std::collections::BTreeMap;

use tokio::sync::oneshot;

use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use super::{Engine, events};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::policy::Profile;
use crate::domain::memory::query::Query;
use crate::domain::memory::rank::{NearMiss, Ranking, search_and_explain};
use crate::domain::timestamp::Timestamp;
use crate::store::{RetrievalRecord, Returned};

/// The answer of one memory.
#[derive(Clone, Debug)]
pub(super) struct MemoryAnswer {
    pub(super) ranking: Ranking,
    pub(super) bullets: Vec<Bullet>,
    pub(super) near_misses: Vec<(NearMiss, Bullet)>,
    pub(super) meta_strategies: Vec<Bullet>,
    /// What contradicts the bullets that were found.
    pub(super) conflicts: BTreeMap<BulletId, Vec<BulletId>>,
    pub(super) tick: Option<u64>,
}

impl MemoryAnswer {
    pub(super) fn rank(memory: &Memory, query: &Query, now: Timestamp) -> Self {
        let (found, ranking) = search_and_explain(memory, query, now);
        let near = ranking.near_misses.iter().cloned();
        let advice = ranking.meta_strategies.iter();
        let hits: Vec<BulletId> = ranking.hits.iter().map(|hit| hit.id).collect();
        Self {
            conflicts: memory.conflicts_of(&hits),
            bullets: found.bullets(memory),
            near_misses: near.zip(found.missed(memory)).collect(),
            meta_strategies: advice.filter_map(|id| memory.get(*id)).collect(),
            tick: None,
            ranking,
        }
    }

    /// Leaves out all hits but the best.
    pub(super) fn keep(&mut self, best: usize) {
        self.ranking.hits.truncate(best);
        self.bullets.truncate(best);
    }

    /// Ids and scores, best first.
    pub(super) fn returned(&self) -> Vec<(BulletId, f64)> {
        let hits = self.ranking.hits.iter();
        hits.map(|hit| (hit.id, hit.score)).collect()
    }

    /// The ids of what was returned.
    pub(super) fn ids(&self) -> Vec<BulletId> {
        self.ranking.hits.iter().map(|hit| hit.id).collect()
    }
}

/// How and where an answer was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    profile: Profile,
    clock: u64,
    revision: u64,
}

impl From<&Ranking> for Basis {
    fn from(ranking: &Ranking) -> Self {
        Self {
            profile: ranking.profile,
            clock: ranking.clock,
            revision: ranking.revision,
        }
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
        basis: Basis,
        hits: Vec<(BulletId, f64)>,
        at: Timestamp,
    ) -> RetrievalRecord {
        let returned = hits.into_iter().map(|(bullet, score)| Returned {
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
            revision: basis.revision,
            ranked_at: basis.clock,
            at,
            profile: basis.profile,
            query: self.query.clone(),
            parameters: self.parameters.clone(),
            returned: returned.collect(),
        }
    }
}

/// An answer that the caller worked out before its job came into a group.
pub(super) struct Ahead {
    /// The incarnation of the memory that it is from.
    pub(super) incarnation: String,
    pub(super) answer: MemoryAnswer,
}

/// A retrieval on its way through a lane.
pub(super) struct RetrieveJob {
    pub(super) query: Query,
    pub(super) strict: bool,
    pub(super) asked: Asked,
    pub(super) ahead: Option<Ahead>,
    pub(super) reply: oneshot::Sender<EngineResult<MemoryAnswer>>,
    /// When it was recorded; absent while it was not.
    recorded_at: Option<Timestamp>,
    pub(super) result: Option<MemoryAnswer>,
}

impl RetrieveJob {
    pub(super) fn new(
        (query, strict, asked): (Query, bool, Asked),
        ahead: Option<Ahead>,
        reply: oneshot::Sender<EngineResult<MemoryAnswer>>,
    ) -> Self {
        Self {
            query,
            strict,
            asked,
            ahead,
            reply,
            recorded_at: None,
            result: None,
        }
    }

    /// Ranks on a snapshot, unless the caller's answer still holds there; gives the record, its tick not yet
    /// given, absent when nothing was returned.
    pub(super) fn rank(&mut self, snapshot: &Snapshot, now: Timestamp) -> Option<RetrievalRecord> {
        let memory = &snapshot.memory;
        let answer = self.take_ahead(snapshot);
        let answer = answer.unwrap_or_else(|| MemoryAnswer::rank(memory, &self.query, now));
        self.record(answer, now)
    }

    /// Ranks on a memory that is being changed.
    pub(super) fn rank_under_lock(
        &mut self,
        memory: &Memory,
        now: Timestamp,
    ) -> Option<RetrievalRecord> {
        self.record(MemoryAnswer::rank(memory, &self.query, now), now)
    }

    fn record(&mut self, answer: MemoryAnswer, now: Timestamp) -> Option<RetrievalRecord> {
        let (basis, returned) = (Basis::from(&answer.ranking), answer.returned());
        self.result = Some(answer);
        self.recorded_at = (!returned.is_empty()).then_some(now);
        self.recorded_at?;
        Some(self.asked.record(basis, returned, now))
    }

    /// What the caller worked out, where no delta came in between.
    fn take_ahead(&mut self, snapshot: &Snapshot) -> Option<MemoryAnswer> {
        let Ahead {
            incarnation,
            answer,
        } = self.ahead.take()?;
        let holds = answer.ranking.revision == snapshot.memory.revision();
        (holds && incarnation == snapshot.incarnation).then_some(answer)
    }

    /// The answer, and when it was recorded; absent for what was not.
    pub(super) fn recorded(&mut self) -> Option<(&mut MemoryAnswer, Timestamp)> {
        self.result.as_mut().zip(self.recorded_at)
    }

    /// Tells the log what was returned.
    pub(super) fn tell(&self, engine: &Engine, memory: &Memory) {
        if let Some(answer) = &self.result {
            events::injected(engine, memory.key(), &self.asked.query, &answer.bullets);
        }
    }

    /// Answers with what was found.
    pub(super) fn send(self) {
        drop(self.reply.send(self.result.ok_or(EngineError::Stopped)));
    }
}
