//! What strength and type add to the score of each bullet at most, one byte a bullet.
//!
//! Bytes are made for one pair of weights at one clock. They hold at every later clock, since strength
//! only fades; a bullet that is touched or voted on gets its byte anew. When much has faded, all are
//! made anew, so that they stay close to the truth.

use super::levels::difference;
use super::{GROUPS, NO_GROUP, StrengthOrder};
use crate::domain::memory::decay::type_priority;
use crate::domain::memory::policy::Weights;

/// The most that a score can be, apart from bonuses and the weight of relevance: see [`Ceilings::step`].
const STEPS: f64 = 255.0;
/// Relevance that a sum over words can stand for at most, before it bends towards 1.
const RELEVANCE_MOST: f64 = 1.25;
/// Levels are looked up in so many steps for each factor of e, and so far down.
const PER_E: f64 = 256.0;
const DEPTH: f64 = 8.0;
const ENTRIES: usize = 2_049;
/// Fading, as an exponent of e, after which all bytes are made anew.
const FADED_MOST: f64 = 0.5;
const SLACK: f64 = 1.0 + 1e-9;

/// Those bytes.
#[derive(Debug)]
pub(in crate::domain::memory) struct Ceilings {
    weights: Weights,
    clock: u64,
    /// By slot; 0 for what takes no part.
    bytes: Vec<u8>,
    /// By group and level.
    table: Box<[[u8; ENTRIES]; GROUPS]>,
    /// How far each group had faded.
    faded: [f64; GROUPS],
    /// What one step of a byte stands for.
    pub(in crate::domain::memory) step: f64,
}

impl Ceilings {
    pub(super) fn build(order: &StrengthOrder, weights: Weights, clock: u64) -> Self {
        let most = weights.relevance * RELEVANCE_MOST + weights.strength + weights.memory_type;
        let step = most / STEPS;
        let byte = |score: f64| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let steps = (score / step * SLACK).ceil() as u8;
            steps
        };
        let entry = |group: usize, at: usize| {
            // The strength part is a share: more than 1 it never is.
            let level = (at as f64 + 1.0) / PER_E - DEPTH;
            let strength = (libm::exp(level) * SLACK).min(1.0);
            let priority = type_priority(StrengthOrder::memory_type(group));
            byte(weights.strength * strength + weights.memory_type * priority)
        };
        let mut table = Box::new([[0; ENTRIES]; GROUPS]);
        for (group, entries) in table.iter_mut().enumerate() {
            for (at, byte) in entries.iter_mut().enumerate() {
                *byte = entry(group, at);
            }
        }
        let mut ceilings = Self {
            weights,
            clock,
            bytes: Vec::new(),
            table,
            faded: std::array::from_fn(|group| order.faded(group, clock)),
            step,
        };
        let slots = order.groups.iter().zip(&order.levels);
        let bytes = slots.map(|(group, level)| ceilings.byte(*group, *level));
        ceilings.bytes = bytes.collect();
        ceilings
    }

    /// True when the bytes hold for these weights at a clock.
    pub(super) fn hold(&self, weights: Weights, clock: u64) -> bool {
        self.weights == weights && self.clock <= clock
    }

    /// True when the bytes hold at a clock, and are close to the truth.
    pub(super) fn are_near(&self, decay: &[f64; GROUPS], clock: u64) -> bool {
        let fastest = decay.iter().copied().fold(0.0, f64::max);
        self.clock <= clock && difference(clock, self.clock) * fastest <= FADED_MOST
    }

    /// Notes the group and level of a slot.
    pub(super) fn note(&mut self, slot: u32, group: u8, level: f32) {
        let at = slot as usize;
        if self.bytes.len() <= at {
            self.bytes.resize(at + 1, 0);
        }
        self.bytes[at] = self.byte(group, level);
    }

    /// The bytes by slot; there may be fewer than slots.
    pub(in crate::domain::memory) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline]
    fn byte(&self, group: u8, level: f32) -> u8 {
        if group == NO_GROUP {
            return 0;
        }
        let group = usize::from(group);
        let above = f64::from(level) - self.faded[group] + DEPTH;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let entry = (above * PER_E) as usize;
        self.table[group][entry.min(ENTRIES - 1)]
    }
}
