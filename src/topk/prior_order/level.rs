//! Levels of priors: level = ln(factor) + (access − origin) · −ln(1 − rate), and the bounds that they give.
//!
//! A caller computes priors by powers, this module by exponentials of levels. The two round differently, so
//! a bound has slack for the difference and is never taken for the prior itself.

use super::{CLASSES, DecayRates, GROUPS, Prior};

/// −ln(1 − rate) for rate 1, which is infinite: e^-64 per tick leaves nothing, and stays a number.
const FASTEST: f64 = 64.0;
/// Slack for the rounding of logarithms and powers, as an exponent of e.
const SLACK: f64 = 1e-9;
/// Below this, near the smallest normal number, rounding is coarse; a lower bound there is 0.
const SMALLEST: f64 = 1e-290;

/// The decay of priors by group, and the tick that levels are relative to.
#[derive(Debug)]
pub(crate) struct Decay {
    /// −ln(1 − rate) by group.
    per_tick: [f64; GROUPS],
    factor_max: f64,
    /// The clock at the build: near it, levels are small and exact.
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

    /// Returns true if the priors of a group decay.
    #[inline]
    pub(super) fn fades(&self, group: usize) -> bool {
        self.per_tick[group] > 0.0
    }

    /// Returns the fastest decay of any group, as −ln(1 − rate).
    pub(super) fn fastest(&self) -> f64 {
        self.per_tick.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the upper bound of every factor.
    pub(super) fn factor_max(&self) -> f64 {
        self.factor_max
    }

    /// Returns the level of a prior; −∞ for a factor of 0.
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

    /// Returns the decay of a group from the origin to a clock: level − ln(prior).
    pub(super) fn faded(&self, group: usize, clock: u64) -> f64 {
        if !self.fades(group) {
            return 0.0;
        }
        difference(clock, self.origin) * self.per_tick[group]
    }

    /// Returns an upper bound of the prior at a level, even for an access ahead of the clock.
    pub(super) fn prior_at_most(&self, group: usize, level: f64, clock: u64) -> f64 {
        if level == f64::NEG_INFINITY {
            return 0.0;
        }
        let faded = self.faded(group, clock);
        let room = SLACK + 1e-15 * (level.abs() + faded.abs());
        (libm::exp(level - faded + room) + f64::MIN_POSITIVE).min(self.factor_max)
    }

    /// Returns a lower bound of the prior at a level or above. No access may be ahead of the clock.
    pub(super) fn prior_at_least(&self, group: usize, level: f64, clock: u64) -> f64 {
        // The fastest decay represents all faster ones, so less is left than the level shows.
        if self.per_tick[group] >= FASTEST || level == f64::NEG_INFINITY {
            return 0.0;
        }
        let faded = self.faded(group, clock);
        let room = SLACK + 1e-15 * (level.abs() + faded.abs());
        // Sums of large levels lose their last digits, so the slack grows with them.
        let least = libm::exp(level - faded - room);
        if least > SMALLEST { least } else { 0.0 }
    }
}

/// Returns a − b. Subtracting first keeps small differences of large ticks exact.
pub(super) fn difference(a: u64, b: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    if a >= b {
        (a - b) as f64
    } else {
        -((b - a) as f64)
    }
}
