//! Whether it pays to decide about a memory before it is held: not where others keep writing to it.

use std::sync::{Mutex, PoisonError};

/// Memories that share a place share their odds, which costs no more than a request.
const PLACES: usize = 64;
/// Work that takes the lock at once after this many misses in a row: 2 to this power, less one.
const MISSES_MAX: u8 = 6;

#[derive(Clone, Copy)]
struct Place {
    /// Misses in a row.
    misses: u8,
    /// Work that is still to take the lock at once.
    waits: u8,
}

/// What came of deciding ahead, by memory.
pub(super) struct Odds(Mutex<[Place; PLACES]>);

impl Odds {
    pub(super) fn new() -> Self {
        let place = Place {
            misses: 0,
            waits: 0,
        };
        Self(Mutex::new([place; PLACES]))
    }

    /// True when the next work on a memory may be decided ahead.
    pub(super) fn are_good(&self, memory: &str) -> bool {
        self.at(memory, |place| {
            let are_good = place.waits == 0;
            place.waits = place.waits.saturating_sub(1);
            are_good
        })
    }

    /// Notes that the memory stood where it was known to stand, or that it did not.
    pub(super) fn note(&self, memory: &str, is_hit: bool) {
        self.at(memory, |place| {
            place.misses = if is_hit {
                0
            } else {
                (place.misses + 1).min(MISSES_MAX)
            };
            place.waits = (1 << place.misses) - 1;
        });
    }

    fn at<T>(&self, memory: &str, of: impl FnOnce(&mut Place) -> T) -> T {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = memory.bytes().take(4);
        let number = bytes.fold(0_usize, |sum, byte| sum * 31 + usize::from(byte));
        of(&mut places[number % PLACES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_miss_in_a_row_doubles_the_wait_and_a_hit_ends_it() {
        let odds = Odds::new();
        let tries = |count: usize| (0..count).filter(|_| odds.are_good("m")).count();
        assert_eq!(tries(5), 5);
        odds.note("m", false);
        assert_eq!([odds.are_good("m"), odds.are_good("m")], [false, true]);
        odds.note("m", false);
        assert_eq!((tries(3), tries(1)), (0, 1));
        (0..10).for_each(|_| odds.note("m", false));
        assert_eq!((tries(63), tries(1)), (0, 1));
        assert!(odds.are_good("another"));
        odds.note("m", true);
        assert_eq!(tries(9), 9);
    }
}
