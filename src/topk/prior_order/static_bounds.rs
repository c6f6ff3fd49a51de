//! The static part of every score, bounded in one byte per document: where block sums start from.
//!
//! Bytes are made for one set of weights at one clock. They hold at every later clock, since priors only
//! fade; a touched document gets its byte again. Once much has faded, all are made again, so that they
//! stay close to the truth.

use std::sync::OnceLock;

use super::{CLASSES, DocId, GROUPS, NO_GROUP, PriorOrder, difference};

/// Steps that a byte counts.
const STEPS: f64 = 255.0;
/// The greatest step that still tells documents apart.
const STEP_MAX: f64 = 1e3;
/// Room for documents that become stronger than the strongest was.
const HEADROOM: f64 = 1.1;
/// Relevance that a sum of terms can stand for before it saturates: bounds add up to more than 1.
const RELEVANCE_MAX: f64 = 1.25;
/// Resolution and depth of the table of e^-x.
const PER_E: f64 = 256.0;
const ENTRIES: usize = 2_048;
/// Decay, as an exponent of e, after which all bytes are made again.
const FADED_MAX: f64 = 0.5;
const SLACK: f64 = 1.0 + 1e-9;

/// The weights of a score.
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
    /// The greatest prior that has a byte; absent if no prior can be greater.
    limit: Option<f64>,
    /// By group: logarithm of the greatest prior, with what has faded at the clock.
    top: [f64; GROUPS],
    /// What the greatest prior adds to a score.
    strongest: f64,
    step: f64,
    /// By document, in steps; 0 for what takes no part.
    bytes: Vec<u8>,
}

impl StaticBounds {
    /// Returns the bounds by document, in steps; there may be fewer than documents.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the score that one step stands for.
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

    /// False if one document is so strong that what terms add is lost in a step.
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
            // Stronger than any was: a full byte is never skipped.
            return u8::MAX;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let entry = (below * PER_E) as usize;
        let share = exp_table()[entry.min(ENTRIES - 1)];
        let class = self.weights.class[group % CLASSES];
        in_steps(self.strongest * f64::from(share) + class, self.step)
    }
}

/// e^-x, rounded up. Exponentials of a million levels would take twenty times as long.
fn exp_table() -> &'static [f32; ENTRIES] {
    static TABLE: OnceLock<[f32; ENTRIES]> = OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|at| {
            #[allow(clippy::cast_possible_truncation)]
            let share = (libm::exp(-(at as f64) / PER_E) * SLACK) as f32;
            share.next_up()
        })
    })
}

/// Returns a score in steps, rounded up; no more than a byte holds.
pub(crate) fn in_steps(score: f64, step: f64) -> u8 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let steps = (score / step * SLACK).ceil() as u8;
    steps
}

impl PriorOrder {
    /// Returns bounds of the static part of scores; absent if the cells are taken by other weights, or if
    /// bounds would not tell documents apart.
    pub(crate) fn static_bounds(&self, weights: Weights, clock: u64) -> Option<&StaticBounds> {
        for cell in &self.bounds {
            let bounds = cell.get_or_init(|| StaticBounds::new(self, weights, clock));
            if bounds.weights == weights {
                return (bounds.clock <= clock && bounds.tells_apart()).then_some(bounds);
            }
        }
        None
    }

    /// Drops bounds that the clock has left too far behind.
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
        let first = self.chunks.iter().enumerate();
        let first = first.filter_map(|(group, chunks)| Some((group, chunks.first()?.level)));
        let priors = first.map(|(group, level)| self.decay.prior_at_most(group, level, clock));
        priors.fold(0.0, f64::max)
    }

    /// Gives a document its bytes again.
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
