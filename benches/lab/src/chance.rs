//! Seeded chance: every draw of an experiment can be made again, on every machine.
//!
//! SplitMix64 (Steele, Lea and Flood 2014): 64 bits of state, equidistributed, and streams that are
//! derived by name do not overlap in practice. No secret depends on it.

/// A stream of draws.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Chance {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: mixed(seed) }
    }

    /// The stream of a seed for one purpose, so that draws for one thing never shift those for another.
    pub fn of(seed: u64, purpose: &str) -> Self {
        let folded = purpose.bytes().fold(seed ^ STEP, |hash, byte| {
            mixed(hash ^ u64::from(byte)).wrapping_mul(STEP)
        });
        Self::new(folded)
    }

    /// Draws 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mixed(self.state)
    }

    /// Draws from 0.0 (included) to 1.0 (excluded).
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws a place below `count`; 0 when there is none.
    pub fn below(&mut self, count: usize) -> usize {
        (((u128::from(self.bits())) * count as u128) >> 64) as usize
    }

    /// Draws one of the things given.
    pub fn one<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }

    /// Draws a place by weight; `None` when no weight is above 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        let mut left = self.share() * total;
        let mut last = None;
        for (at, weight) in weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > 0.0)
        {
            last = Some(at);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// Puts things in a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

fn mixed(state: u64) -> u64 {
    let a = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    b ^ (b >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_made_again_and_purposes_differ() {
        let draws = |mut chance: Chance| [chance.bits(), chance.bits(), chance.bits()];
        assert_eq!(draws(Chance::new(7)), draws(Chance::new(7)));
        assert_ne!(draws(Chance::of(7, "a")), draws(Chance::of(7, "b")));
    }

    #[test]
    fn draws_are_spread_over_what_may_be_drawn() {
        let mut chance = Chance::new(1);
        let mut counts = [0_u32; 4];
        for _ in 0..4000 {
            counts[chance.below(4)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        assert_eq!(chance.weighted(&[0.0, 2.0, 0.0]), Some(1));
        assert_eq!(chance.weighted(&[0.0]), None);
    }
}
