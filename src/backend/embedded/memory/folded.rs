//! Folding deltas: their rows go, and their marks stay.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::Result;
use crate::rows::{Moment, StoredDelta, Whole};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::memory::StoredReceipt;
use hindlore_store::{FoldOrder, FoldedDelta};

/// Folds the oldest deltas of an order; returns how many.
pub(super) fn fold(tx: &Transaction<'_>, memory: i64, order: FoldOrder) -> Result<u64> {
    let deltas = oldest(tx, memory, order)?;
    let pairs = deltas.iter().map(|(_, id, digest)| (id, digest.as_str()));
    put_marks(tx, memory, &FoldedDelta::marks(pairs))?;
    // Their changes go with them.
    let mut delete = tx.prepare_cached("DELETE FROM deltas WHERE memory = ?1 AND revision = ?2")?;
    for (revision, ..) in &deltas {
        delete.execute(params![memory, Whole(*revision)])?;
    }
    Ok(deltas.len() as u64)
}

/// Reads revision, id and body digest of the oldest deltas of an order, up to the first that is too young.
fn oldest(
    tx: &Transaction<'_>,
    memory: i64,
    order: FoldOrder,
) -> Result<Vec<(u64, DeltaId, String)>> {
    let mut statement = tx.prepare_cached(
        "SELECT revision, id, body_digest, at FROM deltas
         WHERE memory = ?1 AND revision BETWEEN 1 AND ?2 ORDER BY revision LIMIT ?3",
    )?;
    let limit = i64::try_from(order.limit).unwrap_or(i64::MAX);
    let bounds = params![memory, Whole(order.revision), limit];
    let rows = statement.query_map(bounds, |row| {
        let delta = (
            row.get::<_, Whole>(0)?.0,
            row.get::<_, StoredDelta>(1)?.0,
            row.get(2)?,
        );
        Ok((delta, row.get::<_, Moment>(3)?.0))
    })?;
    let is_old = |row: &rusqlite::Result<(_, Timestamp)>| {
        row.as_ref().map_or(true, |(_, at)| *at < order.before)
    };
    let old = rows.take_while(is_old).map(|row| Ok(row?.0));
    old.collect()
}

/// The mark of a delta as a receipt; absent if it is not folded.
pub(super) fn receipt(
    tx: &Transaction<'_>,
    memory: i64,
    delta: &DeltaId,
) -> Result<Option<StoredReceipt>> {
    let place = FoldedDelta::of(delta);
    let bucket: Option<String> = tx
        .prepare_cached("SELECT marks FROM folded_deltas WHERE memory = ?1 AND bucket = ?2")?
        .query_row(params![memory, place.bucket], |row| row.get(0))
        .optional()?;
    let body_digest = bucket.and_then(|bucket| place.body_digest(&bucket));
    Ok(body_digest.map(|body_digest| StoredReceipt {
        delta: delta.clone(),
        body_digest,
        receipt: None,
    }))
}

/// Appends marks to their buckets.
pub(crate) fn put_marks(
    tx: &Transaction<'_>,
    memory: i64,
    marks: &BTreeMap<u8, String>,
) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO folded_deltas (memory, bucket, marks) VALUES (?1, ?2, ?3)
         ON CONFLICT DO UPDATE SET marks = marks || excluded.marks",
    )?;
    for (bucket, marks) in marks {
        statement.execute(params![memory, bucket, marks])?;
    }
    Ok(())
}

/// Reads all marks by bucket.
pub(crate) fn all(tx: &Transaction<'_>, memory: i64) -> Result<Vec<(u8, String)>> {
    let mut statement = tx.prepare_cached(
        "SELECT bucket, marks FROM folded_deltas WHERE memory = ?1 ORDER BY bucket",
    )?;
    let rows = statement.query_map([memory], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
