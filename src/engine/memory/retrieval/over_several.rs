//! A retrieval over several memories of a learner: the one named by the request, and those that hold in all scopes.
//!
//! They are ranked as one, and each that returned something takes its own tick. A memory is recorded only at
//! the revision at which it was ranked (if strict, at the clock as well); otherwise it is ranked again. They are
//! never written in one transaction: once a memory has its tick, its share of the answer is settled, and a later
//! memory that moved meanwhile fills the remaining places.

use std::sync::Arc;

use super::{Ranked, Retrieved};
use crate::actor::memory_actor::MemoryActor;
use crate::actor::memory_answer::{MemoryAnswer, QueryRecord, returned};
use crate::actor::message::{Message, RecordCondition, RecordMessage, Recorded};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::Returned;

/// Times that others may change the memories between ranking and record.
const TRIES: usize = 64;

/// A query, and how to record it.
pub(super) struct RecordedQuery {
    pub(super) query: Query,
    pub(super) query_record: QueryRecord,
    pub(super) strict: bool,
}

/// Ranks several memories as one, without a record.
pub(super) async fn ranked_over(
    engine: &Engine,
    keys: &[MemoryKey],
    query: &Query,
) -> EngineResult<Retrieved> {
    let actors = keys.iter().map(|key| engine.actor(key)).collect();
    let ranked = SeveralMemories { actors }.ranked(query).await?;
    Ok(Retrieved::from_several(&ranked, query.top_k, &[]))
}

/// Ranks several memories as one, then records in each its share of the answer.
pub(super) async fn retrieve_over(
    engine: &Engine,
    keys: &[MemoryKey],
    recorded: RecordedQuery,
) -> EngineResult<Retrieved> {
    let actors = keys.iter().map(|key| engine.actor(key)).collect();
    SeveralMemories { actors }.retrieve(recorded).await
}

struct SeveralMemories {
    actors: Vec<Arc<MemoryActor>>,
}

impl SeveralMemories {
    async fn ranked(&self, query: &Query) -> EngineResult<Vec<Ranked>> {
        let mut ranked = Vec::new();
        for actor in &self.actors {
            let answer = actor.memory.rank_latest(query).await?;
            ranked.push((actor.memory.key.clone(), answer));
        }
        Ok(ranked)
    }

    async fn retrieve(self, recorded: RecordedQuery) -> EngineResult<Retrieved> {
        let mut tries = TRIES;
        let query = &recorded.query;
        let mut ranked = self.ranked(query).await?;
        let mut joined = recorded.join(&ranked, &[]);
        let mut settled: Vec<&str> = Vec::new();
        let mut ticks = Vec::new();
        for (at, actor) in self.actors.iter().enumerate() {
            let tick = loop {
                match recorded.record(actor, &ranked[at].1, &joined).await? {
                    Recorded::Tick(tick) => break tick,
                    Recorded::Moved => spend(&mut tries, &actor.memory.key)?,
                }
                if settled.is_empty() {
                    ranked = self.ranked(query).await?;
                } else {
                    ranked[at].1 = actor.memory.rank_latest(query).await?;
                }
                joined = recorded.join(&ranked, &settled);
            };
            ticks.push(tick);
            // The memory has its tick, so its share of the answer is settled.
            let share = joined.bullets_of(&actor.memory.key);
            let share: Vec<BulletId> = share.map(|one| one.bullet.id).collect();
            ranked[at].1.keep_bullets(&share);
            settled.push(actor.memory.key.scope());
        }
        let is_recorded = ticks.iter().any(Option::is_some);
        for (memory, tick) in joined.memories.iter_mut().zip(ticks) {
            memory.tick = tick;
        }
        joined.retrieval = is_recorded.then_some(recorded.query_record.id);
        Ok(joined)
    }
}

impl RecordedQuery {
    /// The answer of all. A prompt holds the best of all memories, so a budget is spent over all.
    fn join(&self, ranked: &[Ranked], settled: &[&str]) -> Retrieved {
        let mut joined = Retrieved::from_several(ranked, self.query.top_k, settled);
        let record = &self.query_record;
        joined.fit(Some(&record.id), record.fit.as_ref(), settled);
        joined
    }

    /// Records the share of one memory in the answer; no tick if it has none, or there is no memory.
    async fn record(
        &self,
        actor: &Arc<MemoryActor>,
        answer: &MemoryAnswer,
        joined: &Retrieved,
    ) -> EngineResult<Recorded> {
        let chosen = || joined.bullets_of(&actor.memory.key);
        let hits: Vec<Returned> = chosen()
            .map(|one| returned(&one.hit, self.query_record.inject))
            .collect();
        if hits.is_empty() {
            return Ok(Recorded::Tick(None));
        }
        let record = self
            .query_record
            .record_returned(answer, hits, actor.memory.context.now());
        let condition = if self.strict {
            RecordCondition::SameClock
        } else {
            RecordCondition::SameRevision
        };
        let message = |reply| {
            Message::Record(Box::new(RecordMessage {
                record,
                incarnation: answer.incarnation.clone(),
                condition,
                reply: Some(reply),
                result: Recorded::Moved,
            }))
        };
        let result = actor.ask(message).await?;
        if let Recorded::Tick(Some(_)) = result {
            let bullets = chosen().map(|one| &one.bullet);
            let log = actor.memory.content_log();
            log.retrieved(&self.query_record.query, bullets);
        }
        Ok(result)
    }
}

/// Uses up one of the tries.
fn spend(tries: &mut usize, key: &MemoryKey) -> EngineResult<()> {
    let left = tries.checked_sub(1);
    *tries = left.ok_or_else(|| EngineError::Contended(key.clone()))?;
    Ok(())
}
