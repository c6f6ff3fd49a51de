//! Deltas and retrievals as rows.

use std::sync::Arc;

use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::error::Result;
use crate::rows::{Id, Json, Moment, StoredDelta, Whole, Word, unwritable};
use hindlore_domain::memory::delta::{CountChange, Origin};
use hindlore_domain::memory::receipt::ChangeRecord;
use hindlore_store::form::compact;
use hindlore_store::{DeltaRecord, RetrievalRecord, Returned};

/// The columns of a delta in the order of [`read_delta`].
macro_rules! delta_columns {
    () => {
        "id, tick, revision, at, author, instance, engine_version, reasoning, body_digest, \
         policy_before, receipt, body"
    };
}
pub(super) use delta_columns;

/// The columns of a retrieval in the order of [`read_retrieval`].
macro_rules! retrieval_columns {
    () => {
        "id, tick, revision, ranked_at, at, profile, query, parameters"
    };
}
pub(super) use retrieval_columns;

/// Writes a delta with its changes.
pub(crate) fn write_delta(tx: &Transaction<'_>, memory: i64, delta: &DeltaRecord) -> Result<()> {
    tx.prepare_cached(concat!(
        "INSERT INTO deltas (",
        delta_columns!(),
        ", memory) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
    ))?
    .execute(params![
        delta.id.as_str(),
        Whole(delta.tick),
        Whole(delta.revision),
        Moment(delta.at),
        delta.origin.author,
        delta.origin.instance,
        delta.origin.engine_version,
        delta.reasoning,
        delta.body_digest,
        delta.policy_before.as_ref().map(Json),
        Json(&delta.receipt),
        delta.body,
        memory,
    ])?;
    let mut statement = tx.prepare_cached(
        "INSERT INTO delta_changes (memory, revision, bullet, kind, fields, helpful, harmful,
             neutral, before)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for change in &delta.changes {
        let before = change.before.as_deref().map(compact).transpose();
        let before = before.map_err(unwritable)?;
        statement.execute(params![
            memory,
            Whole(delta.revision),
            Id(change.bullet),
            change.kind.word(),
            change.fields,
            change.counts.helpful,
            change.counts.harmful,
            change.counts.neutral,
            before,
        ])?;
    }
    Ok(())
}

/// Reads a delta from a row, without its changes.
pub(super) fn read_delta(row: &Row<'_>) -> rusqlite::Result<DeltaRecord> {
    Ok(DeltaRecord {
        id: row.get::<_, StoredDelta>(0)?.0,
        tick: row.get::<_, Whole>(1)?.0,
        revision: row.get::<_, Whole>(2)?.0,
        at: row.get::<_, Moment>(3)?.0,
        origin: Origin {
            author: row.get(4)?,
            instance: row.get(5)?,
            engine_version: row.get(6)?,
        },
        reasoning: row.get(7)?,
        body_digest: row.get(8)?,
        policy_before: row.get::<_, Option<Json<_>>>(9)?.map(|json| json.0),
        receipt: row.get::<_, Json<_>>(10)?.0,
        body: Arc::new(row.get(11)?),
        changes: Vec::new(),
    })
}

