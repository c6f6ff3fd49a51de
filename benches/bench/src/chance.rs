//! Chance that is the same in every run: numbers that look random and follow from a seed.
//!
//! Generated texts, samples and resamples are part of a report, so a second run must meet the same ones.

/// A generator of pseudo-random numbers (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A generator that a seed determines.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in 0..`limit`; 0 when the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        // The high half of a product is even enough for limits far below 2^64.
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// A number in 0..1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Brings a slice into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers_within_their_limits() {
        let (mut a, mut b) = (Chance::new(7), Chance::new(7));
        for limit in 1..200 {
            let (left, right) = (a.below(limit), b.below(limit));
            assert!(left == right && left < limit);
        }
        assert!((0..100).all(|_| (0.0..1.0).contains(&a.share())));
        assert_ne!(Chance::new(1).bits(), Chance::new(2).bits());
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Chance::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<u32>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<u32>>());
    }
}
