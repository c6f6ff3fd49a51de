//! What strength and type add to the score of each bullet at most, one byte a bullet.
//!
//! Bytes are made for one pair of weights at one clock. They hold at every later clock, since strength
//! only fades; a bullet that is touched or voted on gets its byte anew. When much has faded, all are
//! made anew, so that they stay close to the truth.

use std::sync::OnceLock;

use super::levels::{difference, strength_at};
use super::tier::{self, Heights, Tier};
use super::{Family, GROUPS, NO_GROUP, StrengthOrder};
use crate::memory::decay::type_priority;
use crate::memory::policy::Weights;
use crate::memory::word_index::WordIndex;

/// Steps from nothing to the most that a score can be, bonuses apart, and bullets stronger than any was
/// when the table was made.
const STEPS: f64 = 255.0;
/// The greatest step of which bytes are of use.
const STEP_MOST: f64 = 1e3;
/// Room for bullets that become stronger than the strongest was.
const ROOM: f64 = 1.1;
/// Relevance that a sum over words can stand for at most, before it bends towards 1.
const RELEVANCE_MOST: f64 = 1.25;
/// Levels are looked up in so many steps for each factor of e, and so far down.
const PER_E: f64 = 256.0;
const DEPTH: f64 = 8.0;
const ENTRIES: usize = 2_049;
/// Strength decides where it and the type weigh, and differ, at least so many times what relevance can add.
const DECIDING: f64 = 0.5;
/// Fading, as an exponent of e, after which all bytes are made anew.
const FADED_MOST: f64 = 0.5;
const SLACK: f64 = 1.0 + 1e-9;

/// Bytes by group and level, whatever the clock: how far a group has faded is part of the level.
#[derive(Debug)]
pub(super) struct Table {
    weights: Weights,
    /// What a factor is divided by to become a strength part.
    unit: f64,
    /// The greatest strength part that there are bytes for.
    strongest: f64,
    /// The most that a strength part can be at all.
    at_most: f64,
    /// Logarithm of the factor that is as strong.
    top: f64,
    step: f64,
    entries: Box<[[u8; ENTRIES]; GROUPS]>,
    /// What stands for a level above all entries.
    beyond: [u8; GROUPS],
}

/// How far each group had faded at a clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fading {
    pub(super) clock: u64,
    faded: [f64; GROUPS],
}

/// Bytes by slot.
#[derive(Debug)]
pub(super) struct Bytes {
    fading: Fading,
    /// 0 for what takes no part.
    bytes: Vec<u8>,
}

/// The tier of the strongest, absent where none stand out.
#[derive(Debug)]
pub(super) struct Tiered {
    made: u64,
    tier: Option<Tier>,
}

/// What a search reads of them.
#[derive(Clone, Copy, Debug)]
pub(in crate::memory) struct Ceilings<'m> {
    /// By slot; there may be fewer than slots.
    pub(in crate::memory) bytes: &'m [u8],
    /// What one step of a byte stands for.
    pub(in crate::memory) step: f64,
}

impl Table {
    /// `strongest` is the greatest strength part now; absent where the part is a share, never above 1.
    fn new(weights: Weights, unit: f64, (strongest, at_most): (Option<f64>, f64)) -> Self {
        let is_share = strongest.is_none();
        let strongest = strongest.map_or(1.0, |now| now.max(1.0) * ROOM);
        let most =
            weights.relevance * RELEVANCE_MOST + weights.strength * strongest + weights.memory_type;
        let step = most / STEPS;
        let entry = |group: usize, at: usize| {
            let level = (at as f64 + 1.0) / PER_E - DEPTH;
            let strength = (libm::exp(level) * SLACK).min(1.0) * strongest;
            let priority = type_priority(StrengthOrder::memory_type(group));
            steps(
                weights.strength * strength + weights.memory_type * priority,
                step,
            )
        };
        let mut entries = Box::new([[0; ENTRIES]; GROUPS]);
        for (group, entries) in entries.iter_mut().enumerate() {
            for (at, byte) in entries.iter_mut().enumerate() {
                *byte = entry(group, at);
            }
        }
        let last = |group: usize| {
            if is_share {
                entries[group][ENTRIES - 1]
            } else {
                u8::MAX
            }
        };
        Self {
            weights,
            unit,
            strongest,
            at_most,
            top: libm::log(unit) + libm::log(strongest),
            step,
            beyond: std::array::from_fn(last),
            entries,
        }
    }

    /// False where one bullet is so strong, or without bound, that what words add is less than any step.
    fn tells_apart(&self) -> bool {
        self.step < STEP_MOST
    }

    #[inline]
    fn byte(&self, fading: &Fading, group: u8, level: f32) -> u8 {
        if group == NO_GROUP {
            return 0;
        }
        let group = usize::from(group);
        let above = f64::from(level) - fading.faded[group] - self.top + DEPTH;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let entry = (above * PER_E) as usize;
        let byte = self.entries[group].get(entry).copied();
        byte.unwrap_or(self.beyond[group])
    }

    /// The most that strength and type add to the score of a bullet of a group at a level.
    pub(super) fn most(&self, fading: &Fading, group: usize, level: f32) -> f64 {
        let strength = strength_at(f64::from(level), fading.faded[group], self.at_most) / self.unit;
        let priority = type_priority(StrengthOrder::memory_type(group));
        self.weights.strength * strength + self.weights.memory_type * priority
    }
}

/// The tier that was made, where some stand out.
fn there(tier: &mut OnceLock<Tiered>) -> Option<&mut Tier> {
    tier.get_mut()?.tier.as_mut()
}

