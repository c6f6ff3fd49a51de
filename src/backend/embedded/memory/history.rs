//! The history part of the contract.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::events::{
    delta_at, delta_columns, find_retrieval, read_change, read_delta, read_retrieval, retrieval_at,
    retrieval_columns, with_changes, with_returned,
};
use super::{checkpoint, folded, state};
use crate::EmbeddedStore;
use crate::error::{Failure, Result};
use crate::rows::{Id, StoredDelta, Whole};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    Checkpoint, DeltaPage, DeltaRecord, EventRecord, FoldOrder, HistoryStore, LaterChange,
    RetrievalRecord, StoreResult, Usage,
};

#[async_trait]
impl HistoryStore for EmbeddedStore {
    async fn deltas(&self, key: &MemoryKey, page: DeltaPage) -> StoreResult<Vec<DeltaRecord>> {
        self.read_memory("deltas", key, move |tx, memory| deltas(tx, memory, page))
            .await
    }

    async fn delta(&self, key: &MemoryKey, id: &DeltaId) -> StoreResult<Option<DeltaRecord>> {
        let id = id.clone();
        self.read_memory("delta", key, move |tx, memory| {
            tx.prepare_cached(concat!(
                "SELECT ",
                delta_columns!(),
                " FROM deltas WHERE memory = ?1 AND id = ?2"
            ))?
            .query_row(params![memory, id.as_str()], read_delta)
            .optional()?
            .map(|delta| with_changes(tx, memory, delta))
            .transpose()
        })
        .await
    }

