//! Levels and priors: the level of a document, and what a level says about the prior at a clock.

use super::{CLASSES, DecayRates, GROUPS, Prior};

/// A decay this fast leaves nothing: e^-64 per tick. Stands for the infinity of rate 1.
const FASTEST: f64 = 64.0;
/// Room for the rounding of logarithms, powers and sums, relative to the terms.
const SLACK: f64 = 1e-9;
/// Near the smallest normal number, rounding is coarse: smaller priors are not told apart.
const SMALLEST: f64 = 1e-290;

/// How priors decay by group, and the tick that levels are relative to.
#[derive(Debug)]
pub(crate) struct Decay {
    /// −ln(1 − rate) by group.
    per_tick: [f64; GROUPS],
    factor_max: f64,
    /// Near the clock, so that levels stay small and exact.
    origin: u64,
}

impl Decay {
    pub(super) fn new(rates: DecayRates, origin: u64) -> Self {
        let per_tick = |group: usize| match rates.rates.get(group) {
            // Minus zero would make the sign of a level depend on the direction of time.
            Some(rate) if *rate > 0.0 => (-libm::log(1.0 - rate)).min(FASTEST),
            _ => 0.0,
        };
        Self {
            per_tick: std::array::from_fn(per_tick),
            factor_max: rates.factor_max,
            origin,
        }
    }

    pub(super) fn origin(&self) -> u64 {
        self.origin
    }

    /// Returns the group of a document.
    pub(super) fn group(&self, prior: &Prior) -> usize {
        let class = usize::from(prior.class);
        match prior.accessed {
            Some(_) => class,
            None => class + CLASSES,
        }
    }

    /// Tells whether the priors of a group decay.
    #[inline]
    pub(super) fn fades(&self, group: usize) -> bool {
        self.per_tick[group] > 0.0
    }

    /// Returns the fastest decay of any group.
    pub(super) fn fastest(&self) -> f64 {
        self.per_tick.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the most that a factor can be.
    pub(super) fn factor_max(&self) -> f64 {
        self.factor_max
    }

    /// Returns the level of a document.
    pub(super) fn level(&self, group: usize, prior: &Prior) -> f64 {
        if prior.factor <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let ticks = match prior.accessed {
            Some(accessed) if self.fades(group) => difference(accessed, self.origin),
            _ => 0.0,
        };
        libm::log(prior.factor) + ticks * self.per_tick[group]
    }

    /// Returns by how much the level of a prior exceeds its logarithm at a clock.
    pub(super) fn faded(&self, group: usize, clock: u64) -> f64 {
        if !self.fades(group) {
            return 0.0;
        }
        difference(clock, self.origin) * self.per_tick[group]
    }

    /// Returns an upper bound of the prior at a level, also if the access is ahead of the clock.
    pub(super) fn prior_at_most(&self, group: usize, level: f64, clock: u64) -> f64 {
        if level == f64::NEG_INFINITY {
            return 0.0;
        }
        let faded = self.faded(group, clock);
        let room = SLACK + 1e-15 * (level.abs() + faded.abs());
        (libm::exp(level - faded + room) + f64::MIN_POSITIVE).min(self.factor_max)
    }

    /// Returns a lower bound of the prior at a level or above, if no access is ahead of the clock.
    pub(super) fn prior_at_least(&self, group: usize, level: f64, clock: u64) -> f64 {
        // At the fastest decay less is left than the level says.
        if self.per_tick[group] >= FASTEST || level == f64::NEG_INFINITY {
            return 0.0;
        }
        let faded = self.faded(group, clock);
        let room = SLACK + 1e-15 * (level.abs() + faded.abs());
        let least = libm::exp(level - faded - room);
        if least > SMALLEST { least } else { 0.0 }
    }
}

/// Returns a − b, also if the numbers are too large for a float.
pub(super) fn difference(a: u64, b: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    if a >= b {
        (a - b) as f64
    } else {
        -((b - a) as f64)
    }
}
