//! The header of a bullet: the few fields that ranking, refining and pruning read of many bullets.
//!
//! A header is small and `Copy`; a whole bullet is unpacked with its text and names at each read.

use super::bullet_kind::{Kind, MemoryType, Source, Status};
use super::counts::Counts;
use hindlore_primitives::timestamp::Timestamp;

/// The fixed-size fields of a bullet that decisions read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct BulletHeader {
    pub(super) memory_type: MemoryType,
    pub(super) kind: Kind,
    pub(super) source: Source,
    pub(super) status: Status,
    pub(super) pinned: bool,
    pub(super) holds_hash: bool,
    pub(super) counts: Counts,
    pub(super) strength: f64,
    pub(super) access_index: Option<u64>,
    pub(super) created_at: Timestamp,
    pub(super) created_tick: u64,
    pub(super) position: u64,
    pub(super) ttl_days: Option<u32>,
}

impl BulletHeader {
    /// Returns true if the bullet takes part in retrieval and learning.
    pub(super) fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// Returns true if the bullet's lifetime ended at or before `now`. Pinned bullets never expire.
    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        !self.pinned
            && self
                .ttl_days
                .is_some_and(|days| self.created_at.plus_days(days) <= now)
    }

    /// Returns true if the bullet is general advice, seeded or learned.
    pub(super) fn is_meta_strategy(&self) -> bool {
        self.kind == Kind::MetaStrategy
    }

    /// Returns true if the bullet is a seed: general advice that came with the memory.
    pub(super) fn is_seed(&self) -> bool {
        self.is_meta_strategy() && self.source == Source::Seed
    }
}
