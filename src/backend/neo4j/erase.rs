//! Taking a learner's memories and lessons away.
//!
//! What is small goes in one transaction. Of what is large, pieces go first, each in a transaction of its
//! own, since a server has no room for the destruction of a million nodes at once, and may keep the locks
//! of the attempt. The price: an erasure of a large memory that is cut off leaves a part of it, and is
//! asked for again; the learner keeps the numbers of what is gone.

use async_trait::async_trait;
use neo4rs::Row;

use super::error::{Failure, Work};
use super::executor::Unit;
use super::lessons;
use super::statements::{
    ERASE_BULLETS, ERASE_EVENTS, ERASE_LABELS, ERASE_PIECE, ERASE_SCOPE, LOCK_LEARNER, LOCK_SCOPES,
    NOTE_ERASED, TAKE_ERASED,
};
use super::values::{Map, bound, list_of};
use super::work::Task;
use crate::store::Erased;

/// Nodes of one kind in a piece: about a second of work for the server.
pub(super) const PIECE: i64 = 2_000;

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

    async fn attempt(&mut self, unit: &mut Unit, _was_lost: bool) -> Work<bool> {
        let owner = || Map::new().with("owner", self.owner.as_str());
        if unit.ask(LOCK_LEARNER, owner()).await?.is_empty() {
            return Ok(false);
        }
        let mut erased = Erased::default();
        let memories = hold_scopes(unit, &self.owner, self.memory.as_deref()).await?;
        for memory in &memories {
            memory_piece(unit, memory, PIECE, &mut erased).await?;
            if erased != Erased::default() {
                break;
            }
        }
        if erased == Erased::default() && memories.len() > MEMORIES_AT_ONCE {
            for memory in &memories[..MEMORIES_AT_ONCE] {
                destroy(unit, memory, &mut erased).await?;
            }
        }
        let mut nodes = erased.memories + erased.deltas + erased.retrievals + erased.bullets;
        if self.memory.is_none() {
            nodes += lessons::erase_piece(unit, &self.owner, PIECE, &mut erased).await?;
        }
        if nodes > 0 {
            let counts = list_of(listed(&erased).map(bound));
            unit.tell(NOTE_ERASED, owner().with("counts", counts))
                .await?;
        }
        Ok(nodes > 0)
    }
}

/// Destroys a learner's memories and lessons, or one of the memories.
pub(super) struct Erase {
    pub(super) owner: String,
    pub(super) memory: Option<String>,
    /// What an attempt whose answer was lost took away.
    pub(super) erased: Erased,
}

#[async_trait]
impl Task for Erase {
    type Output = Erased;

    /// A tag was let go of while somebody else was about to tie a bullet to it.
    fn is_passing(&self, failure: &Failure) -> bool {
        failure.is_repeat()
    }

    async fn attempt(&mut self, unit: &mut Unit, was_lost: bool) -> Work<Erased> {
        let owner = || Map::new().with("owner", self.owner.as_str());
        if unit.ask(LOCK_LEARNER, owner()).await?.is_empty() {
            return Ok(std::mem::take(&mut self.erased));
        }
        let mut erased = taken_before(&unit.ask(TAKE_ERASED, owner()).await?)?;
        for memory in hold_scopes(unit, &self.owner, self.memory.as_deref()).await? {
            destroy(unit, &memory, &mut erased).await?;
        }
        if self.memory.is_none() {
            lessons::erase(unit, &self.owner, &mut erased).await?;
        }
        unit.tell(ERASE_LABELS, owner()).await?;
        if was_lost && erased == Erased::default() {
            return Ok(self.erased.clone());
        }
        self.erased = erased.clone();
        Ok(erased)
    }
}

/// Empties a memory that is large, piece by piece; its learner is held before and after, and let go in between.
pub(super) async fn empty(unit: &mut Unit, owner: &str, memory: &str) -> Work<()> {
    let held = Map::new().with("owner", owner);
    unit.go_on_in_pieces(LOCK_LEARNER, held).await?;
    loop {
        let mut erased = Erased::default();
        memory_piece(unit, memory, PIECE, &mut erased).await?;
        if erased == Erased::default() {
            break;
        }
    }
    unit.go_on_as_one();
    Ok(())
}

/// Destroys a piece of a memory, so many nodes of a kind, where there is so much; adds to `erased` what that was.
pub(super) async fn memory_piece(
    unit: &mut Unit,
    memory: &str,
    piece: i64,
    erased: &mut Erased,
) -> Work<()> {
    let of = Map::new().with("memory", memory).with("piece", piece);
    let rows = unit.ask(ERASE_PIECE, of).await?;
    count(&rows, &rows, erased)
}

/// Locks memories of a learner who is held, in the order of their keys.
pub(super) async fn hold_scopes(
    unit: &mut Unit,
    owner: &str,
    memory: Option<&str>,
) -> Work<Vec<String>> {
    let asked = Map::new()
        .with("owner", owner)
        .with_optional("memory", memory);
    let rows = unit.ask(LOCK_SCOPES, asked).await?;
    rows.iter().map(|row| Ok(row.get("memory")?)).collect()
}

/// Destroys a memory that is held; adds to `erased` what that was.
pub(super) async fn destroy(unit: &mut Unit, memory: &str, erased: &mut Erased) -> Work<()> {
    let of = || Map::new().with("memory", memory);
    let events = unit.ask(ERASE_EVENTS, of()).await?;
    let bullets = unit.ask(ERASE_BULLETS, of()).await?;
    unit.tell(ERASE_SCOPE, of()).await?;
    erased.memories += 1;
    count(&events, &bullets, erased)
}

/// Adds what the rows of destroyed events and of destroyed bullets tell; both may be the same rows.
fn count(events: &[Row], bullets: &[Row], erased: &mut Erased) -> Work<()> {
    let number = |rows: &[Row], column: &str| -> Work<u64> {
        Ok(rows.first().map_or(Ok(0), |row| row.get(column))?)
    };
    erased.deltas += number(events, "deltas")?;
    erased.retrievals += number(events, "retrievals")?;
    erased.bullets += number(bullets, "bullets")?;
    Ok(())
}

/// What goes in pieces, in the order of `note_erased`.
fn listed(erased: &Erased) -> [u64; 7] {
    [
        erased.deltas,
        erased.retrievals,
        erased.bullets,
        erased.lessons,
        erased.runs,
        erased.errors,
        erased.memories,
    ]
}

fn taken_before(rows: &[Row]) -> Work<Erased> {
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
    })
}
