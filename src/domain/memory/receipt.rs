//! What a delta did: the receipt that its sender gets, now and whenever it is sent again.

use serde::{Deserialize, Serialize};

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId};
use super::count_change::CountChange;
use super::delta::DeltaId;
use super::link::{Link, LinkKind};
use super::policy::Policy;
use super::record::BulletRecord;
use crate::word_enum;

use std::sync::Arc;

/// One bullet that went into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Merged {
    /// The survivor.
    pub into: BulletId,
    /// The loser; equal to the survivor when an equal text reinforced it and no bullet was made.
    pub from: BulletId,
}

/// An operation that was not applied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// Index of the operation in its delta, from 0.
    pub operation: usize,
    /// Why, and what to do.
    pub reason: String,
}

/// Two similar bullets that the guard kept apart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Linked {
    /// `SIMILAR_TO` or `CONFLICTS_WITH`.
    pub kind: LinkKind,
    /// One of the two.
    pub from: BulletId,
    /// The other.
    pub to: BulletId,
    /// What kept them apart.
    pub reason: String,
}

/// What a delta did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Receipt {
    /// The delta.
    pub delta: DeltaId,
    /// Revision of the memory after it.
    pub revision: u64,
    /// Access clock after it: the delta's own tick.
    pub clock: u64,
    /// State digest after it.
    pub digest: String,
    /// Content digest after it.
    pub content_digest: String,
    /// New bullets.
    pub added: Vec<BulletId>,
    /// Bullets whose fields or counts changed.
    pub updated: Vec<BulletId>,
    /// Bullets that were archived: removed, pruned, expired, harmful or merged away.
    pub archived: Vec<BulletId>,
    /// Archived bullets that came back.
    pub revived: Vec<BulletId>,
    /// Bullets that were rejected.
    pub rejected: Vec<BulletId>,
    /// Merges, at add and in the refine pass.
    pub merged: Vec<Merged>,
    /// Similar bullets that were kept apart.
    pub linked: Vec<Linked>,
    /// Operations that were not applied.
    pub refused: Vec<Refused>,
}

impl Receipt {
    /// True when two receipts tell the same of a delta, whatever the digests after it are.
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
    /// The receipt of a delta that left a memory as it stands now.
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
    /// What a delta did to one bullet, most telling first.
    ChangeKind {
        /// Made it.
        Added = "ADDED",
        /// Rejected it.
        Rejected = "REJECTED",
        /// Merged it into another.
        Merged = "MERGED",
        /// Archived it.
        Archived = "ARCHIVED",
        /// Changed fields, counts or status otherwise.
        Changed = "CHANGED",
    }
}

/// One bullet before and after an event.
#[derive(Clone, PartialEq, Debug)]
pub struct BulletChange {
    /// What happened to it.
    pub kind: ChangeKind,
    /// As it was; absent when the event made it.
    pub before: Option<Arc<Bullet>>,
    /// As it is.
    pub after: Arc<Bullet>,
}

/// Everything that an event changed in a memory besides its clock and revision.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Changes {
    /// Changed bullets, ascending by id.
    pub bullets: Vec<BulletChange>,
    /// Changed links (before, after), ascending by identity.
    pub links: Vec<(Option<Link>, Link)>,
    /// The policies before and after, where they differ.
    pub policy: Option<(Policy, Policy)>,
}

/// The part of a change that history keeps: what undo and `as_of` need.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// The bullet.
    pub bullet: BulletId,
    /// What happened to it.
    pub kind: ChangeKind,
    /// The bullet as it was; absent when the delta made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<BulletRecord>>,
    /// By how much its counts changed; for a new bullet, its counts.
    pub counts: CountChange,
    /// True when more than counts, strength and ticks changed: text, status, tags, merge and the like.
    pub fields: bool,
}

impl ChangeRecord {
    /// The record of a change.
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

/// True when two states of a bullet differ at most in counts, strength and ticks.
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
