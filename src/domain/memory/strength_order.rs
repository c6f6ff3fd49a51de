//! Bullets in the order of their strength part, which the clock does not change.
//!
//! Within one memory type every strength part shrinks by the same factor per tick. So
//! ln(factor) + (access index − origin) · −ln(1 − rate), the *level*, orders a type's bullets by
//! strength at every clock; it changes only when a bullet is touched or voted on. Levels bound and
//! enumerate; what is compared in the end is the strength part as computed. Bounds from levels are
//! conservative: they leave room for the rounding of logarithms and powers and for underflow.
//!
//! Equal strength parts are kept in the order of the tie rule, so that a search can leave a whole run
//! of equals when it has enough of them.

mod ceilings;
mod levels;
mod member_lists;
mod rank;
mod tier;

use std::cmp::Ordering;
use std::sync::OnceLock;

pub(super) use ceilings::steps;
pub(super) use tier::{Closer, Heights, Member, Tier};

use ceilings::{Bytes, Table, Tiered};
use rank::Rank;

use super::bullet::MemoryType;
use super::family::{Family, tie_rank};
use super::header::BulletHeader;
use super::policy::Policy;
use super::shelf::Shelf;

/// Groups: each memory type, decaying and not (no access index: has not begun to fade).
pub(super) const GROUPS: usize = 6;
/// The group of slots that take no part.
const NO_GROUP: u8 = u8::MAX;
/// A decay this fast leaves nothing: e^-64 per tick. Stands for the infinity of rate 1.
const FASTEST: f64 = 64.0;
/// Room for the rounding of logarithms, powers and sums, relative to the terms.
const SLACK: f64 = 1e-9;
const CHUNK: usize = 256;

/// Active bullets by group and level.
#[derive(Debug)]
pub(super) struct StrengthOrder {
    family: Family,
    classic: bool,
    /// −ln(1 − rate) by group.
    decay: [f64; GROUPS],
    /// The highest access index that ever came in.
    newest: u64,
    /// Tick that levels are relative to; near the clock, so that they stay small and exact.
    origin: u64,
    /// Group by slot.
    groups: Vec<u8>,
    /// Level by slot, rounded up.
    levels: Vec<f32>,
    chunks: [Vec<Chunk>; GROUPS],
    /// What strength and type add to scores at most; made when that is first asked for.
    table: OnceLock<Table>,
    bytes: OnceLock<Bytes>,
    tier: OnceLock<Tiered>,
}

/// Neighbours in the order, and the level of the first.
#[derive(Debug)]
struct Chunk {
    level: f64,
    slots: Vec<u32>,
}

/// A place in the order of a group.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    chunk: usize,
    at: usize,
}

impl StrengthOrder {
    /// The order of a memory's active bullets.
    pub(super) fn build(family: Family, policy: &Policy, clock: u64, shelf: &Shelf) -> Self {
        let decay = |group: usize| match (family, group.checked_sub(MemoryType::ALL.len())) {
            (Family::Ratio, _) | (_, Some(_)) => 0.0,
            _ => {
                let kept = 1.0 - policy.rates.of(MemoryType::ALL[group]);
                (-libm::log(kept)).min(FASTEST)
            }
        };
        let mut order = Self {
            family,
            classic: policy.is_classic(),
            decay: std::array::from_fn(decay),
            newest: 0,
            origin: clock,
            groups: vec![NO_GROUP; shelf.len()],
            levels: vec![f32::NEG_INFINITY; shelf.len()],
            chunks: std::array::from_fn(|_| Vec::new()),
            table: OnceLock::new(),
            bytes: OnceLock::new(),
            tier: OnceLock::new(),
        };
        let mut members: [Vec<(Rank, u32)>; GROUPS] = std::array::from_fn(|_| Vec::new());
        for slot in shelf.slots() {
            let bullet = shelf.core(slot);
            if let Some(group) = order.group_for(&bullet) {
                let rank = order.rank(group, &bullet, slot);
                order.note(slot, group, rank.level);
                order.newest = order.newest.max(bullet.access_index.unwrap_or_default());
                members[group].push((rank, slot));
            }
        }
        for (group, mut members) in members.into_iter().enumerate() {
            members.sort_unstable_by(|a, b| a.0.compare(&b.0));
            let chunks = members.chunks(CHUNK / 4 * 3).map(|part| Chunk {
                level: part[0].0.level,
                slots: part.iter().map(|(_, slot)| *slot).collect(),
            });
            order.chunks[group] = chunks.collect();
        }
        order
    }

