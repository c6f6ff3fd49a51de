//! Verb: find changes made to the store without the engine.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::actor::snapshot::Snapshot;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::history::replaying::{Mismatch, Until, replay};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::digest::{content_leaf, state_leaf};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{Link, LinkId};
use hindlore_store::{MemoryStoreExt, ShapeFault, ShapeRemedy};

/// A stored bullet that differs from the one its events made.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The bullet.
    pub bullet: BulletId,
    /// Names of the differing fields; empty if the bullet is missing on one side.
    pub fields: Vec<&'static str>,
    /// As its events made it; absent if no event did.
    pub expected: Option<Bullet>,
    /// As stored; absent if it is gone.
    pub stored: Option<Bullet>,
}

/// A link that differs from the one its events made.
#[derive(Clone, PartialEq, Debug)]
pub struct LinkDifference {
    /// As its events made it; absent if no event did.
    pub expected: Option<Link>,
    /// As stored; absent if it is gone.
    pub stored: Option<Link>,
}

impl fmt::Display for LinkDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(link) = self.expected.as_ref().or(self.stored.as_ref()) else {
            return Ok(());
        };
        let what = match (&self.expected, &self.stored) {
            (Some(_), None) => "is gone",
            (None, _) => "was made by no event",
            _ => "was changed",
        };
        let id = link.id;
        write!(
            f,
            "the link {} from {} to {} {what}",
            id.kind.word(),
            id.from,
            id.to
        )
    }
}

/// The result of a verification.
#[derive(Debug)]
pub struct Verified {
    /// Events replayed.
    pub events: u64,
    /// Events whose replay differs from their receipts.
    pub mismatches: Vec<Mismatch>,
    /// Differing bullets, ascending by id.
    pub differences: Vec<Difference>,
    /// Differing links.
    pub links: Vec<LinkDifference>,
    /// Faults in the form of the memory that contradict its contents.
    pub shape: Vec<ShapeFault>,
    /// Differing policy fields, with their stored values.
    pub policy: serde_json::Map<String, serde_json::Value>,
    /// True if the events lead to the clock and revision of the store.
    pub is_complete: bool,
    /// True if clock, revision, policy, all bullets and links are as the events made them, and nothing contradicts them.
    pub is_sound: bool,
    /// Clock of the store.
    pub stored_clock: u64,
    /// Revision of the store.
    pub stored_revision: u64,
    /// State digest of the store.
    pub stored_digest: String,
    /// State digest of the replay.
    pub replayed_digest: String,
}

impl Engine {
    /// Compares the stored state of a memory with a replay of its events.
    pub async fn verify(&self, key: &MemoryKey) -> EngineResult<Verified> {
        let (verified, _) = self.verify_with_replay(key).await?;
        Ok(verified)
    }

    pub(super) async fn verify_with_replay(
        &self,
        key: &MemoryKey,
    ) -> EngineResult<(Verified, Memory)> {
        let mut compared_at = None;
        loop {
            // Boxed: a replay and the state next to it would need much of a thread's stack.
            let (clock, found) = Box::pin(self.compare_with_replay(key)).await?;
            // A compaction beyond the loaded state removed the events to compare: compare again with the
            // present state. The clock rises from round to round, so this ends when compactions do.
            let is_overtaken = !found.0.is_sound
                && compared_at < Some(clock)
                && self.is_folded_beyond(key, clock).await?;
            if !is_overtaken {
                return Ok(found);
            }
            compared_at = Some(clock);
        }
    }

    async fn is_folded_beyond(&self, key: &MemoryKey, clock: u64) -> EngineResult<bool> {
        let newest = self.store().checkpoint(key, u64::MAX >> 1).await?;
        Ok(newest.is_some_and(|newest| newest.state.head.position.clock > clock))
    }

    /// Compares once; returns the clock of the loaded state as well.
    async fn compare_with_replay(
        &self,
        key: &MemoryKey,
    ) -> EngineResult<(u64, (Verified, Memory))> {
        let loaded = self
            .store()
            .load(key)
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let mut stored = Snapshot::from_loaded(key.clone(), loaded).memory;
        let clock = stored.clock();
        // Only up to the loaded clock, because others may write events after the load.
        let replayed = replay(self.context(), key, Until::Tick(clock)).await?;
        let mut memory = replayed.memory;
        let differences = Difference::between(&memory.bullets(), &stored.bullets());
        let policy = memory.policy().changed_in(stored.policy());
        let (stored_digest, replayed_digest) = (stored.digest(), memory.digest());
        let is_complete =
            (memory.clock(), memory.revision()) == (stored.clock(), stored.revision());
        let links = LinkDifference::between(&memory, &stored);
        let shape = self.store().shape(key).await?;
        let is_sound = differences.is_empty()
            && links.is_empty()
            && shape.is_empty()
            && stored_digest == replayed_digest
            && policy.is_empty()
            && replayed.mismatches.is_empty();
        let verified = Verified {
            events: replayed.events,
            mismatches: replayed.mismatches,
            differences,
            links,
            shape,
            policy,
            is_complete,
            is_sound,
            stored_clock: clock,
            stored_revision: stored.revision(),
            stored_digest,
            replayed_digest,
        };
        Ok((clock, (verified, memory)))
    }
}

