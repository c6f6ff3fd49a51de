//! Reading the current state of a memory: its head, bullets and links.

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::folded;
use crate::error::{Failure, Result};
use crate::rows::{Json, Moment, Whole, bullet_columns, read_bullet, read_link};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::Link;
use hindlore_store::memory::StoredReceipt;
use hindlore_store::{CatchUp, Head, Loaded, LoadedPart, Position};

/// Bullets in one [`LoadedPart`].
const PART: usize = 512;

/// An existing memory.
pub(crate) struct Found {
    /// The number of its row.
    pub(crate) memory: i64,
    /// Its head.
    pub(crate) head: Head,
}

/// Finds the row and the position of a memory by its key. Touches need no more, and this spares them the policy's JSON.
pub(crate) fn place(tx: &Transaction<'_>, key: &MemoryKey) -> Result<Option<(i64, Position)>> {
    let found = tx
        .prepare_cached(
            "SELECT memory, incarnation, clock, revision
             FROM memories WHERE tenant = ?1 AND learner = ?2 AND scope = ?3",
        )?
        .query_row(params![key.tenant(), key.learner(), key.scope()], |row| {
            Ok((row.get(0)?, read_position(row)?))
        });
    Ok(found.optional()?)
}

fn read_position(row: &Row<'_>) -> rusqlite::Result<Position> {
    Ok(Position {
        incarnation: row.get(1)?,
        clock: row.get::<_, Whole>(2)?.0,
        revision: row.get::<_, Whole>(3)?.0,
    })
}

/// Finds a memory by its key.
pub(crate) fn find(tx: &Transaction<'_>, key: &MemoryKey) -> Result<Option<Found>> {
    let found = tx
        .prepare_cached(
            "SELECT memory, incarnation, clock, revision, origin_clock, policy, created_at
             FROM memories WHERE tenant = ?1 AND learner = ?2 AND scope = ?3",
        )?
        .query_row(params![key.tenant(), key.learner(), key.scope()], |row| {
            // Kept as a result, so that the error below can name the memory.
            Ok((row.get(0)?, read_head(row, 1)))
        });
    match found.optional()? {
        None => Ok(None),
        Some((memory, Ok(head))) => Ok(Some(Found { memory, head })),
        Some((_, Err(what))) => Err(Failure::Damaged(format!(
            "the memory `{key}`, whose {what}"
        ))),
    }
}

/// The columns of a head, in their order.
const HEAD_COLUMNS: [&str; 6] = [
    "incarnation",
    "clock",
    "revision",
    "origin_clock",
    "policy",
    "created_at",
];

/// Reads a head from the columns starting at `first`; `Err` names the column that cannot be read.
pub(crate) fn read_head(row: &Row<'_>, first: usize) -> Result<Head, String> {
    let whole = |at: usize| row.get::<_, Whole>(first + at).map(|whole| whole.0);
    let read = || {
        Ok(Head {
            position: Position {
                incarnation: row.get(first)?,
                clock: whole(1)?,
                revision: whole(2)?,
            },
            origin_clock: whole(3)?,
            policy: row.get::<_, Json<_>>(first + 4)?.0,
            created_at: row.get::<_, Moment>(first + 5)?.0,
        })
    };
    read().map_err(|error| {
        use rusqlite::Error as E;
        let (column, why) = match &error {
            E::FromSqlConversionFailure(column, _, cause) => (Some(*column), cause.to_string()),
            E::InvalidColumnType(column, ..) | E::IntegralValueOutOfRange(column, _) => {
                (Some(*column), error.to_string())
            }
            _ => (None, error.to_string()),
        };
        let name = column.and_then(|column| HEAD_COLUMNS.get(column.checked_sub(first)?));
        format!("`{}` cannot be read ({why})", name.unwrap_or(&"row"))
    })
}

/// Reads a whole memory.
pub(crate) fn load(tx: &Transaction<'_>, found: Found) -> Result<Loaded> {
    let mut loaded = Loaded {
        head: found.head.clone(),
        bullets: Vec::new(),
        links: Vec::new(),
    };
    load_parts(tx, found, &mut |part| match part {
        LoadedPart::Head(head) => loaded.head = *head,
        LoadedPart::Bullets(bullets) => loaded.bullets.extend(bullets),
        LoadedPart::Links(links) => loaded.links = links,
    })?;
    Ok(loaded)
}

