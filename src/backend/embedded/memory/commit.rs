//! Writing decided events: check their numbers, then write table by table with one prepared statement each.
//!
//! No row is read before it is written. The decision is written as it is, except that ticks and revisions must continue
//! without a gap: a gap would go unnoticed until a replay fails.

use std::borrow::Borrow;
use std::sync::Arc;

use rusqlite::{Transaction, params};

use super::events::{write_delta, write_retrieval};
use super::state::Found;
use crate::error::{Failure, Result};
use crate::rows::{Id, Json, Moment, Whole, bullet_columns, write_bullet};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{Link, LinkId};
use hindlore_store::{Commit, EventRecord, Head, Mark};

/// Writes a commit to a memory.
pub(super) fn apply(tx: &Transaction<'_>, found: &Found, commit: &Commit) -> Result<()> {
    let after = commit
        .position_after(&found.head.position)
        .map_err(Failure::Refused)?;
    let memory = found.memory;
    for event in &commit.events {
        match event {
            EventRecord::Delta(delta) => write_delta(tx, memory, delta)?,
            EventRecord::Retrieval(retrieval) => write_retrieval(tx, memory, retrieval)?,
        }
    }
    let start = commit.origin_clock.unwrap_or(found.head.position.clock);
    release_hashes(tx, memory, start, &commit.bullets)?;
    put_bullets(tx, memory, &commit.bullets)?;
    put_links(tx, memory, &commit.links)?;
    set_marks(tx, memory, &commit.marks)?;
    // Links and marks alone move no clock.
    if commit.events.is_empty() {
        return Ok(());
    }
    tx.prepare_cached(
        "UPDATE memories SET clock = ?2, revision = ?3, origin_clock = coalesce(?4, origin_clock),
             policy = coalesce(?5, policy)
         WHERE memory = ?1",
    )?
    .execute(params![
        memory,
        Whole(after.clock),
        Whole(after.revision),
        commit.origin_clock.map(Whole),
        commit.policy.as_ref().map(Json),
    ])?;
    Ok(())
}

/// Inserts the row of a memory; returns its number.
pub(crate) fn insert_memory(tx: &Transaction<'_>, key: &MemoryKey, head: &Head) -> Result<i64> {
    tx.prepare_cached(
        "INSERT INTO memories (tenant, learner, scope, incarnation, clock, revision, origin_clock,
             policy, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        key.tenant(),
        key.learner(),
        key.scope(),
        head.position.incarnation,
        Whole(head.position.clock),
        Whole(head.position.revision),
        Whole(head.origin_clock),
        Json(&head.policy),
        Moment(head.created_at),
    ])?;
    Ok(tx.last_insert_rowid())
}

/// Releases the content hashes of existing bullets whose hash changes. A hash is unique in a memory; without this a text
/// could not move from one bullet to another when the new holder is written first. Bullets created after `start` have no
/// row yet, so they are skipped.
fn release_hashes(
    tx: &Transaction<'_>,
    memory: i64,
    start: u64,
    bullets: &[Arc<Bullet>],
) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "UPDATE bullets SET holds_hash = 0
         WHERE memory = ?1 AND id = ?2 AND holds_hash = 1 AND (content_hash <> ?3 OR NOT ?4)",
    )?;
    for bullet in bullets.iter().filter(|bullet| bullet.created_tick <= start) {
        statement.execute(params![
            memory,
            Id(bullet.id),
            bullet.content_hash().0,
            bullet.holds_hash
        ])?;
    }
    Ok(())
}

/// Inserts bullets, or replaces existing ones.
pub(crate) fn put_bullets<B: Borrow<Bullet>>(
    tx: &Transaction<'_>,
    memory: i64,
    bullets: &[B],
) -> Result<()> {
    let mut statement = tx.prepare_cached(concat!(
        "INSERT INTO bullets (",
        bullet_columns!(),
        ", memory)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30)
         ON CONFLICT (memory, id) DO UPDATE SET
             content = excluded.content, content_hash = excluded.content_hash,
             holds_hash = excluded.holds_hash, legacy_id = excluded.legacy_id,
             memory_type = excluded.memory_type, kind = excluded.kind, status = excluded.status,
             pinned = excluded.pinned, helpful = excluded.helpful, harmful = excluded.harmful,
             neutral = excluded.neutral, strength = excluded.strength,
             access_index = excluded.access_index, last_access = excluded.last_access,
             last_used = excluded.last_used, created_at = excluded.created_at,
             created_tick = excluded.created_tick, changed_tick = excluded.changed_tick,
             position = excluded.position, tags = excluded.tags, section = excluded.section,
             topic = excluded.topic, concept = excluded.concept, ttl_days = excluded.ttl_days,
             importance = excluded.importance, source = excluded.source,
             merged_into = excluded.merged_into, embedding = excluded.embedding"
    ))?;
    for bullet in bullets {
        write_bullet(&mut statement, memory, bullet.borrow())?;
    }
    Ok(())
}

/// Inserts links, or replaces existing ones.
pub(crate) fn put_links(tx: &Transaction<'_>, memory: i64, links: &[Link]) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO links (memory, kind, from_bullet, to_bullet, reason, similarity, changed_tick,
             removed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT DO UPDATE SET reason = excluded.reason, similarity = excluded.similarity,
             changed_tick = excluded.changed_tick, removed = excluded.removed",
    )?;
    for link in links {
        statement.execute(params![
            memory,
            link.id.kind.word(),
            Id(link.id.from),
            Id(link.id.to),
            link.reason,
            link.similarity,
            Whole(link.changed_tick),
            link.removed,
        ])?;
    }
    Ok(())
}

/// Deletes links that no event made.
pub(crate) fn remove_links(tx: &Transaction<'_>, memory: i64, links: &[LinkId]) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "DELETE FROM links WHERE memory = ?1 AND kind = ?2 AND from_bullet = ?3 AND to_bullet = ?4",
    )?;
    for id in links {
        statement.execute(params![memory, id.kind.word(), Id(id.from), Id(id.to)])?;
    }
    Ok(())
}

/// Sets feedback marks on returned bullets. Feedback on a compacted retrieval finds no row and is dropped.
fn set_marks(tx: &Transaction<'_>, memory: i64, marks: &[Mark]) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "UPDATE returned SET injected = injected OR ?4, used = used OR ?5, helped = helped OR ?6,
             harmed = harmed OR ?7, ignored = ignored OR ?8
         WHERE memory = ?1 AND bullet = ?3
             AND tick = (SELECT tick FROM retrievals WHERE memory = ?1 AND id = ?2)",
    )?;
    for mark in marks {
        statement.execute(params![
            memory,
            mark.retrieval,
            Id(mark.bullet),
            mark.injected,
            mark.used,
            mark.helped,
            mark.harmed,
            mark.ignored,
        ])?;
    }
    Ok(())
}
