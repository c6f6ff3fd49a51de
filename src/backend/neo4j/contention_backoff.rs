//! Whether to decide about a memory before it is locked: not where others keep writing to it.
//!
//! A decision made ahead saves a request, and is thrown away when the memory has moved. After each miss in a row the
//! next attempts take the lock at once, twice as many as before.

use std::sync::{Mutex, PoisonError};

/// Memories that share a bucket share their backoff, which costs no more than a request.
const BUCKETS: usize = 64;
/// Work that takes the lock at once after this many misses in a row: 2 to this power, less one.
const MISSES_MAX: u8 = 6;

#[derive(Clone, Copy)]
struct Bucket {
    /// Misses in a row.
    misses: u8,
    /// Work that is still to take the lock at once.
    waits: u8,
}

/// How deciding ahead went of late, by memory.
pub(super) struct ContentionBackoff(Mutex<[Bucket; BUCKETS]>);

impl ContentionBackoff {
    pub(super) fn new() -> Self {
        let bucket = Bucket {
            misses: 0,
            waits: 0,
        };
        Self(Mutex::new([bucket; BUCKETS]))
    }

    /// True when the next work on a memory may be decided ahead.
    pub(super) fn should_try(&self, memory: &str) -> bool {
        self.at(memory, |bucket| {
            let should_try = bucket.waits == 0;
            bucket.waits = bucket.waits.saturating_sub(1);
            should_try
        })
    }

    /// Notes that the memory stood where it was known to stand, or that it did not.
    pub(super) fn note(&self, memory: &str, is_hit: bool) {
        self.at(memory, |bucket| {
            bucket.misses = if is_hit {
                0
            } else {
                (bucket.misses + 1).min(MISSES_MAX)
            };
            bucket.waits = (1 << bucket.misses) - 1;
        });
    }

    fn at<T>(&self, memory: &str, of: impl FnOnce(&mut Bucket) -> T) -> T {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = memory.bytes().take(4);
        let number = bytes.fold(0_usize, |sum, byte| sum * 31 + usize::from(byte));
        of(&mut buckets[number % BUCKETS])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_miss_in_a_row_doubles_the_wait_and_a_hit_ends_it() {
        let backoff = ContentionBackoff::new();
        let tries = |count: usize| (0..count).filter(|_| backoff.should_try("m")).count();
        assert_eq!(tries(5), 5);
        backoff.note("m", false);
        assert_eq!(
            [backoff.should_try("m"), backoff.should_try("m")],
            [false, true]
        );
        backoff.note("m", false);
        assert_eq!((tries(3), tries(1)), (0, 1));
        (0..10).for_each(|_| backoff.note("m", false));
        assert_eq!((tries(63), tries(1)), (0, 1));
        assert!(backoff.should_try("another"));
        backoff.note("m", true);
        assert_eq!(tries(9), 9);
    }
}
