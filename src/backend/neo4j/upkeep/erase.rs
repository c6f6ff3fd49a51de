//! Erasing a learner's memories and lessons.
//!
//! A small erase is one transaction. A large one deletes pieces first, each in a transaction of its own: a server has
//! no memory to delete a million nodes at once, and may keep the locks of the failed attempt. The price: an interrupted
//! erase leaves a part and must be repeated. The learner's node keeps the counts of deleted nodes for the receipt.

use async_trait::async_trait;
use neo4rs::Row;

use super::purge::{Whose, purge};
use super::receipts::record;
use crate::bolt::pieces::PIECE;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bound, list_of};
use crate::bolt::work::Task;
use crate::error::{Failure, Result};
use crate::lessons;
use crate::memory::hold_learner;
use crate::records;
use crate::statements::{
    ERASE_BULLETS, ERASE_EVENTS, ERASE_LABELS, ERASE_PIECE, ERASE_SCOPE, ERASURE, LOCK_LEARNER,
    LOCK_SCOPES, NOTE_ERASED, TAKE_ERASED,
};
use hindlore_store::{EraseOrder, EraseReceipt, Erased};

/// Memories deleted in one transaction, none of them larger than a piece.
const MEMORIES_AT_ONCE: usize = 8;

/// Deletes one piece ahead of the final transaction: a piece of a large memory, else a batch of small memories, and a piece
/// of lessons and records. Returns false when nothing was large enough.
#[derive(Clone)]
pub(super) struct ErasePiece {
    pub(super) owner: String,
    pub(super) memory: Option<String>,
}

#[async_trait]
impl Task for ErasePiece {
    type Output = bool;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<bool> {
        let owner = || Map::new().with("owner", self.owner.as_str());
        if tx.query(LOCK_LEARNER, owner()).await?.is_empty() {
            return Ok(false);
        }
        let mut erased = Erased::default();
        let memories = hold_scopes(tx, &self.owner, self.memory.as_deref()).await?;
        for memory in &memories {
            memory_piece(tx, memory, PIECE, &mut erased).await?;
            // One piece per transaction.
            if erased != Erased::default() {
                break;
            }
        }
        if erased == Erased::default() && memories.len() > MEMORIES_AT_ONCE {
            for memory in &memories[..MEMORIES_AT_ONCE] {
                destroy(tx, memory, &mut erased).await?;
            }
        }
        let mut nodes = erased.memories + erased.deltas + erased.retrievals + erased.bullets;
        if self.memory.is_none() {
            nodes += lessons::erase_piece(tx, &self.owner, PIECE, &mut erased).await?;
            nodes += records::erase_piece(tx, &self.owner, PIECE, &mut erased).await?;
        }
        // In the transaction of the deletion, so that a crash loses no count.
        if nodes > 0 {
            let counts = list_of(listed(&erased).map(bound));
            tx.execute(NOTE_ERASED, owner().with("counts", counts))
                .await?;
        }
        Ok(nodes > 0)
    }
}

/// Deletes the rest of a learner, or of one memory, and a piece of the strays under its names; returns the receipt, and
/// whether that was all.
#[derive(Clone)]
pub(super) struct Erase {
    pub(super) whose: Whose,
    pub(super) order: EraseOrder,
}

#[async_trait]
impl Task for Erase {
    type Output = (Option<EraseReceipt>, bool);

    /// Passing: a tag was deleted while another transaction was about to relate a bullet to it.
    fn is_passing(&self, failure: &Failure) -> bool {
        failure.is_repeat()
    }

