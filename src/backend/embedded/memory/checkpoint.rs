//! Checkpoints as rows, in the form that all backends share.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::error::{Failure, Result};
use crate::rows::{Whole, unwritable};
use hindlore_store::{
    CHECKPOINTS_KEPT, Checkpoint, CheckpointForm, CheckpointPiece, CheckpointReader, PIECE_BYTES,
    PiecePart,
};

/// Writes a checkpoint piece by piece, replacing one at the same clock.
pub(crate) fn put(tx: &Transaction<'_>, memory: i64, checkpoint: &Checkpoint) -> Result<()> {
    let form = CheckpointForm::new(checkpoint).map_err(unwritable)?;
    let number: i64 = tx
        .prepare_cached(
            "INSERT INTO checkpoints (memory, clock, digest, head) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (memory, clock) DO UPDATE SET digest = excluded.digest,
                 head = excluded.head
             RETURNING checkpoint",
        )?
        .query_row(
            params![
                memory,
                Whole(checkpoint.state.head.position.clock),
                form.digest,
                form.head,
            ],
            |row| row.get(0),
        )?;
    // The replaced checkpoint may have had more pieces.
    tx.prepare_cached("DELETE FROM checkpoint_pieces WHERE checkpoint = ?1")?
        .execute([number])?;
    let mut statement = tx.prepare_cached(
        "INSERT INTO checkpoint_pieces (memory, checkpoint, piece, part, body)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (at, piece) in (0_i64..).zip(CheckpointPiece::all(checkpoint, PIECE_BYTES)) {
        let piece = piece.map_err(unwritable)?;
        statement.execute(params![memory, number, at, piece.part.word(), piece.body])?;
    }
    Ok(())
}

/// Deletes all but the newest [`CHECKPOINTS_KEPT`] checkpoints of a memory.
pub(super) fn thin_out(tx: &Transaction<'_>, memory: i64) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM checkpoints WHERE memory = ?1 AND clock NOT IN (
            SELECT clock FROM checkpoints WHERE memory = ?1 ORDER BY clock DESC LIMIT ?2)",
    )?
    .execute(params![memory, CHECKPOINTS_KEPT])?;
    Ok(())
}

/// Reads the newest checkpoint at or below `clock`.
pub(super) fn newest(tx: &Transaction<'_>, memory: i64, clock: u64) -> Result<Option<Checkpoint>> {
    // Callers pass u64::MAX for the newest of all; SQLite's integers are signed.
    let clock = clock.min(i64::MAX as u64);
    tx.prepare_cached(
        "SELECT checkpoint, digest, head FROM checkpoints
         WHERE memory = ?1 AND clock <= ?2 ORDER BY clock DESC LIMIT 1",
    )?
    .query_row(params![memory, Whole(clock)], form)
    .optional()?
    .map(|(number, form)| whole(tx, number, form))
    .transpose()
}

/// Reads all checkpoints, ascending by clock.
pub(crate) fn all(tx: &Transaction<'_>, memory: i64) -> Result<Vec<Checkpoint>> {
    let mut statement = tx.prepare_cached(
        "SELECT checkpoint, digest, head FROM checkpoints
         WHERE memory = ?1 ORDER BY clock",
    )?;
    let rows = statement.query_map([memory], form)?;
    rows.map(|row| {
        let (number, form) = row?;
        whole(tx, number, form)
    })
    .collect()
}

fn form(row: &Row<'_>) -> rusqlite::Result<(i64, CheckpointForm)> {
    let form = CheckpointForm {
        digest: row.get(1)?,
        head: row.get(2)?,
    };
    Ok((row.get(0)?, form))
}

/// Joins a checkpoint; only one more piece is in memory at a time.
fn whole(tx: &Transaction<'_>, number: i64, form: CheckpointForm) -> Result<Checkpoint> {
    let mut reader = CheckpointReader::new(form).map_err(Failure::Damaged)?;
    let mut statement = tx.prepare_cached(
        "SELECT part, body FROM checkpoint_pieces WHERE checkpoint = ?1 ORDER BY piece",
    )?;
    let mut rows = statement.query([number])?;
    while let Some(row) = rows.next()? {
        let word: String = row.get(0)?;
        let part = PiecePart::from_word(&word)
            .ok_or_else(|| Failure::Damaged(format!("a checkpoint with a piece of `{word}`")))?;
        let body = row.get(1)?;
        let piece = CheckpointPiece { part, body };
        reader.add(&piece).map_err(Failure::Damaged)?;
    }
    reader.finish().map_err(Failure::Damaged)
}
