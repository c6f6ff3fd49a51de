//! Levels and strengths: what a bullet's level is, and what a level says about strength at a clock.

use super::{BulletHeader, FASTEST, SLACK, StrengthOrder};

impl StrengthOrder {
    /// The level of a bullet.
    pub(in crate::memory) fn level(&self, group: usize, bullet: &BulletHeader) -> f64 {
        let factor = self.family.factor(bullet);
        if factor <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let decay = self.decay[group];
        let ticks = match bullet.access_index {
            Some(index) if decay > 0.0 => difference(index, self.origin),
            _ => 0.0,
        };
        libm::log(factor) + ticks * decay
    }

    /// The most that the factor's part can be at a level and clock.
    pub(in crate::memory) fn strength_at_most(&self, group: usize, level: f64, clock: u64) -> f64 {
        strength_at(level, self.faded(group, clock), self.family.most())
    }

    /// The least that the factor's part can be at a level, or at any higher one, and clock.
    pub(in crate::memory) fn strength_at_least(&self, group: usize, level: f64, clock: u64) -> f64 {
        let faded = self.faded(group, clock);
        // An index ahead of the clock does not make stronger, though its level is high; and at the
        // fastest decay less is left than the level says.
        if self.newest > clock || self.decay[group] >= FASTEST || level == f64::NEG_INFINITY {
            return 0.0;
        }
        let room = SLACK + 1e-15 * (level.abs() + faded.abs());
        let least = libm::exp(level - faded - room);
        // Near the smallest normal number, rounding is coarse: nothing is told apart there.
        if least > 1e-290 { least } else { 0.0 }
    }

    /// The least level at which the factor's part can reach `strength`.
    pub(in crate::memory) fn level_at_least(&self, group: usize, strength: f64, clock: u64) -> f64 {
        let faded = self.faded(group, clock);
        // Near the smallest normal number, rounding is coarse: nothing is told apart there.
        if strength <= 1e-290 {
            return f64::NEG_INFINITY;
        }
        if strength == f64::INFINITY {
            return strength;
        }
        let log = libm::log(strength);
        log + faded - SLACK - 2e-15 * (log.abs() + faded.abs())
    }

    pub(super) fn faded(&self, group: usize, clock: u64) -> f64 {
        match self.decay[group] {
            decay if decay > 0.0 => difference(clock, self.origin) * decay,
            _ => 0.0,
        }
    }
}

/// The most that a factor's part can be at a level, when so much has faded. No more than `most`, however far an
/// access index is ahead of the clock.
pub(super) fn strength_at(level: f64, faded: f64, most: f64) -> f64 {
    let room = SLACK + 1e-15 * (level.abs() + faded.abs());
    if level == f64::NEG_INFINITY {
        return 0.0;
    }
    (libm::exp(level - faded + room) + f64::MIN_POSITIVE).min(most)
}

/// a − b, also where the numbers are too large for a float.
pub(super) fn difference(a: u64, b: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    if a >= b {
        (a - b) as f64
    } else {
        -((b - a) as f64)
    }
}
