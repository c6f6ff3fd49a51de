//! The header of a bullet: the few fields that ranking, refining and pruning read of many bullets.
//!
//! A header is small and `Copy`; a whole bullet is unpacked with its text and names at each read.

use super::bullet_kind::{Kind, MemoryType, Source, Status};
use super::counts::Counts;
use hindlore_primitives::timestamp::Timestamp;

/// The fixed-size fields of a bullet that decisions read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct BulletHeader {
    pub(crate) memory_type: MemoryType,
    pub(crate) kind: Kind,
    pub(crate) source: Source,
    pub(crate) status: Status,
    pub(crate) pinned: bool,
    pub(crate) holds_hash: bool,
    pub(crate) counts: Counts,
    pub(crate) strength: f64,
    pub(crate) access_index: Option<u64>,
    pub(crate) created_at: Timestamp,
    pub(crate) created_tick: u64,
    pub(crate) position: u64,
    pub(crate) ttl_days: Option<u32>,
}

impl BulletHeader {
    /// Returns true if the bullet takes part in retrieval and learning.
    pub(crate) fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// Returns true if the bullet's lifetime ended at or before `now`. Pinned bullets never expire.
    pub(crate) fn is_expired(&self, now: Timestamp) -> bool {
        !self.pinned
            && self
                .ttl_days
                .is_some_and(|days| self.created_at.plus_days(days) <= now)
    }

    /// Returns true if the bullet is general advice, seeded or learned.
    pub(crate) fn is_meta_strategy(&self) -> bool {
        self.kind == Kind::MetaStrategy
    }

    /// Returns true if the bullet is a seed: general advice that came with the memory.
    pub(crate) fn is_seed(&self) -> bool {
        self.is_meta_strategy() && self.source == Source::Seed
    }
}