    /// True while levels near this clock are small enough to tell bullets apart.
    pub(super) fn is_near(&self, clock: u64) -> bool {
        clock.abs_diff(self.origin) < 1 << 22
    }

    /// Puts an active bullet in; the shelf holds it at its slot.
    pub(super) fn insert(&mut self, slot: u32, shelf: &Shelf) {
        let bullet = shelf.core(slot);
        let Some(group) = self.group_for(&bullet) else {
            return;
        };
        let level = self.level(group, &bullet);
        self.note(slot, group, level);
        self.newest = self.newest.max(bullet.access_index.unwrap_or_default());
        let place = self.find(group, slot, shelf);
        let chunks = &mut self.chunks[group];
        let Some(chunk) = chunks.get_mut(place.chunk) else {
            let slots = vec![slot];
            chunks.push(Chunk { level, slots });
            return;
        };
        chunk.slots.insert(place.at, slot);
        if place.at == 0 {
            chunk.level = level;
        }
        if chunk.slots.len() > CHUNK {
            let slots = chunk.slots.split_off(CHUNK / 2);
            let level = self.level(group, &shelf.core(slots[0]));
            self.chunks[group].insert(place.chunk + 1, Chunk { level, slots });
        }
    }

    /// Takes out a bullet; the shelf still holds it at its slot as it was put in.
    pub(super) fn remove(&mut self, slot: u32, shelf: &Shelf) {
        let Some(group) = self.group(slot) else {
            return;
        };
        self.groups[slot as usize] = NO_GROUP;
        self.levels[slot as usize] = f32::NEG_INFINITY;
        self.note_ceiling(slot);
        let place = self.find(group, slot, shelf);
        let chunks = &mut self.chunks[group];
        let Some(chunk) = chunks.get_mut(place.chunk) else {
            return;
        };
        debug_assert_eq!(chunk.slots.get(place.at), Some(&slot), "the order is whole");
        chunk.slots.remove(place.at);
        match chunk.slots.first() {
            None => {
                chunks.remove(place.chunk);
            }
            Some(first) => {
                let first = *first;
                if place.at == 0 {
                    let level = self.level(group, &shelf.core(first));
                    self.chunks[group][place.chunk].level = level;
                }
            }
        }
    }

    /// True when a group has no bullet.
    pub(super) fn is_empty(&self, group: usize) -> bool {
        self.chunks[group].is_empty()
    }

    /// The group of a slot that takes part.
    #[inline]
    pub(super) fn group(&self, slot: u32) -> Option<usize> {
        let group = *self.groups.get(slot as usize)?;
        (group != NO_GROUP).then_some(usize::from(group))
    }

    /// The level of a slot, rounded up; −∞ for what takes no part.
    #[inline]
    pub(super) fn level_of(&self, slot: u32) -> f32 {
        let level = self.levels.get(slot as usize);
        level.copied().unwrap_or(f32::NEG_INFINITY)
    }

    /// The memory type of a group.
    pub(super) fn memory_type(group: usize) -> MemoryType {
        MemoryType::ALL[group % MemoryType::ALL.len()]
    }

    /// The slot at a place.
    #[inline]
    pub(super) fn slot_at(&self, group: usize, place: Place) -> Option<u32> {
        let chunk = self.chunks[group].get(place.chunk)?;
        chunk.slots.get(place.at).copied()
    }

    /// The place behind another.
    #[inline]
    pub(super) fn next(&self, group: usize, place: Place) -> Place {
        let (chunk, at) = (place.chunk, place.at + 1);
        if at < self.chunks[group][chunk].slots.len() {
            return Place { chunk, at };
        }
        let chunk = chunk + 1;
        Place { chunk, at: 0 }
    }

    /// The first place behind another for which a condition fails that held up to there.
    pub(super) fn skip(&self, group: usize, place: Place, holds: impl Fn(u32) -> bool) -> Place {
        let chunks = &self.chunks[group];
        let first = |chunk: &Chunk| chunk.slots.first().is_some_and(|slot| holds(*slot));
        let ahead = chunks[place.chunk + 1..].partition_point(first);
        let chunk = place.chunk + ahead;
        let from = if ahead == 0 { place.at } else { 0 };
        let slots = &chunks[chunk].slots[from..];
        let at = from + slots.partition_point(|slot| holds(*slot));
        if at < chunks[chunk].slots.len() {
            return Place { chunk, at };
        }
        let chunk = chunk + 1;
        Place { chunk, at: 0 }
    }

