//! Moving whole memories, and deleting one.

use rusqlite::{Transaction, params};

use crate::error::{Failure, Result};
use crate::memory::commit::{insert_memory, put_bullets, put_links};
use crate::memory::events::{delta_at, write_delta, write_retrieval};
use crate::memory::history::{compacted, events};
use crate::memory::{checkpoint, folded, state};
use crate::rows::{Id, Whole};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{Erased, EventRecord, MemoryCopy, Position, Usage};

/// Statements that delete the rows of a memory, children before parents.
const TABLES: [&str; 10] = [
    "DELETE FROM returned WHERE memory = ?1",
    "DELETE FROM retrievals WHERE memory = ?1",
    "DELETE FROM delta_changes WHERE memory = ?1",
    "DELETE FROM deltas WHERE memory = ?1",
    "DELETE FROM checkpoint_pieces WHERE memory = ?1",
    "DELETE FROM checkpoints WHERE memory = ?1",
    "DELETE FROM usage WHERE memory = ?1",
    "DELETE FROM folded_deltas WHERE memory = ?1",
    "DELETE FROM links WHERE memory = ?1",
    "DELETE FROM bullets WHERE memory = ?1",
];

/// Reads a whole memory with its history.
pub(super) fn copy_out(tx: &Transaction<'_>, key: &MemoryKey) -> Result<Option<MemoryCopy>> {
    let Some(found) = state::find(tx, key)? else {
        return Ok(None);
    };
    let memory = found.memory;
    // The creation, at tick 0, is not among the events above 0.
    let mut all = vec![EventRecord::Delta(Box::new(delta_at(tx, memory, 0)?))];
    all.extend(events(tx, memory, 0, usize::MAX)?);
    Ok(Some(MemoryCopy {
        key: key.clone(),
        events: all,
        checkpoints: checkpoint::all(tx, memory)?,
        compacted: compacted(tx, memory)?.into_iter().collect(),
        folded: folded::all(tx, memory)?,
        state: state::load(tx, found)?,
    }))
}

/// Writes a whole memory with its history, replacing the one at position `over`, if any.
pub(super) fn copy_in(
    tx: &Transaction<'_>,
    copy: &MemoryCopy,
    over: Option<&Position>,
) -> Result<()> {
    check_events(copy).map_err(Failure::Refused)?;
    if let Some(found) = state::find(tx, &copy.key)? {
        let there = &found.head.position;
        if over != Some(there) {
            return Err(Failure::Refused(copy.refused_over(there)));
        }
        // A key is unique, so the old memory goes before the new one comes.
        delete(tx, found.memory)?;
    }
    let memory = insert_memory(tx, &copy.key, &copy.state.head)?;
    put_bullets(tx, memory, &copy.state.bullets)?;
    put_links(tx, memory, &copy.state.links)?;
    for event in &copy.events {
        match event {
            EventRecord::Delta(delta) => write_delta(tx, memory, delta)?,
            EventRecord::Retrieval(retrieval) => write_retrieval(tx, memory, retrieval)?,
        }
    }
    for checkpoint in &copy.checkpoints {
        checkpoint::put(tx, memory, checkpoint)?;
    }
    folded::put_marks(tx, memory, &copy.folded.iter().cloned().collect())?;
    write_compacted(tx, memory, &copy.compacted)
}

/// Deletes a memory; returns the counts of its rows.
pub(super) fn delete(tx: &Transaction<'_>, memory: i64) -> Result<Erased> {
    let mut erased = Erased {
        memories: 1,
        ..Erased::default()
    };
    for statement in TABLES {
        let rows = tx.prepare_cached(statement)?.execute([memory])? as u64;
        // The third word is the table.
        match statement.split(' ').nth(2) {
            Some("retrievals") => erased.retrievals = rows,
            Some("deltas") => erased.deltas = rows,
            Some("bullets") => erased.bullets = rows,
            _ => {}
        }
    }
    tx.prepare_cached("DELETE FROM memories WHERE memory = ?1")?
        .execute([memory])?;
    Ok(erased)
}

/// Refuses a copy whose events do not start at tick 0, ascend, and end at its clock or before.
fn check_events(copy: &MemoryCopy) -> Result<(), String> {
    let ticks = || copy.events.iter().map(EventRecord::tick);
    let begins = ticks().next() == Some(0);
    let ascends = ticks().is_sorted_by(|a, b| a < b);
    let within = ticks().all(|tick| tick <= copy.state.head.position.clock);
    if begins && ascends && within {
        Ok(())
    } else {
        Err(format!(
            "the copy of `{}` does not hold its events in order from tick 0 to its clock; copy it again",
            copy.key
        ))
    }
}

fn write_compacted(
    tx: &Transaction<'_>,
    memory: i64,
    compacted: &[(BulletId, Usage)],
) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO usage (memory, bullet, retrieved, injected, used, helped, harmed, ignored)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (bullet, usage) in compacted {
        statement.execute(params![
            memory,
            Id(*bullet),
            Whole(usage.retrieved),
            Whole(usage.injected),
            Whole(usage.used),
            Whole(usage.helped),
            Whole(usage.harmed),
            Whole(usage.ignored),
        ])?;
    }
    Ok(())
}
