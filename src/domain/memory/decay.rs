//! Strength and its decay by the access clock.
//!
//! component = strength · (1 − r)^t, with t in ticks since the last touch (`docs/` of the project
//! describe the curves; the model is that of the first seed document, §1). Powers come from a
//! portable library, so that every machine computes the same bits.

use super::bullet::Bullet;
use super::bullet_kind::MemoryType;
use super::counts::Counts;
use super::header::BulletHeader;
use super::policy::{Policy, Rates};

/// What is left of `strength` after `ticks` ticks at `rate` in 0..=1; 0 for no strength.
pub fn decayed(strength: f64, rate: f64, ticks: u64) -> f64 {
    if strength <= 0.0 {
        return 0.0;
    }
    strength * remaining_share(rate, ticks)
}

/// (1 − rate)^ticks.
pub fn remaining_share(rate: f64, ticks: u64) -> f64 {
    if ticks == 0 {
        return 1.0;
    }
    // A tick count beyond 2^53 cannot be told apart from its neighbour; the power is 0 or 1 there.
    #[allow(clippy::cast_precision_loss)]
    libm::pow(1.0 - rate, ticks as f64)
}

/// Ticks since the last touch; 0 without an access index.
pub fn ticks_since(access_index: Option<u64>, clock: u64) -> u64 {
    access_index.map_or(0, |index| clock.saturating_sub(index))
}

/// The decayed score of a bullet at `clock`: the sum over its components, of which one is active.
pub fn decayed_score(bullet: &Bullet, rates: &Rates, clock: u64) -> f64 {
    bullet.header().decayed_score(rates, clock)
}

impl BulletHeader {
    /// The decayed score at `clock`: the sum over the components, of which one is active.
    pub(super) fn decayed_score(&self, rates: &Rates, clock: u64) -> f64 {
        let ticks = ticks_since(self.access_index, clock);
        decayed(self.strength, rates.rate(self.memory_type), ticks)
    }

    /// decayed score / own strength, 0..=1.
    pub(super) fn retention(&self, rates: &Rates, clock: u64) -> f64 {
        if self.strength <= 0.0 {
            return 0.0;
        }
        let ticks = ticks_since(self.access_index, clock);
        remaining_share(rates.rate(self.memory_type), ticks)
    }
}

/// B + max(helpful − harmful, 0).
pub fn baseline(base_strength: f64, counts: Counts) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let balance = counts.balance().max(0) as f64;
    base_strength + balance
}

/// The strength after finalising: never below the baseline of the counts.
pub fn finalised_strength(strength: f64, policy: &Policy, counts: Counts) -> f64 {
    strength.max(baseline(policy.base_strength, counts))
}

/// decayed score / own strength, 0..=1.
pub fn retention(bullet: &Bullet, rates: &Rates, clock: u64) -> f64 {
    bullet.header().retention(rates, clock)
}

/// (helpful + 1) / (helpful + harmful + 2): Laplace's rule of succession, 0..=1.
pub fn helpfulness(counts: Counts) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (helpful, harmful) = (counts.helpful as f64, counts.harmful as f64);
    (helpful + 1.0) / (helpful + harmful + 2.0)
}

/// helpful / (helpful + harmful), 0.5 without votes: the strength part before decay was invented.
pub fn helpful_ratio(counts: Counts) -> f64 {
    let (helpful, harmful) = (counts.helpful, counts.harmful);
    if helpful + harmful == 0 {
        return 0.5;
    }
    #[allow(clippy::cast_precision_loss)]
    let ratio = helpful as f64 / (helpful + harmful) as f64;
    ratio
}

/// Ticks until half of a strength is left; infinite at rate 0, 0 at rate 1.
pub fn half_life_ticks(rate: f64) -> f64 {
    if rate >= 1.0 {
        return 0.0;
    }
    libm::log(0.5) / libm::log(1.0 - rate)
}

/// type_priority of the combined score: the more a type is about doing, the higher.
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