    /// The slots of a group, the weakest first.
    pub(super) fn weakest_first(&self, group: usize) -> impl Iterator<Item = u32> {
        let chunks = self.chunks[group].iter().rev();
        chunks.flat_map(|chunk| chunk.slots.iter().rev().copied())
    }

    /// About how many bullets of a group lie at or above a level, from a place on.
    pub(super) fn count_from(&self, group: usize, place: Place, level: f64) -> usize {
        let chunks = &self.chunks[group];
        let Some(ahead) = chunks.get(place.chunk + 1..) else {
            return match chunks.get(place.chunk) {
                Some(_) => CHUNK,
                None => 0,
            };
        };
        let own = match chunks.get(place.chunk) {
            Some(chunk) if chunk.level >= level => chunk.slots.len() - place.at,
            _ => 0,
        };
        own + ahead.partition_point(|chunk| chunk.level >= level) * CHUNK * 3 / 4
    }

    /// Equal factor and access index: equal strength part at every clock, to the last bit.
    pub(super) fn are_equal(&self, group: usize, a: &BulletHeader, b: &BulletHeader) -> bool {
        let same_index = self.decay[group] <= 0.0 || a.access_index == b.access_index;
        same_index && self.family.factor(a).to_bits() == self.family.factor(b).to_bits()
    }

    fn group_for(&self, bullet: &BulletHeader) -> Option<usize> {
        let advice = self.family == Family::Retained && bullet.is_planted();
        if !bullet.is_active() || advice {
            return None;
        }
        let kind = bullet.memory_type as usize;
        let fades = self.family == Family::Ratio || bullet.access_index.is_some();
        Some(if fades {
            kind
        } else {
            kind + MemoryType::ALL.len()
        })
    }

    fn note(&mut self, slot: u32, group: usize, level: f64) {
        let at = slot as usize;
        if self.groups.len() <= at {
            self.groups.resize(at + 1, NO_GROUP);
            self.levels.resize(at + 1, f32::NEG_INFINITY);
        }
        self.groups[at] = u8::try_from(group).unwrap_or(NO_GROUP);
        self.levels[at] = rounded_up(level);
        self.note_ceiling(slot);
    }

    /// Where an entry is, or belongs; the shelf holds what it is ranked by.
    fn find(&self, group: usize, slot: u32, shelf: &Shelf) -> Place {
        let chunks = &self.chunks[group];
        let rank_of = |slot: u32| self.rank(group, &shelf.core(slot), slot);
        let own = rank_of(slot);
        let rounded = rounded_up(own.level);
        let is_before = |other: u32| {
            // Rounding keeps the order, so that only what it made equal has to be looked at.
            let level = self.levels[other as usize];
            other != slot
                && match rounded.total_cmp(&level) {
                    Ordering::Equal => rank_of(other).compare(&own) == Ordering::Less,
                    order => order == Ordering::Less,
                }
        };
        let behind = chunks.partition_point(|chunk| {
            // Levels of chunks are at hand, and seldom equal.
            match own.level.total_cmp(&chunk.level) {
                Ordering::Equal => chunk.slots[0] == slot || is_before(chunk.slots[0]),
                order => order == Ordering::Less,
            }
        });
        let chunk = behind.saturating_sub(1);
        let Some(slots) = chunks.get(chunk).map(|chunk| &chunk.slots) else {
            return Place::default();
        };
        let at = slots.partition_point(|other| is_before(*other));
        Place { chunk, at }
    }

    /// What a bullet is ordered by in its group.
    fn rank(&self, group: usize, bullet: &BulletHeader, slot: u32) -> Rank {
        let fades = self.decay[group] > 0.0;
        Rank {
            level: self.level(group, bullet),
            factor: self.family.factor(bullet),
            index: bullet.access_index.filter(|_| fades),
            tie: tie_rank(bullet, slot, self.classic),
        }
    }
}

fn rounded_up(level: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation)]
    let rounded = level as f32;
    if f64::from(rounded) < level {
        rounded.next_up()
    } else {
        rounded
    }
}