/// Reads a whole memory part by part.
pub(super) fn load_parts(
    tx: &Transaction<'_>,
    found: Found,
    take: &mut (dyn FnMut(LoadedPart) + Send),
) -> Result<()> {
    take(LoadedPart::Head(Box::new(found.head)));
    let mut statement = tx.prepare_cached(concat!(
        "SELECT ",
        bullet_columns!(),
        " FROM bullets WHERE memory = ?1 ORDER BY position"
    ))?;
    let mut part = Vec::new();
    for bullet in statement.query_and_then([found.memory], read_bullet)? {
        part.push(bullet?);
        if part.len() == PART {
            take(LoadedPart::Bullets(std::mem::take(&mut part)));
        }
    }
    take(LoadedPart::Bullets(part));
    let links = tx
        .prepare_cached(
            "SELECT kind, from_bullet, to_bullet, reason, similarity, changed_tick, removed
             FROM links WHERE memory = ?1",
        )?
        .query_map([found.memory], read_link)?
        .collect::<rusqlite::Result<_>>()?;
    take(LoadedPart::Links(ordered(links)));
    // The read has filled the page cache with pages that will not be needed again soon.
    tx.release_memory()?;
    Ok(())
}

/// Reads the changes of a memory since `clock`.
pub(super) fn catch_up(tx: &Transaction<'_>, found: &Found, clock: u64) -> Result<CatchUp> {
    let mut changes = CatchUp {
        head: found.head.clone(),
        bullets: Vec::new(),
        links: Vec::new(),
        receipts: Vec::new(),
    };
    // At an equal clock nothing has changed, so no index is searched.
    if clock < found.head.position.clock {
        changes.bullets = changed_bullets(tx, found.memory, clock)?;
        changes.links = changed_links(tx, found.memory, clock)?;
    }
    Ok(changes)
}

/// Reads the receipts of those deltas that are applied, folded ones included.
pub(super) fn receipts(
    tx: &Transaction<'_>,
    memory: i64,
    deltas: &[DeltaId],
) -> Result<Vec<StoredReceipt>> {
    let mut statement =
        tx.prepare_cached("SELECT body_digest, receipt FROM deltas WHERE memory = ?1 AND id = ?2")?;
    let mut receipts = Vec::new();
    for delta in deltas {
        let stored = statement.query_row(params![memory, delta.as_str()], |row| {
            Ok(StoredReceipt {
                delta: delta.clone(),
                body_digest: row.get(0)?,
                receipt: Some(row.get::<_, Json<_>>(1)?.0),
            })
        });
        match stored.optional()? {
            Some(stored) => receipts.push(stored),
            None => receipts.extend(folded::receipt(tx, memory, delta)?),
        }
    }
    Ok(receipts)
}

fn changed_bullets(tx: &Transaction<'_>, memory: i64, clock: u64) -> Result<Vec<Bullet>> {
    tx.prepare_cached(concat!(
        "SELECT ",
        bullet_columns!(),
        " FROM bullets WHERE memory = ?1 AND changed_tick > ?2 ORDER BY position"
    ))?
    .query_and_then(params![memory, Whole(clock)], read_bullet)?
    .collect()
}

fn changed_links(tx: &Transaction<'_>, memory: i64, clock: u64) -> Result<Vec<Link>> {
    let links = tx
        .prepare_cached(
            "SELECT kind, from_bullet, to_bullet, reason, similarity, changed_tick, removed
             FROM links WHERE memory = ?1 AND changed_tick > ?2",
        )?
        .query_map(params![memory, Whole(clock)], read_link)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(ordered(links))
}

/// Sorts links by identity. SQL cannot: it would sort their kinds alphabetically.
fn ordered(mut links: Vec<Link>) -> Vec<Link> {
    links.sort_unstable_by_key(|link| link.id);
    links
}
