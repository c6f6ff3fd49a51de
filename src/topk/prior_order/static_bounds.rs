//! Upper bounds of the static part of every score, one byte per document: the initial block sums.
//!
//! Bytes are computed for one set of weights at one clock. They hold at every later clock, since priors only
//! decay; a touched document's byte is recomputed. Once priors have decayed far, all bytes are recomputed, so
//! that the bounds stay tight.

use std::sync::OnceLock;

use super::{CLASSES, DocId, GROUPS, NO_GROUP, PriorOrder, difference};

/// The greatest number of steps in a byte.
const STEPS: f64 = 255.0;
/// The greatest useful step: with a greater one, the contribution of terms is lost in rounding.
const STEP_MAX: f64 = 1e3;
/// Headroom for documents that become stronger than the strongest was.
const HEADROOM: f64 = 1.1;
/// Relevance up to which a sum is exact before it saturates; above 1, since bounds of terms add up to more.
const RELEVANCE_MAX: f64 = 1.25;
/// Entries of the table of e^-x per unit of x, and in all.
const PER_E: f64 = 256.0;
const ENTRIES: usize = 2_048;
/// Decay, as an exponent of e, after which all bytes are recomputed.
const FADED_MAX: f64 = 0.5;
const SLACK: f64 = 1.0 + 1e-9;

/// The weights of a score, each 0 or more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Of relevance, which lies in 0..=1.
    pub relevance: f64,
    /// Of the prior.
    pub prior: f64,
    /// Added for each class.
    pub class: [f64; CLASSES],
}

/// Upper bounds of the static part of every score.
#[derive(Debug)]
pub(crate) struct StaticBounds {
    weights: Weights,
    clock: u64,
    /// The greatest prior that a byte can bound; `None` if priors have an upper bound anyway.
    limit: Option<f64>,
    /// By group: the level of the greatest prior.
    top: [f64; GROUPS],
    /// Weighted greatest prior.
    strongest: f64,
    step: f64,
    /// By document, in steps; 0 for documents that are not in the order.
    bytes: Vec<u8>,
}

impl StaticBounds {
    /// Returns the bounds by document, in steps; documents beyond the end are not in the order.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the score of one step.
    pub(crate) fn step(&self) -> f64 {
        self.step
    }

    fn new(order: &PriorOrder, weights: Weights, clock: u64) -> Self {
        let factor_max = order.decay.factor_max();
        let (limit, greatest) = if factor_max < f64::MAX {
            (None, factor_max)
        } else {
            let greatest = (order.strongest(clock) * HEADROOM).max(f64::MIN_POSITIVE);
            (Some(greatest), greatest)
        };
        let log = libm::log(greatest);
        let class_max = weights.class.iter().copied().fold(0.0, f64::max);
        let most = weights.relevance * RELEVANCE_MAX + weights.prior * greatest + class_max;
        let mut bounds = Self {
            weights,
            clock,
            limit,
            top: std::array::from_fn(|group| log + order.decay.faded(group, clock)),
            strongest: weights.prior * greatest,
            step: most / STEPS,
            bytes: Vec::new(),
        };
        if bounds.tells_apart() {
            let documents = order.groups.iter().zip(&order.levels);
            let bytes = documents.map(|(group, level)| bounds.byte(*group, *level));
            bounds.bytes = bytes.collect();
        }
        bounds
    }

    /// Returns true if a step is small enough to show the contribution of terms; it is not if one document is far
    /// stronger than all others.
    fn tells_apart(&self) -> bool {
        self.step > 0.0 && self.step < STEP_MAX
    }

    #[inline]
    fn byte(&self, group: u8, level: f32) -> u8 {
        if group == NO_GROUP {
            return 0;
        }
        let group = usize::from(group);
        let below = self.top[group] - f64::from(level);
        if below < 0.0 && self.limit.is_some() {
            // Stronger than any document was. A full byte counts as saturated, so it is never skipped.
            return u8::MAX;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let entry = (below * PER_E) as usize;
        let share = exp_table()[entry.min(ENTRIES - 1)];
        let class = self.weights.class[group % CLASSES];
        in_steps(self.strongest * f64::from(share) + class, self.step)
    }
}

/// Returns a table of e^-x, rounded up. Computing a million exponentials takes twenty times as long.
fn exp_table() -> &'static [f32; ENTRIES] {
    static TABLE: OnceLock<[f32; ENTRIES]> = OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|at| {
            // An entry covers x from its own value on, where e^-x is greatest.
            #[allow(clippy::cast_possible_truncation)]
            let share = (libm::exp(-(at as f64) / PER_E) * SLACK) as f32;
            share.next_up()
        })
    })
}

/// Returns a score in steps, rounded up, at most 255: the cast saturates.
pub(crate) fn in_steps(score: f64, step: f64) -> u8 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let steps = (score / step * SLACK).ceil() as u8;
    steps
}

impl PriorOrder {
    /// Returns the bounds for these weights; `None` if all cells hold other weights, if the bounds are newer than
    /// the clock, or if a step would be too coarse.
    pub(crate) fn static_bounds(&self, weights: Weights, clock: u64) -> Option<&StaticBounds> {
        for cell in &self.bounds {
            let bounds = cell.get_or_init(|| StaticBounds::new(self, weights, clock));
            if bounds.weights == weights {
                return (bounds.clock <= clock && bounds.tells_apart()).then_some(bounds);
            }
        }
        None
    }

    /// Drops bounds that have become loose, or too low, at a new clock.
    pub fn advance_clock(&mut self, clock: u64) {
        let (fastest, strongest) = (self.decay.fastest(), self.strongest(clock));
        for cell in &mut self.bounds {
            let is_fresh = |bounds: &StaticBounds| {
                let faded = difference(clock, bounds.clock) * fastest;
                let covers = bounds.limit.is_none_or(|limit| strongest <= limit);
                bounds.clock <= clock && faded <= FADED_MAX && covers
            };
            if !cell.get().is_some_and(is_fresh) {
                cell.take();
            }
        }
    }

    /// Drops the bounds of all weights.
    pub fn forget_weights(&mut self) {
        self.bounds = Default::default();
    }

    /// Returns an upper bound of the strongest prior at a clock.
    pub(crate) fn strongest(&self, clock: u64) -> f64 {
        self.chunks
            .iter()
            .enumerate()
            .filter_map(|(group, chunks)| Some((group, chunks.first()?.level)))
            .map(|(group, level)| self.decay.prior_at_most(group, level, clock))
            .fold(0.0, f64::max)
    }

    /// Recomputes the bytes of a document.
    pub(super) fn refresh_bounds(&mut self, doc: DocId) {
        let at = doc as usize;
        let (group, level) = (self.groups[at], self.levels[at]);
        for bounds in self.bounds.iter_mut().filter_map(OnceLock::get_mut) {
            if !bounds.tells_apart() {
                continue;
            }
            let byte = bounds.byte(group, level);
            if bounds.bytes.len() <= at {
                bounds.bytes.resize(at + 1, 0);
            }
            bounds.bytes[at] = byte;
        }
    }
}