impl Verified {
    /// Describes the first event that differs in more than digests; absent if there is none.
    pub(super) fn broken_event(&self) -> Option<String> {
        let wrong = self.mismatches.iter().find(|one| !one.is_digest_only)?;
        let (tick, reason) = (wrong.tick, &wrong.reason);
        Some(format!(
            "the event at tick {tick} cannot be replayed: {reason}"
        ))
    }

    /// Why no delta can repair it; absent if one can.
    pub fn unreplayable(&self) -> Option<String> {
        if let Some(broken) = self.broken_event() {
            return Some(broken);
        }
        let mut lost = self.shape.iter();
        if let Some(lost) = lost.find(|fault| fault.remedy == ShapeRemedy::Rebase) {
            return Some(lost.message.clone());
        }
        let is_adoptable = !self.differences.is_empty() || !self.policy.is_empty();
        if self.is_complete && (is_adoptable || self.stored_digest == self.replayed_digest) {
            None
        } else {
            Some("the events do not lead to the clock and the revision of the memory".to_owned())
        }
    }
}

impl LinkDifference {
    /// Lists the links that differ between the expected and the stored memory, ascending.
    fn between(expected: &Memory, stored: &Memory) -> Vec<Self> {
        let of = |memory: &Memory| -> BTreeMap<LinkId, Link> {
            memory
                .all_links()
                .map(|link| (link.id, link.clone()))
                .collect()
        };
        let (expected, mut there) = (of(expected), of(stored));
        let mut found = Vec::new();
        for (id, link) in expected {
            let stored = there.remove(&id);
            if stored.as_ref() != Some(&link) {
                found.push(Self {
                    expected: Some(link),
                    stored,
                });
            }
        }
        found.extend(there.into_values().map(|link| Self {
            expected: None,
            stored: Some(link),
        }));
        found
    }
}

impl Difference {
    /// Lists the bullets that differ between the expected and the stored state, ascending by id.
    pub fn between(expected: &[Bullet], stored: &[Bullet]) -> Vec<Self> {
        let mut strangers: HashMap<BulletId, &Bullet> =
            stored.iter().map(|bullet| (bullet.id, bullet)).collect();
        let mut found = Vec::new();
        for bullet in expected {
            match strangers.remove(&bullet.id) {
                None => found.push(Self {
                    bullet: bullet.id,
                    fields: Vec::new(),
                    expected: Some(bullet.clone()),
                    stored: None,
                }),
                Some(other) if !same(bullet, other) => found.push(Self {
                    bullet: bullet.id,
                    fields: differing_fields(bullet, other),
                    expected: Some(bullet.clone()),
                    stored: Some(other.clone()),
                }),
                Some(_) => {}
            }
        }
        found.extend(strangers.into_values().map(|bullet| Self {
            bullet: bullet.id,
            fields: Vec::new(),
            expected: None,
            stored: Some(bullet.clone()),
        }));
        found.sort_by_key(|difference| difference.bullet);
        found
    }
}

fn same(a: &Bullet, b: &Bullet) -> bool {
    state_leaf(a) == state_leaf(b)
        && content_leaf(a) == content_leaf(b)
        && differing_fields(a, b).is_empty()
}

fn differing_fields(a: &Bullet, b: &Bullet) -> Vec<&'static str> {
    let pairs = [
        ("content", a.content == b.content),
        (
            "content_hash",
            a.holds_hash == b.holds_hash && a.content_hash() == b.content_hash(),
        ),
        ("counts", a.counts == b.counts),
        ("memory_type", a.memory_type == b.memory_type),
        ("kind", a.kind == b.kind),
        ("status", a.status == b.status),
        ("pinned", a.pinned == b.pinned),
        ("strength", a.strength.to_bits() == b.strength.to_bits()),
        ("access_index", a.access_index == b.access_index),
        ("created_tick", a.created_tick == b.created_tick),
        ("changed_tick", a.changed_tick == b.changed_tick),
        ("tags", a.tags == b.tags),
        ("section", a.section == b.section),
        ("topic", a.topic == b.topic),
        ("concept", a.concept == b.concept),
        ("ttl_days", a.ttl_days == b.ttl_days),
        (
            "importance",
            a.importance.to_bits() == b.importance.to_bits(),
        ),
        ("source", a.source == b.source),
        ("merged_into", a.merged_into == b.merged_into),
        ("created_at", a.created_at == b.created_at),
        ("last_used", a.last_used == b.last_used),
        ("last_access", a.last_access == b.last_access),
        ("legacy_id", a.legacy_id == b.legacy_id),
        ("embedding", a.embedding == b.embedding),
        ("position", a.position == b.position),
    ];
    pairs
        .into_iter()
        .filter(|(_, same)| !same)
        .map(|(name, _)| name)
        .collect()
}
