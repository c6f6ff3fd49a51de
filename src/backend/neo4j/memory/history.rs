//! The history part of the contract.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use neo4rs::Row;

use super::bullets::{keys, parsed};
use super::checkpoint;
use super::events::{
    ChangeRow, DeltaProperties, RetrievalProperties, ReturnedRow, delta_id, delta_key,
    retrieval_key,
};
use super::folded::Fold;
use super::state::{self, Access};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bound, count, memory_key};
use crate::bolt::work::{Task, send};
use crate::error::Result;
use crate::statements::{
    COMPACTED, DELTA, DELTAS, EVENTS, LATER_CHANGES, RETRIEVAL, RETRIEVALS, Statement, USAGE,
    USAGE_OF,
};
use crate::store::Neo4jStore;
use crate::upkeep::by_hand::Mended;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    Checkpoint, DeltaPage, DeltaRecord, EventRecord, FoldOrder, Head, HistoryStore, LaterChange,
    RetrievalRecord, StoreResult, Usage,
};

#[async_trait]
impl HistoryStore for Neo4jStore {
    async fn deltas(&self, key: &MemoryKey, page: DeltaPage) -> StoreResult<Vec<DeltaRecord>> {
        let asked = Map::new()
            .with("memory", memory_key(key))
            .with("below", bound(page.below_revision.unwrap_or(u64::MAX)))
            .with("limit", count(page.limit));
        let read = self.ask_held("deltas", key, DELTAS, asked).await?;
        self.each("deltas", &read, delta_of)
    }

    async fn delta(&self, key: &MemoryKey, id: &DeltaId) -> StoreResult<Option<DeltaRecord>> {
        let asked = Map::new().with("delta", delta_key(&memory_key(key), id));
        let read = self.ask_held("delta", key, DELTA, asked).await?;
        Ok(self.each("delta", &read, delta_of)?.pop())
    }

