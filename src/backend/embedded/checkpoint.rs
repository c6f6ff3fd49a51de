//! Checkpoints as rows, in the form that the contract keeps for all backends.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::error::{Failure, Work};
use super::rows::{Whole, unwritable};
use crate::store::{CHECKPOINTS_KEPT, Checkpoint, CheckpointForm};

/// Writes a checkpoint, in place of one at the same clock.
pub(super) fn put(tx: &Transaction<'_>, memory: i64, checkpoint: &Checkpoint) -> Work<()> {
    let form = CheckpointForm::of(checkpoint).map_err(unwritable)?;
    tx.prepare_cached(
        "INSERT INTO checkpoints (memory, clock, digest, head, links, bullets)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (memory, clock) DO UPDATE SET digest = excluded.digest, head = excluded.head,
             links = excluded.links, bullets = excluded.bullets",
    )?
    .execute(params![
        memory,
        Whole(checkpoint.state.head.position.clock),
        form.digest,
        form.head,
        form.links,
        form.bullets,
    ])?;
    Ok(())
}

/// Deletes all checkpoints of a memory but the newest [`CHECKPOINTS_KEPT`].
pub(super) fn thin_out(tx: &Transaction<'_>, memory: i64) -> Work<()> {
    tx.prepare_cached(
        "DELETE FROM checkpoints WHERE memory = ?1 AND clock NOT IN (
            SELECT clock FROM checkpoints WHERE memory = ?1 ORDER BY clock DESC LIMIT ?2)",
    )?
    .execute(params![memory, CHECKPOINTS_KEPT])?;
    Ok(())
}

/// Reads the newest checkpoint at or below `clock`.
pub(super) fn newest(tx: &Transaction<'_>, memory: i64, clock: u64) -> Work<Option<Checkpoint>> {
    // A bound above every clock is a way to ask for the newest of all.
    let clock = clock.min(i64::MAX as u64);
    tx.prepare_cached(
        "SELECT digest, head, links, bullets FROM checkpoints
         WHERE memory = ?1 AND clock <= ?2 ORDER BY clock DESC LIMIT 1",
    )?
    .query_row(params![memory, Whole(clock)], form)
    .optional()?
    .map(checkpoint_of)
    .transpose()
}

/// Reads all checkpoints, ascending by clock.
pub(super) fn all(tx: &Transaction<'_>, memory: i64) -> Work<Vec<Checkpoint>> {
    let mut statement = tx.prepare_cached(
        "SELECT digest, head, links, bullets FROM checkpoints WHERE memory = ?1 ORDER BY clock",
    )?;
    let rows = statement.query_map([memory], form)?;
    rows.map(|row| checkpoint_of(row?)).collect()
}

fn form(row: &Row<'_>) -> rusqlite::Result<CheckpointForm> {
    Ok(CheckpointForm {
        digest: row.get(0)?,
        head: row.get(1)?,
        links: row.get(2)?,
        bullets: row.get(3)?,
    })
}

fn checkpoint_of(form: CheckpointForm) -> Work<Checkpoint> {
    form.into_checkpoint().map_err(Failure::Damaged)
}