    async fn later_changes(
        &self,
        key: &MemoryKey,
        revision: u64,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<LaterChange>> {
        let bullets: BTreeSet<BulletId> = bullets.iter().copied().collect();
        self.read_memory("later_changes", key, move |tx, memory| {
            later_changes(tx, memory, revision, &bullets)
        })
        .await
    }

    async fn events(
        &self,
        key: &MemoryKey,
        tick: u64,
        limit: usize,
    ) -> StoreResult<Vec<EventRecord>> {
        self.read_memory("events", key, move |tx, memory| {
            events(tx, memory, tick, limit)
        })
        .await
    }

    async fn retrieval(&self, key: &MemoryKey, id: &str) -> StoreResult<Option<RetrievalRecord>> {
        let id = id.to_owned();
        self.read_memory("retrieval", key, move |tx, memory| {
            find_retrieval(tx, memory, &id)
        })
        .await
    }

    async fn retrievals(
        &self,
        key: &MemoryKey,
        below_tick: Option<u64>,
        limit: usize,
    ) -> StoreResult<Vec<RetrievalRecord>> {
        self.read_memory("retrievals", key, move |tx, memory| {
            let mut statement = tx.prepare_cached(concat!(
                "SELECT ",
                retrieval_columns!(),
                " FROM retrievals WHERE memory = ?1 AND tick < ?2 ORDER BY tick DESC LIMIT ?3"
            ))?;
            let bounds = params![memory, bound(below_tick), count(limit)];
            let rows = statement.query_map(bounds, read_retrieval)?;
            rows.map(|row| with_returned(tx, memory, row?)).collect()
        })
        .await
    }

    async fn usage(
        &self,
        key: &MemoryKey,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<(BulletId, Usage)>> {
        let bullets: BTreeSet<BulletId> = bullets.iter().copied().collect();
        self.read_memory("usage", key, move |tx, memory| {
            let mut usage = compacted(tx, memory)?;
            add_live(tx, memory, &mut usage)?;
            usage.retain(|bullet, _| bullets.is_empty() || bullets.contains(bullet));
            Ok(usage.into_iter().collect())
        })
        .await
    }

    async fn checkpoint(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<Checkpoint>> {
        self.read_memory("checkpoint", key, move |tx, memory| {
            checkpoint::newest(tx, memory, clock)
        })
        .await
    }

    async fn compact(&self, key: &MemoryKey, checkpoint: Checkpoint) -> StoreResult<u64> {
        let key = key.clone();
        self.write("compact", move |tx| compact(tx, &key, &checkpoint))
            .await
    }

    async fn fold_deltas(
        &self,
        key: &MemoryKey,
        incarnation: &str,
        order: FoldOrder,
    ) -> StoreResult<u64> {
        let (key, incarnation) = (key.clone(), incarnation.to_owned());
        self.write("fold", move |tx| match state::place(tx, &key)? {
            Some((memory, now)) if now.incarnation == incarnation => {
                folded::fold(tx, memory, order)
            }
            _ => Ok(0),
        })
        .await
    }
}

impl EmbeddedStore {
    /// Reads from one memory; a missing memory reads as empty.
    async fn read_memory<T, F>(
        &self,
        operation: &'static str,
        key: &MemoryKey,
        work: F,
    ) -> StoreResult<T>
    where
        T: Default + Send + 'static,
        F: FnOnce(&Transaction<'_>, i64) -> Result<T> + Send + 'static,
    {
        let key = key.clone();
        self.read(operation, move |tx| match state::find(tx, &key)? {
            Some(found) => work(tx, found.memory),
            None => Ok(T::default()),
        })
        .await
    }
}

/// An exclusive upper bound as a signed integer; `None` is above everything.
fn bound(below: Option<u64>) -> i64 {
    below.map_or(i64::MAX, |value| i64::try_from(value).unwrap_or(i64::MAX))
}

fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn deltas(tx: &Transaction<'_>, memory: i64, page: DeltaPage) -> Result<Vec<DeltaRecord>> {
    let mut statement = tx.prepare_cached(concat!(
        "SELECT ",
        delta_columns!(),
        " FROM deltas WHERE memory = ?1 AND revision < ?2 ORDER BY revision DESC LIMIT ?3"
    ))?;
    let bounds = params![memory, bound(page.below_revision), count(page.limit)];
    let rows = statement.query_map(bounds, read_delta)?;
    rows.map(|row| with_changes(tx, memory, row?)).collect()
}

fn later_changes(
    tx: &Transaction<'_>,
    memory: i64,
    revision: u64,
    bullets: &BTreeSet<BulletId>,
) -> Result<Vec<LaterChange>> {
    let mut statement = tx.prepare_cached(
        "SELECT d.id, d.revision, c.bullet, c.kind, c.fields, c.helpful, c.harmful, c.neutral,
             c.before
         FROM delta_changes c JOIN deltas d ON d.memory = c.memory AND d.revision = c.revision
         WHERE c.memory = ?1 AND c.bullet = ?2 AND c.revision > ?3",
    )?;
    let later = |row: &Row<'_>| {
        Ok(LaterChange {
            delta: row.get::<_, StoredDelta>(0)?.0,
            revision: row.get::<_, Whole>(1)?.0,
            change: read_change(row, 2)?,
        })
    };
    let mut changes: Vec<LaterChange> = Vec::new();
    for bullet in bullets {
        let rows = statement.query_map(params![memory, Id(*bullet), Whole(revision)], later)?;
        for row in rows {
            changes.push(row?);
        }
    }
    changes.sort_by_key(|later| (later.revision, later.change.bullet));
    Ok(changes)
}

/// Reads events after a tick, ascending. Ticks are chosen first and records read afterwards, so that a page never reads
/// more bodies than it returns.
pub(crate) fn events(
    tx: &Transaction<'_>,
    memory: i64,
    tick: u64,
    limit: usize,
) -> Result<Vec<EventRecord>> {
    let mut statement = tx.prepare_cached(
        "SELECT tick, 1 FROM deltas WHERE memory = ?1 AND tick > ?2
         UNION ALL
         SELECT tick, 0 FROM retrievals WHERE memory = ?1 AND tick > ?2
         ORDER BY tick LIMIT ?3",
    )?;
    let chosen = statement.query_map(params![memory, bound(Some(tick)), count(limit)], |row| {
        Ok((row.get::<_, Whole>(0)?.0, row.get::<_, bool>(1)?))
    })?;
    let mut events = Vec::new();
    for choice in chosen {
        let (tick, is_delta) = choice?;
        events.push(if is_delta {
            EventRecord::Delta(Box::new(delta_at(tx, memory, tick)?))
        } else {
            EventRecord::Retrieval(retrieval_at(tx, memory, tick)?)
        });
    }
    Ok(events)
}

/// Reads the usage counts of compacted records.
pub(crate) fn compacted(tx: &Transaction<'_>, memory: i64) -> Result<BTreeMap<BulletId, Usage>> {
    let mut statement = tx.prepare_cached(
        "SELECT bullet, retrieved, injected, used, helped, harmed, ignored
         FROM usage WHERE memory = ?1",
    )?;
    let rows = statement.query_map([memory], |row| {
        let number = |column| row.get::<_, Whole>(column).map(|whole| whole.0);
        let usage = Usage {
            retrieved: number(1)?,
            injected: number(2)?,
            used: number(3)?,
            helped: number(4)?,
            harmed: number(5)?,
            ignored: number(6)?,
        };
        Ok((row.get::<_, Id>(0)?.0, usage))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Adds the counts of the records that are not compacted.
fn add_live(
    tx: &Transaction<'_>,
    memory: i64,
    usage: &mut BTreeMap<BulletId, Usage>,
) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "SELECT bullet, injected, used, helped, harmed, ignored FROM returned WHERE memory = ?1",
    )?;
    let mut rows = statement.query([memory])?;
    while let Some(row) = rows.next()? {
        let mark = |column| row.get::<_, bool>(column).map(u64::from);
        let counted = usage.entry(row.get::<_, Id>(0)?.0).or_default();
        counted.retrieved += 1;
        counted.injected += mark(1)?;
        counted.used += mark(2)?;
        counted.helped += mark(3)?;
        counted.harmed += mark(4)?;
        counted.ignored += mark(5)?;
    }
    Ok(())
}

fn compact(tx: &Transaction<'_>, key: &MemoryKey, checkpoint: &Checkpoint) -> Result<u64> {
    let of = &checkpoint.state.head.position;
    // A memory before its checkpoint was restored from a backup meanwhile.
    let found = state::find(tx, key)?.filter(|found| {
        let now = &found.head.position;
        now.incarnation == of.incarnation && of.clock <= now.clock && of.revision <= now.revision
    });
    let Some(found) = found else {
        return Err(Failure::Refused(format!(
            "the checkpoint at clock {} is not of the memory that is there; take a new one",
            of.clock
        )));
    };
    checkpoint::put(tx, found.memory, checkpoint)?;
    checkpoint::thin_out(tx, found.memory)?;
    let upto = params![found.memory, Whole(of.clock)];
    tx.prepare_cached(
        "INSERT INTO usage (memory, bullet, retrieved, injected, used, helped, harmed, ignored)
         SELECT memory, bullet, count(*), sum(injected), sum(used), sum(helped), sum(harmed),
             sum(ignored)
         FROM returned WHERE memory = ?1 AND tick <= ?2 GROUP BY bullet
         ON CONFLICT (memory, bullet) DO UPDATE SET retrieved = retrieved + excluded.retrieved,
             injected = injected + excluded.injected, used = used + excluded.used,
             helped = helped + excluded.helped, harmed = harmed + excluded.harmed,
             ignored = ignored + excluded.ignored",
    )?
    .execute(upto)?;
    tx.prepare_cached("DELETE FROM returned WHERE memory = ?1 AND tick <= ?2")?
        .execute(upto)?;
    let gone = tx
        .prepare_cached("DELETE FROM retrievals WHERE memory = ?1 AND tick <= ?2")?
        .execute(upto)?;
    Ok(gone as u64)
}
