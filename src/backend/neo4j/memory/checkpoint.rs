//! Checkpoints as nodes with their pieces, in the form that all backends share.
//!
//! Each piece is a node of its own, written and read alone, so that a checkpoint of any size meets no limit of a property
//! or a message.

use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, memory_names, part_key};
use crate::error::{Failure, Result};
use crate::statements::{ADD_PIECE, CHECKPOINTS, PIECES, PUT_CHECKPOINT};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{Checkpoint, CheckpointForm, CheckpointPiece, CheckpointReader, PIECE_BYTES};

/// Pieces in one read.
const PIECES_PAGE: i64 = 4;

/// Writes a checkpoint, replacing one at the same clock.
pub(crate) async fn put(
    tx: &mut Transaction,
    key: &MemoryKey,
    memory: &str,
    checkpoint: &Checkpoint,
) -> Result<()> {
    let clock = checkpoint.state.head.position.clock;
    let own = part_key(memory, &format!("checkpoint:{clock}"));
    let form = CheckpointForm::new(checkpoint)?;
    let properties = memory_names(key)
        .with("hindlore_key", own.as_str())
        .with("hindlore_memory", memory)
        .with("title", format!("checkpoint at {clock}"))
        .with("digest", form.digest)
        .with("head", form.head)
        .whole("clock", clock)?;
    let written = Map::new()
        .with("memory", memory)
        .with("checkpoint", properties);
    tx.execute(PUT_CHECKPOINT, written).await?;
    for (at, piece) in (0_i64..).zip(CheckpointPiece::all(checkpoint, PIECE_BYTES)) {
        let piece = piece?;
        let properties = memory_names(key)
            .with("hindlore_key", format!("{own}:piece:{at}"))
            .with("hindlore_memory", memory)
            .with("title", format!("piece {at} of the checkpoint at {clock}"))
            .with("at", at)
            .with("part", piece.part.word())
            .with("body", piece.body);
        let added = Map::new()
            .with("checkpoint", own.as_str())
            .with("piece", properties);
        tx.execute(ADD_PIECE, added).await?;
    }
    Ok(())
}

/// Reads the checkpoints at or below a clock, newest first.
pub(crate) async fn read(
    tx: &mut Transaction,
    memory: &str,
    clock: i64,
    limit: i64,
) -> Result<Vec<Checkpoint>> {
    let asked = Map::new()
        .with("memory", memory)
        .with("clock", clock)
        .with("limit", limit);
    let mut found = Vec::new();
    for row in tx.query(CHECKPOINTS, asked).await? {
        let (key, form): (String, CheckpointForm) = (row.get("key")?, row.get("checkpoint")?);
        let mut reader = CheckpointReader::new(form).map_err(Failure::Damaged)?;
        // Below the first piece, which has the number 0.
        let mut after = -1_i64;
        loop {
            let page = Map::new()
                .with("checkpoint", key.as_str())
                .with("after", after)
                .with("limit", PIECES_PAGE);
            let rows = tx.query(PIECES, page).await?;
            let Some(last) = rows.last() else {
                break;
            };
            after = last.get("at")?;
            for row in &rows {
                let piece: CheckpointPiece = row.get("piece")?;
                reader.add(&piece).map_err(Failure::Damaged)?;
            }
        }
        found.push(reader.finish().map_err(Failure::Damaged)?);
    }
    Ok(found)
}
