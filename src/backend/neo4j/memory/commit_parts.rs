//! The parts of a commit without its events: the memory's changed properties, and its bullets by the writes they need.

use std::collections::HashSet;
use std::sync::Arc;

use crate::bolt::values::Map;
use crate::error::{Failure, Result};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_store::{Commit, EventRecord, Position};

/// The parts of a commit without its events, links and marks.
pub(super) struct Parts<'a> {
    /// Changed properties of the memory.
    pub(super) head: Map,
    /// New bullets.
    pub(super) new: Vec<&'a Bullet>,
    /// Existing bullets.
    pub(super) old: Vec<&'a Bullet>,
    /// Existing bullets whose tags, topic or concept may have changed.
    pub(super) relabelled: Vec<&'a Bullet>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(before: &Position, commit: &'a Commit) -> Result<Self> {
        let after = commit.position_after(before).map_err(Failure::Refused)?;
        let start = commit.origin_clock.unwrap_or(before.clock);
        let bullets = commit.bullets.iter().map(Arc::as_ref);
        // A bullet that was made after the start has no node yet.
        let (new, old): (Vec<&Bullet>, Vec<&Bullet>) =
            bullets.partition(|bullet| bullet.created_tick > start);
        let changed = changed_fields(commit);
        let relabelled = old.iter().filter(|bullet| changed.contains(&bullet.id));
        Ok(Self {
            head: head_after(&after, commit)?,
            relabelled: relabelled.copied().collect(),
            new,
            old,
        })
    }
}

/// The properties of the memory that a commit changes.
fn head_after(after: &Position, commit: &Commit) -> Result<Map> {
    if commit.events.is_empty() {
        return Ok(Map::new());
    }
    let policy = commit.policy.as_ref().map(serde_json::to_string);
    let mut head = Map::new()
        .whole("access_clock", after.clock)?
        .whole("revision", after.revision)?
        .with("policy", policy.transpose()?);
    if let Some(origin) = commit.origin_clock {
        head = head.whole("origin_clock", origin)?;
    }
    // A reader leaves the links out while this tick is not above its clock.
    if !commit.links.is_empty() {
        head = head.whole("linked_tick", after.clock)?;
    }
    Ok(head)
}

/// The bullets of which more than counts changed; only their tags can differ from before.
fn changed_fields(commit: &Commit) -> HashSet<BulletId> {
    let deltas = commit.events.iter().filter_map(|event| match event {
        EventRecord::Delta(delta) => Some(delta),
        EventRecord::Retrieval(_) => None,
    });
    let changes = deltas.flat_map(|delta| &delta.changes);
    changes.filter(|c| c.fields).map(|c| c.bullet).collect()
}
