//! The importance of a bullet at a clock: the given one, less disuse, more help.
//!
//! It is derived from fields that a bullet has anyway, so it is in no digest of its own, and a replay has the same.

use super::super::bullet::Bullet;
use super::super::decay::{remaining_share, ticks_since};
use super::super::policy::Rates;

/// The loss by a disuse of three half-lives, and the gain by one helpful vote beyond the harmful ones.
const STEP: f64 = 0.1;
/// Steps from 0 to 1.
const STEPS: f64 = 10.0;
/// Disuse alone does not lower an importance below this.
const LEAST: f64 = 0.1;
/// The rest of a strength after three half-lives.
const THREE_HALF_LIVES: f64 = 0.125;

/// Returns the importance of a bullet at `clock`, 0..=1.
///
/// The stored importance, −0.1 for each three half-lives since the last touch (not below 0.1, or below the stored value
/// if that is less), +0.1 for each helpful vote beyond the harmful ones.
pub fn importance_at(bullet: &Bullet, rates: &Rates, clock: u64) -> f64 {
    let ticks = ticks_since(bullet.access_index, clock);
    let mut share = remaining_share(rates.rate(bullet.memory_type), ticks);
    let mut unused: f64 = 0.0;
    // Counted by division: a logarithm would differ in its last bit between platforms.
    while share <= THREE_HALF_LIVES && unused < STEPS {
        share /= THREE_HALF_LIVES;
        unused += 1.0;
    }
    let least = bullet.importance.min(LEAST);
    let faded = (bullet.importance - STEP * unused).max(least);
    #[allow(clippy::cast_precision_loss)]
    let helped = bullet.counts.balance().clamp(0, 10) as f64;
    // Rounded to thousandths, so that 0.6 − 0.1 is not above 0.5.
    ((faded + STEP * helped).clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::super::super::aggregate::Memory;
    use super::super::super::apply::{Tables, apply_delta};
    use super::super::super::bullet::{Counts, MemoryType};
    use super::super::super::delta::{Delta, DeltaId, NewBullet, Operation};
    use super::super::super::key::MemoryKey;
    use super::super::super::policy::Policy;
    use super::*;
    use hindlore_primitives::timestamp::Timestamp;

    fn bullet(importance: f64, helpful: u64, harmful: u64) -> Bullet {
        let tables = Tables::standard();
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let mut memory = Memory::new(key, tables.stamp(Policy::default()));
        let add = NewBullet {
            content: "a fact".to_owned(),
            importance: Some(importance),
            memory_type: Some(MemoryType::Semantic),
            ..NewBullet::default()
        };
        let delta = Delta::new(DeltaId::derive(&["d"]), vec![Operation::Add(Box::new(add))]);
        apply_delta(&mut memory, &delta, Timestamp::default(), &tables).unwrap();
        let bullet = memory.bullets().remove(0);
        Bullet {
            access_index: Some(0),
            counts: Counts {
                helpful,
                harmful,
                neutral: 0,
            },
            ..bullet
        }
    }

    #[test]
    fn importance_falls_with_disuse_and_rises_with_help() {
        let rates = Rates::default();
        // Three half-lives of a fact are 206.9 ticks.
        for (importance, helpful, harmful, clock, expected) in [
            (0.5, 0, 0, 0, 0.5),
            (0.5, 0, 0, 206, 0.5),
            (0.5, 0, 0, 207, 0.4),
            (0.5, 0, 0, 414, 0.3),
            (0.5, 0, 0, 1_000_000, 0.1),
            (0.6, 0, 0, 207, 0.5),
            (0.05, 0, 0, 1_000_000, 0.05),
            (0.5, 1, 0, 0, 0.6),
            (0.5, 3, 1, 0, 0.7),
            (0.5, 0, 4, 0, 0.5),
            (0.5, 99, 0, 0, 1.0),
            (0.8, 0, 0, 207, 0.7),
        ] {
            let got = importance_at(&bullet(importance, helpful, harmful), &rates, clock);
            assert_eq!(
                got, expected,
                "{importance} +{helpful} -{harmful} at {clock}"
            );
        }
    }

    #[test]
    fn without_decay_nothing_is_disused() {
        let still = Rates {
            semantic: 0.0,
            ..Rates::default()
        };
        assert_eq!(importance_at(&bullet(0.5, 0, 0), &still, u64::MAX), 0.5);
        let gone = Rates {
            semantic: 1.0,
            ..Rates::default()
        };
        assert_eq!(importance_at(&bullet(0.5, 0, 0), &gone, 1), 0.1);
    }
}
