//! A retrieval over two memories of a learner: the one named by the request, and the one shared by all
//! scopes.
//!
//! They are ranked as one, and each that returned something takes its own tick. A memory is recorded only at
//! the revision at which it was ranked (if strict, at the clock as well); otherwise it is ranked again. The
//! two are never written in one transaction: once the first has its tick, its share of the answer is settled,
//! and a shared memory that moved meanwhile fills the remaining places.

use std::sync::Arc;

use super::Retrieved;
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

/// Ranks two memories as one, then records in each its share of the answer.
pub(super) async fn retrieve_over_two(
    engine: &Engine,
    key: &MemoryKey,
    recorded: RecordedQuery,
) -> EngineResult<Retrieved> {
    let own = engine.actor(key);
    let shared = engine.actor(&key.shared());
    let two = TwoMemories {
        own,
        shared,
        recorded,
    };
    two.retrieve().await
}

struct TwoMemories {
    own: Arc<MemoryActor>,
    shared: Arc<MemoryActor>,
    recorded: RecordedQuery,
}

impl TwoMemories {
    async fn retrieve(self) -> EngineResult<Retrieved> {
        let mut tries = TRIES;
        let query = self.recorded.query.clone();
        let (mut own, mut shared, mut joined, own_tick) = loop {
            let own = self.own.memory.rank_latest(&query).await?;
            let shared = self.shared.memory.rank_latest(&query).await?;
            let joined = self.join(&own, &shared, None);
            match self.record(&self.own, &own, &joined).await? {
                Recorded::Tick(tick) => break (own, shared, joined, tick),
                Recorded::Moved => spend(&mut tries, &self.own.memory.key)?,
            }
        };
        // The first memory has its tick, so its share of the answer is settled.
        let settled = joined.bullets_of(&self.own.memory.key);
        let settled: Vec<BulletId> = settled.map(|one| one.bullet.id).collect();
        own.keep_bullets(&settled);
        let shared_tick = loop {
            match self.record(&self.shared, &shared, &joined).await? {
                Recorded::Tick(tick) => break tick,
                Recorded::Moved => spend(&mut tries, &self.shared.memory.key)?,
            }
            shared = self.shared.memory.rank_latest(&query).await?;
            // The settled share keeps its places, so the other memory fills only the rest.
            shared.truncate(query.top_k.saturating_sub(settled.len()));
            joined = self.join(&own, &shared, Some(self.own.memory.key.scope()));
        };
        for (memory, tick) in joined.memories.iter_mut().zip([own_tick, shared_tick]) {
            memory.tick = tick;
        }
        let is_recorded = own_tick.or(shared_tick).is_some();
        let id = self.recorded.query_record.id;
        joined.retrieval = is_recorded.then_some(id);
        Ok(joined)
    }

    /// The answer of both. A prompt holds the best of both memories, so a budget is spent over both.
    fn join(&self, own: &MemoryAnswer, shared: &MemoryAnswer, settled: Option<&str>) -> Retrieved {
        let top_k = self.recorded.query.top_k;
        let key = &self.own.memory.key;
        // Cloned, because a further round joins the same answer again.
        let mut joined = Retrieved::from_two(key, own.clone(), shared.clone(), top_k);
        let record = &self.recorded.query_record;
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
        let RecordedQuery {
            query_record,
            strict,
            ..
        } = &self.recorded;
        let hits: Vec<Returned> = chosen()
            .map(|one| returned(&one.hit, query_record.inject))
            .collect();
        if hits.is_empty() {
            return Ok(Recorded::Tick(None));
        }
        let record = query_record.record_returned(answer, hits, actor.memory.context.now());
        let condition = if *strict {
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
            log.retrieved(&query_record.query, bullets);
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
