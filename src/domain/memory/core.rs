//! The core of a bullet: the few fields that ranking, refining and pruning read of many bullets.
//!
//! It is small and copied, where a bullet with its text and names is made anew for each reader.

use super::bullet::{Bullet, Counts, Kind, MemoryType, Source, Status};
use super::decay::{decayed, remaining_share, ticks_since};
use super::policy::Rates;
use crate::timestamp::Timestamp;

/// Those fields of a bullet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Core {
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

impl Core {
    /// The core of a bullet.
    pub(super) fn of(bullet: &Bullet) -> Self {
        Self {
            memory_type: bullet.memory_type,
            kind: bullet.kind,
            source: bullet.source,
            status: bullet.status,
            pinned: bullet.pinned,
            holds_hash: bullet.holds_hash,
            counts: bullet.counts,
            strength: bullet.strength,
            access_index: bullet.access_index,
            created_at: bullet.created_at,
            created_tick: bullet.created_tick,
            position: bullet.position,
            ttl_days: bullet.ttl_days,
        }
    }

    /// True for a bullet that takes part in retrieval and learning.
    pub(super) fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// True when its time to live ended at or before `now`; pinned bullets never expire.
    pub(super) fn is_expired(&self, now: Timestamp) -> bool {
        !self.pinned
            && self
                .ttl_days
                .is_some_and(|days| self.created_at.plus_days(days) <= now)
    }

    /// True for general advice, planted or learned.
    pub(super) fn is_meta_strategy(&self) -> bool {
        self.kind == Kind::MetaStrategy
    }

    /// True for general advice that was planted, which has places of its own.
    pub(super) fn is_planted(&self) -> bool {
        self.is_meta_strategy() && self.source == Source::Seed
    }

    /// The decayed score at `clock`: the sum over the components, of which one is active.
    pub(super) fn decayed_score(&self, rates: &Rates, clock: u64) -> f64 {
        let ticks = ticks_since(self.access_index, clock);
        decayed(self.strength, rates.of(self.memory_type), ticks)
    }

    /// decayed score / own strength, 0..=1.
    pub(super) fn retention(&self, rates: &Rates, clock: u64) -> f64 {
        if self.strength <= 0.0 {
            return 0.0;
        }
        let ticks = ticks_since(self.access_index, clock);
        remaining_share(rates.of(self.memory_type), ticks)
    }
}

const DAY_MS: i64 = 86_400_000;

/// The days after its birth that a bullet lives when it takes another in: for ever when either does, else
/// until the later of the two ends, to the nearest day.
pub(super) fn longer_life(keep: &Bullet, drop: &Bullet) -> Option<u32> {
    let (own, other) = (keep.ttl_days?, drop.ttl_days?);
    let end = drop.created_at.plus_days(other).millis();
    let lives = end.saturating_sub(keep.created_at.millis()).max(0);
    let days = (lives + DAY_MS / 2) / DAY_MS;
    Some(own.max(u32::try_from(days).unwrap_or(u32::MAX)))
}
