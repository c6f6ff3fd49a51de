//! Checkpoints as rows: the state of a memory in three JSON texts.
//!
//! They are written rarely and read whole or not at all, so that columns would gain nothing.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::error::{Failure, Work};
use super::rows::{Json, Whole, compact};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::link::{Link, LinkId, LinkKind};
use crate::domain::memory::policy::Policy;
use crate::domain::memory::record::BulletRecord;
use crate::domain::timestamp::Timestamp;
use crate::store::{CHECKPOINTS_KEPT, Checkpoint, Head, Loaded, Position};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadText {
    incarnation: String,
    clock: u64,
    revision: u64,
    origin_clock: u64,
    policy: Policy,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkText {
    kind: LinkKind,
    from: BulletId,
    to: BulletId,
    reason: Option<String>,
    similarity: Option<f64>,
    changed_tick: u64,
    removed: bool,
}

/// Writes a checkpoint, in place of one at the same clock.
pub(super) fn put(tx: &Transaction<'_>, memory: i64, checkpoint: &Checkpoint) -> Work<()> {
    let state = &checkpoint.state;
    let links: Vec<LinkText> = state.links.iter().map(text_of_link).collect();
    tx.prepare_cached(
        "INSERT INTO checkpoints (memory, clock, digest, head, links, bullets)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (memory, clock) DO UPDATE SET digest = excluded.digest, head = excluded.head,
             links = excluded.links, bullets = excluded.bullets",
    )?
    .execute(params![
        memory,
        Whole(state.head.position.clock),
        checkpoint.digest,
        Json(text_of_head(&state.head)),
        Json(links),
        text_of_bullets(&state.bullets)?,
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
    .query_row(params![memory, Whole(clock)], texts)
    .optional()?
    .map(checkpoint_of)
    .transpose()
}

/// Reads all checkpoints, ascending by clock.
pub(super) fn all(tx: &Transaction<'_>, memory: i64) -> Work<Vec<Checkpoint>> {
    let mut statement = tx.prepare_cached(
        "SELECT digest, head, links, bullets FROM checkpoints WHERE memory = ?1 ORDER BY clock",
    )?;
    let rows = statement.query_map([memory], texts)?;
    rows.map(|row| checkpoint_of(row?)).collect()
}

struct Texts {
    digest: String,
    head: HeadText,
    links: Vec<LinkText>,
    bullets: Vec<BulletRecord>,
}

fn texts(row: &Row<'_>) -> rusqlite::Result<Texts> {
    Ok(Texts {
        digest: row.get(0)?,
        head: row.get::<_, Json<_>>(1)?.0,
        links: row.get::<_, Json<_>>(2)?.0,
        bullets: row.get::<_, Json<_>>(3)?.0,
    })
}

fn checkpoint_of(texts: Texts) -> Work<Checkpoint> {
    let bullet = |record: &BulletRecord| {
        record.to_bullet(u32::MAX).map_err(|reason| {
            Failure::Damaged(format!(
                "a checkpoint whose bullet {} cannot be: {reason}",
                record.id
            ))
        })
    };
    let bullets = texts.bullets.iter().map(bullet).collect::<Work<_>>()?;
    let head = texts.head;
    Ok(Checkpoint {
        digest: texts.digest,
        state: Loaded {
            head: Head {
                position: Position {
                    incarnation: head.incarnation,
                    clock: head.clock,
                    revision: head.revision,
                },
                origin_clock: head.origin_clock,
                policy: head.policy,
                created_at: head.created_at,
            },
            bullets,
            links: texts.links.into_iter().map(link_of).collect(),
        },
    })
}

fn text_of_head(head: &Head) -> HeadText {
    HeadText {
        incarnation: head.position.incarnation.clone(),
        clock: head.position.clock,
        revision: head.position.revision,
        origin_clock: head.origin_clock,
        policy: head.policy.clone(),
        created_at: head.created_at,
    }
}

/// A JSON array, put together from the compact form of each bullet.
fn text_of_bullets(bullets: &[Bullet]) -> Work<String> {
    let mut text = String::from("[");
    for bullet in bullets {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&compact(&BulletRecord::of(bullet))?);
    }
    text.push(']');
    Ok(text)
}

fn text_of_link(link: &Link) -> LinkText {
    LinkText {
        kind: link.id.kind,
        from: link.id.from,
        to: link.id.to,
        reason: link.reason.clone(),
        similarity: link.similarity,
        changed_tick: link.changed_tick,
        removed: link.removed,
    }
}

fn link_of(text: LinkText) -> Link {
    Link {
        id: LinkId {
            kind: text.kind,
            from: text.from,
            to: text.to,
        },
        reason: text.reason,
        similarity: text.similarity,
        changed_tick: text.changed_tick,
        removed: text.removed,
    }
}