    /// Creates the learner's node if it is missing: it is the lock of everyone who creates or erases something of the
    /// learner. It is deleted with the rest.
    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Self::Output> {
        let whose = &self.whose;
        let owner = || Map::new().with("owner", whose.owner.as_str());
        hold_learner(tx, &whose.tenant, &whose.learner).await?;
        // The receipt also counts the rows that earlier pieces deleted.
        let mut erased = taken_before(&tx.query(TAKE_ERASED, owner()).await?)?;
        let memories = hold_scopes(tx, &whose.owner, whose.memory.as_deref()).await?;
        for memory in &memories {
            destroy(tx, memory, &mut erased).await?;
        }
        if whose.memory.is_none() {
            lessons::erase(tx, &whose.owner, &mut erased).await?;
            records::erase(tx, &whose.owner, &mut erased).await?;
        }
        tx.execute(ERASE_LABELS, owner()).await?;
        let before = erased;
        let is_more = purge(tx, whose, &memories, PIECE, &mut erased).await?;
        // The sweep may have deleted the last bullets of more tags.
        if erased != before {
            tx.execute(ERASE_LABELS, owner()).await?;
        }
        let key = Map::new().with("key", self.order.note.id.as_str());
        // Once for all pieces and repeats of this order.
        if self.order.elsewhere > 0 && tx.query(ERASURE, key).await?.is_empty() {
            erased.records += self.order.elsewhere;
        }
        let receipt = record(tx, self.order.receipt(erased)).await?;
        Ok((receipt, !is_more))
    }
}

/// Empties a large memory piece by piece. The learner's lock is held within each piece and released in between.
pub(super) async fn empty(tx: &mut Transaction, owner: &str, memory: &str) -> Result<()> {
    let held = Map::new().with("owner", owner);
    tx.go_on_in_pieces(LOCK_LEARNER, held).await?;
    loop {
        let mut erased = Erased::default();
        memory_piece(tx, memory, PIECE, &mut erased).await?;
        if erased == Erased::default() {
            break;
        }
    }
    tx.go_on_as_one();
    Ok(())
}

/// Deletes a piece of a memory, if it has one of that size, and adds its counts to `erased`.
pub(super) async fn memory_piece(
    tx: &mut Transaction,
    memory: &str,
    piece: i64,
    erased: &mut Erased,
) -> Result<()> {
    let of = Map::new().with("memory", memory).with("piece", piece);
    let rows = tx.query(ERASE_PIECE, of).await?;
    count(&rows, &rows, erased)
}

/// Locks memories of a locked learner, in the order of their keys so that two erases cannot deadlock.
pub(super) async fn hold_scopes(
    tx: &mut Transaction,
    owner: &str,
    memory: Option<&str>,
) -> Result<Vec<String>> {
    let asked = Map::new()
        .with("owner", owner)
        .with_optional("memory", memory);
    let rows = tx.query(LOCK_SCOPES, asked).await?;
    rows.iter().map(|row| Ok(row.get("memory")?)).collect()
}

/// Deletes a locked memory and adds its counts to `erased`.
pub(super) async fn destroy(tx: &mut Transaction, memory: &str, erased: &mut Erased) -> Result<()> {
    let of = || Map::new().with("memory", memory);
    let events = tx.query(ERASE_EVENTS, of()).await?;
    let bullets = tx.query(ERASE_BULLETS, of()).await?;
    tx.execute(ERASE_SCOPE, of()).await?;
    erased.memories += 1;
    count(&events, &bullets, erased)
}

/// Adds the counts from the rows of deleted events and deleted bullets, which may be the same rows.
fn count(events: &[Row], bullets: &[Row], erased: &mut Erased) -> Result<()> {
    let number = |rows: &[Row], column: &str| -> Result<u64> {
        Ok(rows.first().map_or(Ok(0), |row| row.get(column))?)
    };
    erased.deltas += number(events, "deltas")?;
    erased.retrievals += number(events, "retrievals")?;
    erased.bullets += number(bullets, "bullets")?;
    Ok(())
}

/// The counts of deletions in pieces, in the order of `note_erased`.
fn listed(erased: &Erased) -> [u64; 8] {
    [
        erased.deltas,
        erased.retrievals,
        erased.bullets,
        erased.lessons,
        erased.runs,
        erased.errors,
        erased.memories,
        erased.records,
    ]
}

fn taken_before(rows: &[Row]) -> Result<Erased> {
    let counts: Vec<u64> = rows
        .first()
        .map_or(Ok(Vec::new()), |row| row.get("counts"))?;
    let at = |number: usize| counts.get(number).copied().unwrap_or_default();
    Ok(Erased {
        deltas: at(0),
        retrievals: at(1),
        bullets: at(2),
        lessons: at(3),
        runs: at(4),
        errors: at(5),
        memories: at(6),
        strays: 0,
        records: at(7),
    })
}
