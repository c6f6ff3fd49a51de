//! Strength and its decay with the access clock.
//!
//! decayed score = strength · (1 − r)^t, with rate r and t ticks since the last touch; one tick is one event of
//! the memory. Powers come from `libm`, since those of the platform differ in the last bit, and equal
//! histories must lead to equal scores everywhere.

use super::bullet::Bullet;
use super::bullet::bullet_kind::MemoryType;
use super::bullet::counts::Counts;
use super::bullet::header::BulletHeader;
use super::policy::{Policy, Rates};

/// Returns strength · (1 − rate)^ticks, for a rate in 0..=1; 0 for a strength of 0 or less.
pub fn decayed(strength: f64, rate: f64, ticks: u64) -> f64 {
    if strength <= 0.0 {
        return 0.0;
    }
    strength * remaining_share(rate, ticks)
}

/// Returns (1 − rate)^ticks, 0..=1.
pub fn remaining_share(rate: f64, ticks: u64) -> f64 {
    if ticks == 0 {
        return 1.0;
    }
    // Beyond 2^53 ticks the conversion rounds, but there the power is 0 or 1 anyway.
    #[allow(clippy::cast_precision_loss)]
    libm::pow(1.0 - rate, ticks as f64)
}

/// Returns the ticks since the last touch; 0 without an access index, or for one ahead of the clock.
pub fn ticks_since(access_index: Option<u64>, clock: u64) -> u64 {
    access_index.map_or(0, |index| clock.saturating_sub(index))
}

/// Returns the decayed score of a bullet at `clock`, 0 or more. The original model sums over three components,
/// of which one is active.
pub fn decayed_score(bullet: &Bullet, rates: &Rates, clock: u64) -> f64 {
    bullet.header().decayed_score(rates, clock)
}

impl BulletHeader {
    /// Returns the decayed score at `clock`, 0 or more.
    pub(super) fn decayed_score(&self, rates: &Rates, clock: u64) -> f64 {
        let ticks = ticks_since(self.access_index, clock);
        decayed(self.strength, rates.rate(self.memory_type), ticks)
    }

    /// Returns decayed score / strength, 0..=1; 0 without strength.
    pub(super) fn retention(&self, rates: &Rates, clock: u64) -> f64 {
        if self.strength <= 0.0 {
            return 0.0;
        }
        let ticks = ticks_since(self.access_index, clock);
        remaining_share(rates.rate(self.memory_type), ticks)
    }
}

/// Returns B + max(helpful − harmful, 0): the strength that votes alone give.
pub fn baseline(base_strength: f64, counts: Counts) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let balance = counts.balance().max(0) as f64;
    base_strength + balance
}

/// Returns the strength after a change of counts: never below their baseline.
pub fn finalised_strength(strength: f64, policy: &Policy, counts: Counts) -> f64 {
    strength.max(baseline(policy.base_strength, counts))
}

/// Returns decayed score / strength of a bullet, 0..=1; 0 without strength.
pub fn retention(bullet: &Bullet, rates: &Rates, clock: u64) -> f64 {
    bullet.header().retention(rates, clock)
}

/// Returns (helpful + 1) / (helpful + harmful + 2), 0..=1: Laplace's rule of succession.
pub fn helpfulness(counts: Counts) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (helpful, harmful) = (counts.helpful as f64, counts.harmful as f64);
    (helpful + 1.0) / (helpful + harmful + 2.0)
}

/// Returns the factor of the relevance of a bullet, 0..=1: 1 unless it did more harm than good, then twice its
/// [`helpfulness`], such as 0.67 after one harmful vote.
pub fn harm_factor(counts: Counts) -> f64 {
    (2.0 * helpfulness(counts)).min(1.0)
}

/// Returns helpful / (helpful + harmful), 0..=1, or 0.5 without votes: the strength part of the baseline
/// profile.
pub fn helpful_ratio(counts: Counts) -> f64 {
    let (helpful, harmful) = (counts.helpful, counts.harmful);
    if helpful + harmful == 0 {
        return 0.5;
    }
    #[allow(clippy::cast_precision_loss)]
    let ratio = helpful as f64 / (helpful + harmful) as f64;
    ratio
}

/// Returns the ticks until half of a strength is left; infinite at rate 0, 0 at rate 1.
pub fn half_life_ticks(rate: f64) -> f64 {
    if rate >= 1.0 {
        return 0.0;
    }
    libm::log(0.5) / libm::log(1.0 - rate)
}

/// Returns the type priority of the combined score, 0..=1: procedures over experiences over facts.
pub fn type_priority(memory_type: MemoryType) -> f64 {
    match memory_type {
        MemoryType::Procedural => 1.0,
        MemoryType::Episodic => 0.7,
        MemoryType::Semantic => 0.4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_ticks_fade_as_published() {
        for (rate, left) in [
            (0.01, 90.438_207_500_880_44),
            (0.05, 59.873_693_923_837_87),
            (0.002, 98.017_904_335_194_94),
        ] {
            assert!(
                (decayed(100.0, rate, 10) - left).abs() < 1e-12,
                "rate {rate}"
            );
        }
    }

    #[test]
    fn half_lives_are_as_documented() {
        let rates = Rates::default();
        let lives: Vec<String> = MemoryType::ALL
            .iter()
            .map(|t| format!("{:.1}", half_life_ticks(rates.rate(*t))))
            .collect();
        assert_eq!(lives, ["69.0", "13.5", "346.2"]);
        assert_eq!(half_life_ticks(1.0), 0.0);
        assert!(half_life_ticks(0.0).is_infinite());
    }

    #[test]
    fn edges_of_the_power() {
        assert_eq!(decayed(0.0, 0.5, 3), 0.0);
        assert_eq!(decayed(100.0, 1.0, 0), 100.0);
        assert_eq!(decayed(100.0, 1.0, 1), 0.0);
        assert_eq!(decayed(100.0, 0.0, u64::MAX), 100.0);
        assert_eq!(decayed(100.0, 0.05, 1_000_000), 0.0);
        assert_eq!(ticks_since(None, 50), 0);
        assert_eq!(ticks_since(Some(60), 50), 0);
    }
}