/// A score in steps, rounded up; no more than a byte holds.
pub(in crate::memory) fn steps(score: f64, step: f64) -> u8 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let steps = (score / step * SLACK).ceil() as u8;
    steps
}

impl StrengthOrder {
    /// What strength and type add to scores at most, where factors are divided by `unit`; absent where
    /// others are at hand.
    pub(in crate::memory) fn ceilings(
        &self,
        (weights, unit): (Weights, f64),
        clock: u64,
    ) -> Option<Ceilings<'_>> {
        let table = self.table.get_or_init(|| {
            let strongest = self.strongest(unit, clock);
            Table::new(weights, unit, (strongest, self.family.most()))
        });
        let is_meant = table.weights == weights && table.unit.to_bits() == unit.to_bits();
        if !is_meant || !table.tells_apart() {
            return None;
        }
        let bytes = self.bytes.get_or_init(|| {
            let fading = self.fading(clock);
            let slots = self.groups.iter().zip(&self.levels);
            let bytes = slots.map(|(group, level)| table.byte(&fading, *group, *level));
            Bytes {
                fading,
                bytes: bytes.collect(),
            }
        });
        let (bytes, step) = (bytes.bytes.as_slice(), table.step);
        self.holds(clock).then_some(Ceilings { bytes, step })
    }

    /// The strongest bullets by what `ceilings` gives for the same weights, and what strength and type add
    /// to their scores at most; absent where strength tells nobody apart, or relevance decides. `index` is
    /// that of the words that go with it.
    pub(in crate::memory) fn tier(
        &self,
        (weights, unit): (Weights, f64),
        clock: u64,
        index: &WordIndex,
    ) -> Option<(&Tier, &Heights)> {
        let decides = weights.strength + weights.memory_type >= weights.relevance * DECIDING;
        if !decides || weights.relevance <= 0.0 {
            return None;
        }
        let ceilings = self.ceilings((weights, unit), clock)?;
        let table = self.table.get()?;
        let standing = (self.groups.as_slice(), self.levels.as_slice());
        let spread = weights.relevance * DECIDING;
        let tiered = self.tier.get_or_init(|| Tiered {
            made: clock,
            tier: Tier::build(ceilings, spread, index, standing),
        });
        let tier = tiered.tier.as_ref()?;
        let heights = tier.heights(table, self.fading(clock), standing, weights.relevance);
        (heights.fading.clock <= clock).then_some((tier, heights))
    }

    fn fading(&self, clock: u64) -> Fading {
        let faded = std::array::from_fn(|group| self.faded(group, clock));
        Fading { clock, faded }
    }

    /// The greatest strength part at a clock; absent where it is a share.
    fn strongest(&self, unit: f64, clock: u64) -> Option<f64> {
        if self.family != Family::Decayed {
            return None;
        }
        let first = |group: usize| Some((group, self.chunks[group].first()?.level));
        let strengths = (0..GROUPS)
            .filter_map(first)
            .map(|(group, level)| self.strength_at_most(group, level, clock) / unit);
        Some(strengths.fold(0.0, f64::max))
    }

    /// True when the bytes that are at hand hold at a clock.
    fn holds(&self, clock: u64) -> bool {
        self.bytes
            .get()
            .is_some_and(|bytes| bytes.fading.clock <= clock)
    }

    /// Gives the byte of a slot anew, where bytes are at hand, and tells the tier.
    pub(super) fn note_ceiling(&mut self, slot: u32) {
        let at = slot as usize;
        let Some(table) = self.table.get() else {
            return;
        };
        let (group, level) = (self.groups[at], self.levels[at]);
        if let Some(bytes) = self.bytes.get_mut() {
            if bytes.bytes.len() <= at {
                bytes.bytes.resize(at + 1, 0);
            }
            bytes.bytes[at] = table.byte(&bytes.fading, group, level);
        }
        if let Some(tier) = there(&mut self.tier) {
            tier.note(slot, (group, level), table);
            self.keep_whole_tier();
        }
    }

    /// Tells the tier that a bullet has other words now.
    pub(in crate::memory) fn note_text(&mut self, slot: u32) {
        if let Some(tier) = there(&mut self.tier) {
            tier.note_text(slot);
            self.keep_whole_tier();
        }
    }

    fn keep_whole_tier(&mut self) {
        if there(&mut self.tier).is_some_and(|tier| !tier.is_whole()) {
            self.tier.take();
        }
    }

    /// Drops bytes that are too far from the truth at a clock, and those of a table that has none for the
    /// strongest.
    pub(in crate::memory) fn follow_clock(&mut self, clock: u64) {
        let is_beyond = |table: &Table| {
            let strongest = self.strongest(table.unit, clock);
            strongest.is_some_and(|strongest| strongest > table.strongest)
        };
        if self.table.get().is_some_and(is_beyond) {
            self.forget_weights();
        }
        let fastest = self.decay.iter().copied().fold(0.0, f64::max);
        let is_near = |bytes: &Bytes| difference(clock, bytes.fading.clock) * fastest <= FADED_MOST;
        if !(self.holds(clock) && self.bytes.get().is_some_and(is_near)) {
            self.bytes.take();
        }
        let is_old = |tiered: &Tiered| tier::is_old(tiered.made, clock);
        if self.tier.get().is_some_and(is_old) {
            self.tier.take();
        }
        if let Some(tier) = there(&mut self.tier) {
            tier.follow_clock(clock);
        }
    }

    /// Drops what was made for other weights.
    pub(in crate::memory) fn forget_weights(&mut self) {
        self.table.take();
        self.bytes.take();
        self.tier.take();
    }
}
