//! Checkpoints as nodes: the state of a memory in three JSON texts.
//!
//! They are written rarely and read whole or not at all, so that nodes of their own would gain nothing.

use serde::{Deserialize, Serialize};

use super::error::{Failure, Work};
use super::events::{Place, compact};
use super::values::{Map, part_key};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::link::{Link, LinkId, LinkKind};
use crate::domain::memory::policy::Policy;
use crate::domain::memory::record::BulletRecord;
use crate::domain::timestamp::Timestamp;
use crate::store::{Checkpoint, Head, Loaded, Position};

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

/// A checkpoint as it is read.
#[derive(Deserialize)]
pub(super) struct CheckpointProperties {
    digest: String,
    head: String,
    links: String,
    bullets: String,
}

/// The properties of a checkpoint.
pub(super) fn properties(place: Place<'_>, checkpoint: &Checkpoint) -> Work<Map> {
    let state = &checkpoint.state;
    let clock = state.head.position.clock;
    let links: Vec<LinkText> = state.links.iter().map(text_of_link).collect();
    Map::new()
        .with(
            "key",
            part_key(place.memory, &format!("checkpoint:{clock}")),
        )
        .with("memory", place.memory)
        .with("tenant", place.key.tenant())
        .with("learner", place.key.learner())
        .with("scope", place.key.scope())
        .with("title", format!("checkpoint at {clock}"))
        .with("digest", checkpoint.digest.as_str())
        .with("head", serde_json::to_string(&text_of_head(&state.head))?)
        .with("links", serde_json::to_string(&links)?)
        .with("bullets", text_of_bullets(&state.bullets)?)
        .whole("clock", clock)
}

impl CheckpointProperties {
    pub(super) fn into_checkpoint(self) -> Work<Checkpoint> {
        let head: HeadText = serde_json::from_str(&self.head)?;
        let links: Vec<LinkText> = serde_json::from_str(&self.links)?;
        let records: Vec<BulletRecord> = serde_json::from_str(&self.bullets)?;
        let bullet = |record: &BulletRecord| {
            record.to_bullet(u32::MAX).map_err(|reason| {
                let id = record.id;
                Failure::Damaged(format!(
                    "a checkpoint whose bullet {id} cannot be: {reason}"
                ))
            })
        };
        Ok(Checkpoint {
            digest: self.digest,
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
                bullets: records.iter().map(bullet).collect::<Work<_>>()?,
                links: links.into_iter().map(link_of).collect(),
            },
        })
    }
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
