//! Recording retrievals that were ranked at a known position.

use std::collections::BTreeMap;

use rusqlite::{Transaction, params};

use super::events::write_retrieval;
use super::state::{self, Found};
use crate::error::{Failure, Result};
use crate::rows::{Id, Moment, Whole};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{CatchUp, Position, TouchBatch, TouchOutcome, Touched};

/// Records a batch, unless the memory has moved on.
pub(super) fn record(
    tx: &Transaction<'_>,
    key: &MemoryKey,
    mut batch: TouchBatch,
) -> Result<TouchOutcome> {
    let Some((memory, position)) = state::place(tx, key)? else {
        return Ok(TouchOutcome::Missing);
    };
    if has_moved(&position, &batch) {
        let Some(found) = state::find(tx, key)? else {
            return Ok(TouchOutcome::Missing);
        };
        let changed = changes_by_others(tx, &found, &batch.known)?;
        return Ok(TouchOutcome::Moved(Box::new(changed)));
    }
    let others = if position.clock == batch.known.clock {
        Vec::new()
    } else {
        touched_by_others(tx, memory, batch.known.clock)?
    };
    let first_tick = position.clock + 1;
    // Later retrievals overwrite earlier ones, so a bullet returned by several is updated once.
    let mut touched: BTreeMap<BulletId, (u64, Timestamp)> = BTreeMap::new();
    let mut clock = position.clock;
    for retrieval in &mut batch.retrievals {
        clock += 1;
        retrieval.tick = clock;
        write_retrieval(tx, memory, retrieval)?;
        let touch = (clock, retrieval.at);
        touched.extend(retrieval.returned.iter().map(|r| (r.bullet, touch)));
    }
    touch_bullets(tx, memory, &touched)?;
    if clock > position.clock {
        tx.prepare_cached("UPDATE memories SET clock = ?2 WHERE memory = ?1")?
            .execute(params![memory, Whole(clock)])?;
    }
    Ok(TouchOutcome::Recorded { first_tick, others })
}

/// A clock before the known one also counts as moved: the file was restored from a backup.
fn has_moved(position: &Position, batch: &TouchBatch) -> bool {
    let known = &batch.known;
    position.incarnation != known.incarnation
        || position.revision != known.revision
        || position.clock < known.clock
        || (batch.strict && position.clock != known.clock)
}

/// The changes by others since the known position; only the head for another incarnation, since the caller must reload.
fn changes_by_others(tx: &Transaction<'_>, found: &Found, known: &Position) -> Result<CatchUp> {
    let clock = if found.head.position.incarnation == known.incarnation {
        known.clock
    } else {
        // Above every clock, so that no row is read.
        u64::MAX
    };
    state::catch_up(tx, found, clock)
}

/// The touches by others since a clock. Without deltas in between, every changed bullet was touched.
fn touched_by_others(tx: &Transaction<'_>, memory: i64, clock: u64) -> Result<Vec<Touched>> {
    let mut statement = tx.prepare_cached(
        "SELECT id, changed_tick, last_access FROM bullets
         WHERE memory = ?1 AND changed_tick > ?2 ORDER BY id",
    )?;
    let touched = statement.query_map(params![memory, Whole(clock)], |row| {
        Ok(Touched {
            bullet: row.get::<_, Id>(0)?.0,
            tick: row.get::<_, Whole>(1)?.0,
            at: row.get::<_, Moment>(2)?.0,
        })
    })?;
    Ok(touched.collect::<rusqlite::Result<_>>()?)
}

fn touch_bullets(
    tx: &Transaction<'_>,
    memory: i64,
    touched: &BTreeMap<BulletId, (u64, Timestamp)>,
) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "UPDATE bullets SET access_index = ?3, changed_tick = ?3, last_access = ?4, last_used = ?4
         WHERE memory = ?1 AND id = ?2",
    )?;
    for (bullet, (tick, at)) in touched {
        let rows = statement.execute(params![memory, Id(*bullet), Whole(*tick), Moment(*at)])?;
        if rows == 0 {
            return Err(Failure::Refused(format!(
                "bullet {bullet} is not in this memory; record what the memory returned"
            )));
        }
    }
    Ok(())
}