    async fn later_changes(
        &self,
        key: &MemoryKey,
        revision: u64,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<LaterChange>> {
        let asked = Map::new()
            .with("revision", bound(revision))
            .texts("bullets", keys(&memory_key(key), bullets));
        let operation = "later_changes";
        let read = self.ask_held(operation, key, LATER_CHANGES, asked).await?;
        let mut changes = self.each(operation, &read, later_of)?;
        changes.sort_by_key(|later| (later.revision, later.change.bullet));
        Ok(changes)
    }

    async fn events(
        &self,
        key: &MemoryKey,
        tick: u64,
        limit: usize,
    ) -> StoreResult<Vec<EventRecord>> {
        let operation = "events";
        let Some(head) = self.committed(operation, key).await? else {
            return Ok(Vec::new());
        };
        // Events up to this clock are committed and never change, so the page needs no lock.
        let asked = Map::new()
            .with("memory", memory_key(key))
            .with("tick", bound(tick))
            .with("clock", bound(head.position.clock))
            .with("limit", count(limit));
        let read = send(&self.executor, EVENTS, asked).await;
        let read = read.map_err(|failure| self.store_error(operation, failure))?;
        self.each(operation, &read, event_of)
    }

    async fn retrieval(&self, key: &MemoryKey, id: &str) -> StoreResult<Option<RetrievalRecord>> {
        let asked = Map::new().with("retrieval", retrieval_key(&memory_key(key), id));
        let read = self.ask_held("retrieval", key, RETRIEVAL, asked).await?;
        Ok(self.each("retrieval", &read, retrieval_of)?.pop())
    }

    async fn retrievals(
        &self,
        key: &MemoryKey,
        below_tick: Option<u64>,
        limit: usize,
    ) -> StoreResult<Vec<RetrievalRecord>> {
        let asked = Map::new()
            .with("memory", memory_key(key))
            .with("below", bound(below_tick.unwrap_or(u64::MAX)))
            .with("limit", count(limit));
        let read = self.ask_held("retrievals", key, RETRIEVALS, asked).await?;
        self.each("retrievals", &read, retrieval_of)
    }

    async fn usage(
        &self,
        key: &MemoryKey,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<(BulletId, Usage)>> {
        let task = |access| CountUsage {
            memory: memory_key(key),
            access,
            bullets: bullets.iter().copied().collect(),
        };
        self.look_with("usage", task).await
    }

    async fn checkpoint(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<Checkpoint>> {
        let task = |access| NewestCheckpoint {
            memory: memory_key(key),
            access,
            clock: bound(clock),
        };
        self.look_with("checkpoint", task).await
    }

    async fn compact(&self, key: &MemoryKey, checkpoint: Checkpoint) -> StoreResult<u64> {
        self.compact_up_to(key, checkpoint).await
    }

    async fn fold_deltas(
        &self,
        key: &MemoryKey,
        incarnation: &str,
        order: FoldOrder,
    ) -> StoreResult<u64> {
        let task = Fold {
            key: key.clone(),
            incarnation: incarnation.to_owned(),
            order,
        };
        self.write("fold", task).await
    }
}

impl Neo4jStore {
    /// Reads the records of a memory; a missing memory reads as empty. The lock is held for a moment before, so that
    /// the current writer has committed, and not while the answer is on its way: records do not change any more.
    async fn ask_held(
        &self,
        operation: &'static str,
        key: &MemoryKey,
        statement: Statement,
        parameters: Map,
    ) -> StoreResult<Vec<Row>> {
        if self.committed(operation, key).await?.is_none() {
            return Ok(Vec::new());
        }
        let read = send(&self.executor, statement, parameters).await;
        read.map_err(|failure| self.store_error(operation, failure))
    }

    /// The head of a memory once its current writer has committed; `None` for a missing one. In a transaction: alone, the
    /// driver would repeat the statement for half a minute where a member of a cluster does not lead.
    pub(super) async fn committed(
        &self,
        operation: &'static str,
        key: &MemoryKey,
    ) -> StoreResult<Option<Head>> {
        let stands = |access| Standing {
            memory: memory_key(key),
            access,
        };
        self.look_with(operation, stands).await
    }

    fn each<T>(
        &self,
        operation: &'static str,
        rows: &[Row],
        read: impl Fn(&Row) -> Result<T>,
    ) -> StoreResult<Vec<T>> {
        let read = rows.iter().map(read).collect::<Result<_>>();
        read.map_err(|failure| self.store_error(operation, failure))
    }
}

/// Reads the newest checkpoint at or below a clock.
struct NewestCheckpoint {
    memory: String,
    access: Access,
    clock: i64,
}

#[async_trait]
impl Task for NewestCheckpoint {
    type Output = Option<Checkpoint>;

    async fn attempt(
        &mut self,
        tx: &mut Transaction,
        _was_lost: bool,
    ) -> Result<Option<Checkpoint>> {
        match state::hold(tx, self.access, &self.memory).await? {
            Some(_) => Ok(checkpoint::read(tx, &self.memory, self.clock, 1)
                .await?
                .pop()),
            None => Ok(None),
        }
    }
}

/// Reads the head of a memory under its lock, so after the current writer has committed.
struct Standing {
    memory: String,
    access: Access,
}

#[async_trait]
impl Task for Standing {
    type Output = Option<Head>;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Option<Head>> {
        state::hold(tx, self.access, &self.memory).await
    }
}

pub(crate) fn delta_of(row: &Row) -> Result<DeltaRecord> {
    let Mended(delta) = row.get::<Mended<DeltaProperties>>("delta")?;
    delta.into_delta(row.get("changes")?)
}

fn retrieval_of(row: &Row) -> Result<RetrievalRecord> {
    let Mended(retrieval) = row.get::<Mended<RetrievalProperties>>("event")?;
    retrieval.into_retrieval(row.get::<Vec<ReturnedRow>>("returned")?)
}

/// Reads an event of either kind.
pub(crate) fn event_of(row: &Row) -> Result<EventRecord> {
    if !row.get::<bool>("is_delta")? {
        return Ok(EventRecord::Retrieval(retrieval_of(row)?));
    }
    let Mended(delta) = row.get::<Mended<DeltaProperties>>("event")?;
    let delta = delta.into_delta(row.get("changes")?)?;
    Ok(EventRecord::Delta(Box::new(delta)))
}

fn later_of(row: &Row) -> Result<LaterChange> {
    let change = ChangeRow {
        bullet: row.get("bullet")?,
        kind: row.get("kind")?,
        change: row.get("change")?,
    };
    Ok(LaterChange {
        delta: delta_id(&row.get::<String>("delta")?)?,
        revision: row.get("revision")?,
        change: change.into_change()?,
    })
}

struct CountUsage {
    memory: String,
    access: Access,
    bullets: BTreeSet<BulletId>,
}

#[async_trait]
impl Task for CountUsage {
    type Output = Vec<(BulletId, Usage)>;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Self::Output> {
        if state::hold(tx, self.access, &self.memory).await?.is_none() {
            return Ok(Vec::new());
        }
        let of_memory = || Map::new().with("memory", self.memory.as_str());
        let named: Vec<BulletId> = self.bullets.iter().copied().collect();
        let live = if named.is_empty() {
            tx.query(USAGE, of_memory()).await?
        } else {
            let of = Map::new().texts("bullets", keys(&self.memory, &named));
            tx.query(USAGE_OF, of).await?
        };
        let mut usage = compacted(tx, &self.memory).await?;
        for row in &live {
            let (bullet, more) = usage_of(row)?;
            let counted = usage.entry(bullet).or_default();
            counted.retrieved += more.retrieved;
            counted.injected += more.injected;
            counted.used += more.used;
            counted.helped += more.helped;
            counted.harmed += more.harmed;
            counted.ignored += more.ignored;
        }
        // Compacted counts are read for the whole memory, so those of other bullets are left out here.
        usage.retain(|bullet, _| named.is_empty() || self.bullets.contains(bullet));
        Ok(usage.into_iter().collect())
    }
}

/// Reads the usage counts of compacted records.
pub(crate) async fn compacted(
    tx: &mut Transaction,
    memory: &str,
) -> Result<BTreeMap<BulletId, Usage>> {
    let rows = tx
        .query(COMPACTED, Map::new().with("memory", memory))
        .await?;
    rows.iter().map(usage_of).collect()
}

fn usage_of(row: &Row) -> Result<(BulletId, Usage)> {
    let usage = Usage {
        retrieved: row.get("retrieved")?,
        injected: row.get("injected")?,
        used: row.get("used")?,
        helped: row.get("helped")?,
        harmed: row.get("harmed")?,
        ignored: row.get("ignored")?,
    };
    Ok((parsed(&row.get::<String>("bullet")?)?, usage))
}