/// Adds its changes to a delta.
pub(super) fn with_changes(
    tx: &Transaction<'_>,
    memory: i64,
    mut delta: DeltaRecord,
) -> Result<DeltaRecord> {
    delta.changes = tx
        .prepare_cached(
            "SELECT bullet, kind, fields, helpful, harmful, neutral, before
             FROM delta_changes WHERE memory = ?1 AND revision = ?2 ORDER BY bullet",
        )?
        .query_map(params![memory, Whole(delta.revision)], |row| {
            read_change(row, 0)
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(delta)
}

/// Reads a change from the columns bullet, kind, fields, helpful, harmful, neutral, before, starting at `first`.
pub(super) fn read_change(row: &Row<'_>, first: usize) -> rusqlite::Result<ChangeRecord> {
    Ok(ChangeRecord {
        bullet: row.get::<_, Id>(first)?.0,
        kind: row.get::<_, Word<_>>(first + 1)?.0,
        fields: row.get(first + 2)?,
        counts: CountChange {
            helpful: row.get(first + 3)?,
            harmful: row.get(first + 4)?,
            neutral: row.get(first + 5)?,
        },
        before: row.get::<_, Option<Json<_>>>(first + 6)?.map(|json| json.0),
    })
}

/// Writes a retrieval with its returned bullets.
pub(crate) fn write_retrieval(
    tx: &Transaction<'_>,
    memory: i64,
    retrieval: &RetrievalRecord,
) -> Result<()> {
    tx.prepare_cached(concat!(
        "INSERT INTO retrievals (",
        retrieval_columns!(),
        ", memory) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    ))?
    .execute(params![
        retrieval.id,
        Whole(retrieval.tick),
        Whole(retrieval.revision),
        Whole(retrieval.ranked_at),
        Moment(retrieval.at),
        retrieval.profile.word(),
        retrieval.query,
        retrieval.parameters,
        memory,
    ])?;
    let mut statement = tx.prepare_cached(
        "INSERT INTO returned (memory, tick, rank, bullet, score, injected, used, helped, harmed,
             ignored)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for (rank, returned) in (0_u64..).zip(&retrieval.returned) {
        statement.execute(params![
            memory,
            Whole(retrieval.tick),
            Whole(rank),
            Id(returned.bullet),
            returned.score,
            returned.injected,
            returned.used,
            returned.helped,
            returned.harmed,
            returned.ignored,
        ])?;
    }
    Ok(())
}

/// Reads a retrieval from a row, without its returned bullets.
pub(super) fn read_retrieval(row: &Row<'_>) -> rusqlite::Result<RetrievalRecord> {
    Ok(RetrievalRecord {
        id: row.get(0)?,
        tick: row.get::<_, Whole>(1)?.0,
        revision: row.get::<_, Whole>(2)?.0,
        ranked_at: row.get::<_, Whole>(3)?.0,
        at: row.get::<_, Moment>(4)?.0,
        profile: row.get::<_, Word<_>>(5)?.0,
        query: row.get(6)?,
        parameters: row.get(7)?,
        returned: Vec::new(),
    })
}

/// Adds its returned bullets to a retrieval.
pub(super) fn with_returned(
    tx: &Transaction<'_>,
    memory: i64,
    mut retrieval: RetrievalRecord,
) -> Result<RetrievalRecord> {
    let mut statement = tx.prepare_cached(
        "SELECT bullet, score, injected, used, helped, harmed, ignored
         FROM returned WHERE memory = ?1 AND tick = ?2 ORDER BY rank",
    )?;
    let rows = statement.query_map(params![memory, Whole(retrieval.tick)], |row| {
        Ok(Returned {
            bullet: row.get::<_, Id>(0)?.0,
            score: row.get(1)?,
            injected: row.get(2)?,
            used: row.get(3)?,
            helped: row.get(4)?,
            harmed: row.get(5)?,
            ignored: row.get(6)?,
        })
    })?;
    retrieval.returned = rows.collect::<rusqlite::Result<_>>()?;
    Ok(retrieval)
}

/// Reads the delta at a tick.
pub(crate) fn delta_at(tx: &Transaction<'_>, memory: i64, tick: u64) -> Result<DeltaRecord> {
    let delta = tx
        .prepare_cached(concat!(
            "SELECT ",
            delta_columns!(),
            " FROM deltas WHERE memory = ?1 AND tick = ?2"
        ))?
        .query_row(params![memory, Whole(tick)], read_delta)?;
    with_changes(tx, memory, delta)
}

/// Reads the retrieval at a tick.
pub(super) fn retrieval_at(
    tx: &Transaction<'_>,
    memory: i64,
    tick: u64,
) -> Result<RetrievalRecord> {
    let retrieval = tx
        .prepare_cached(concat!(
            "SELECT ",
            retrieval_columns!(),
            " FROM retrievals WHERE memory = ?1 AND tick = ?2"
        ))?
        .query_row(params![memory, Whole(tick)], read_retrieval)?;
    with_returned(tx, memory, retrieval)
}

/// Finds a retrieval by its id.
pub(super) fn find_retrieval(
    tx: &Transaction<'_>,
    memory: i64,
    id: &str,
) -> Result<Option<RetrievalRecord>> {
    tx.prepare_cached(concat!(
        "SELECT ",
        retrieval_columns!(),
        " FROM retrievals WHERE memory = ?1 AND id = ?2"
    ))?
    .query_row(params![memory, id], read_retrieval)
    .optional()?
    .map(|retrieval| with_returned(tx, memory, retrieval))
    .transpose()
}
