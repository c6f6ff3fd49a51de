//! Taking a learner's memories and lessons away.
//!
//! What is small goes in one transaction. Of what is large, pieces go first, each in a transaction of its
//! own, since a server has no room for the destruction of a million nodes at once, and may keep the locks
//! of the attempt. The price: an erasure of a large memory that is cut off leaves a part of it, and is
//! asked for again; the learner keeps the numbers of what is gone.

use async_trait::async_trait;
use neo4rs::Row;

use super::error::{Failure, Result};
use super::executor::Transaction;
use super::lessons;
use super::memory::hold_learner;
use super::pieces::PIECE;
use super::receipts::record;
use super::records;
use super::statements::{
    ERASE_BULLETS, ERASE_EVENTS, ERASE_LABELS, ERASE_PIECE, ERASE_SCOPE, LOCK_LEARNER, LOCK_SCOPES,
    NOTE_ERASED, TAKE_ERASED,
};
use super::sweep::{Whose, sweep};
use super::values::{Map, bound, list_of};
use super::work::Task;
use mnemograph_store::{EraseOrder, EraseReceipt, Erased};

/// Memories that are destroyed in one transaction, none of them larger than a piece.
const MEMORIES_AT_ONCE: usize = 8;

/// Destroys a piece of a learner's memories and lessons, or of one of the memories, where there is so much: a piece of
/// one memory, or some small memories where they are many. Tells whether there was.
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
        if nodes > 0 {
            let counts = list_of(listed(&erased).map(bound));
            tx.execute(NOTE_ERASED, owner().with("counts", counts))
                .await?;
        }
        Ok(nodes > 0)
    }
}

/// Destroys a learner's memories and lessons, or one of the memories, and a piece of what bears their names
/// elsewhere; gives the receipt, and whether that was all.
#[derive(Clone)]
pub(super) struct Erase {
    pub(super) whose: Whose,
    pub(super) order: EraseOrder,
}

#[async_trait]
impl Task for Erase {
    type Output = (Option<EraseReceipt>, bool);

    /// A tag was let go of while somebody else was about to tie a bullet to it.
    fn is_passing(&self, failure: &Failure) -> bool {
        failure.is_repeat()
    }

    /// The learner is made where it is not there: it is what all others wait for who make or erase something of it.
    /// It goes again with the rest.
    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Self::Output> {
        let whose = &self.whose;
        let owner = || Map::new().with("owner", whose.owner.as_str());
        hold_learner(tx, &whose.tenant, &whose.learner).await?;
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
        let is_more = sweep(tx, (whose, &memories), PIECE, &mut erased).await?;
        if erased != before {
            tx.execute(ERASE_LABELS, owner()).await?;
        }
        let receipt = record(tx, self.order.receipt(erased)).await?;
        Ok((receipt, !is_more))
    }
}

/// Empties a memory that is large, piece by piece; its learner is held before and after, and let go in between.
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

/// Destroys a piece of a memory, so many nodes of a kind, where there is so much; adds to `erased` what that was.
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

/// Locks memories of a learner who is held, in the order of their keys.
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

/// Destroys a memory that is held; adds to `erased` what that was.
pub(super) async fn destroy(tx: &mut Transaction, memory: &str, erased: &mut Erased) -> Result<()> {
    let of = || Map::new().with("memory", memory);
    let events = tx.query(ERASE_EVENTS, of()).await?;
    let bullets = tx.query(ERASE_BULLETS, of()).await?;
    tx.execute(ERASE_SCOPE, of()).await?;
    erased.memories += 1;
    count(&events, &bullets, erased)
}

/// Adds what the rows of destroyed events and of destroyed bullets tell; both may be the same rows.
fn count(events: &[Row], bullets: &[Row], erased: &mut Erased) -> Result<()> {
    let number = |rows: &[Row], column: &str| -> Result<u64> {
        Ok(rows.first().map_or(Ok(0), |row| row.get(column))?)
    };
    erased.deltas += number(events, "deltas")?;
    erased.retrievals += number(events, "retrievals")?;
    erased.bullets += number(bullets, "bullets")?;
    Ok(())
}

/// What goes in pieces, in the order of `note_erased`.
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
