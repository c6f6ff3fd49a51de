//! The receipt of a delta: its changes, returned to its sender now and whenever the delta is sent again.
//!
//! Receipts are stored with their deltas, so a resent delta gets the same answer without being applied twice.

use serde::{Deserialize, Serialize};

use super::aggregate::Memory;
use super::apply::count_change::CountChange;
use super::bullet::{Bullet, BulletId};
use super::delta::DeltaId;
use super::link::{Link, LinkKind};
use super::policy::Policy;
use super::record::BulletRecord;
use hindlore_primitives::word_enum;

use std::sync::Arc;

/// A merge of one bullet into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Merged {
    /// The surviving bullet.
    pub into: BulletId,
    /// The merged bullet; equal to `into` if an equal text reinforced it without adding a bullet.
    pub from: BulletId,
}

/// An operation that was not applied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// Index of the operation in its delta, from 0.
    pub operation: usize,
    /// The reason and the remedy.
    pub reason: String,
}

/// Two bullets that a delta linked: the guard kept them apart, or one gives a newer value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Linked {
    /// `SIMILAR_TO`, `CONFLICTS_WITH` or `SUPERSEDES`.
    pub kind: LinkKind,
    /// One of the two; of `SUPERSEDES` the newer one.
    pub from: BulletId,
    /// The other.
    pub to: BulletId,
    /// The difference that kept them apart, or the old and the new value.
    pub reason: String,
}

/// The result of a delta.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Receipt {
    /// Id of the delta.
    pub delta: DeltaId,
    /// Revision of the memory after it.
    pub revision: u64,
    /// Access clock after it, which is its tick.
    pub clock: u64,
    /// State digest after it.
    pub digest: String,
    /// Content digest after it.
    pub content_digest: String,
    /// New bullets.
    pub added: Vec<BulletId>,
    /// Bullets whose fields or counts changed.
    pub updated: Vec<BulletId>,
    /// Archived bullets: removed, pruned, expired, harmful or merged into others.
    pub archived: Vec<BulletId>,
    /// Archived bullets that became active again.
    pub revived: Vec<BulletId>,
    /// Rejected bullets.
    pub rejected: Vec<BulletId>,
    /// Merges, at ADD and in the refine pass.
    pub merged: Vec<Merged>,
    /// Bullets that were linked.
    pub linked: Vec<Linked>,
    /// Operations that were not applied.
    pub refused: Vec<Refused>,
}

impl Receipt {
    /// Returns true if two receipts are equal except for the digests.
    pub fn differs_only_in_digests(&self, other: &Self) -> bool {
        let digests = Self {
            digest: self.digest.clone(),
            content_digest: self.content_digest.clone(),
            ..other.clone()
        };
        *self == digests
    }
}

impl Receipt {
    /// Creates the receipt of a delta that changed nothing.
    pub fn unchanged(delta: DeltaId, memory: &mut Memory) -> Self {
        Self {
            delta,
            revision: memory.revision(),
            clock: memory.clock(),
            digest: memory.digest(),
            content_digest: memory.content_digest(),
            added: Vec::new(),
            updated: Vec::new(),
            archived: Vec::new(),
            revived: Vec::new(),
            rejected: Vec::new(),
            merged: Vec::new(),
            linked: Vec::new(),
            refused: Vec::new(),
        }
    }
}

word_enum! {
    /// The change of a delta to one bullet; of several changes, the first in this order.
    ChangeKind {
        /// Added it.
        Added = "ADDED",
        /// Rejected it.
        Rejected = "REJECTED",
        /// Merged it into another.
        Merged = "MERGED",
        /// Archived it.
        Archived = "ARCHIVED",
        /// Changed its fields, counts or status in another way.
        Changed = "CHANGED",
    }
}

/// One bullet before and after an event.
#[derive(Clone, PartialEq, Debug)]
pub struct BulletChange {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The bullet before; `None` if the event added it.
    pub before: Option<Arc<Bullet>>,
    /// The bullet after.
    pub after: Arc<Bullet>,
}

/// All changes of an event to a memory, except to its clock and revision.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Changes {
    /// Changed bullets, ascending by id.
    pub bullets: Vec<BulletChange>,
    /// Changed links, before and after, ascending by identity.
    pub links: Vec<(Option<Link>, Link)>,
    /// The policies before and after, if they differ.
    pub policy: Option<(Policy, Policy)>,
}

/// The part of a change that history stores for undo and `as_of`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// The bullet.
    pub bullet: BulletId,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The bullet before; `None` if the delta added it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<BulletRecord>>,
    /// The change of its counts; for a new bullet, its counts.
    pub counts: CountChange,
    /// Whether more than counts, strength and ticks changed, such as text, status or tags.
    pub fields: bool,
}

impl ChangeRecord {
    /// Creates the record of a change.
    pub fn from_change(change: &BulletChange) -> Self {
        let after = &change.after;
        let before = change.before.as_deref();
        let before_counts = before.map(|b| b.counts).unwrap_or_default();
        Self {
            bullet: after.id,
            kind: change.kind,
            before: before.map(BulletRecord::from_bullet).map(Box::new),
            counts: CountChange::between(before_counts, after.counts),
            fields: before.is_none_or(|before| !same_fields(before, after)),
        }
    }
}

/// Returns true if two states of a bullet differ at most in counts, strength and ticks.
pub fn same_fields(before: &Bullet, after: &Bullet) -> bool {
    let counted = Bullet {
        counts: before.counts,
        strength: before.strength,
        access_index: before.access_index,
        last_access: before.last_access,
        last_used: before.last_used,
        changed_tick: before.changed_tick,
        ..after.clone()
    };
    *before == counted
}
