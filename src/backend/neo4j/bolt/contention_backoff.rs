//! Contention backoff: whether to decide on a memory before it is locked.
//!
//! Deciding ahead saves requests, but the decision is thrown away when another writer was faster. Each miss in a row
//! doubles the number of following transactions that take the lock first.

use std::sync::{Mutex, PoisonError};

/// Number of buckets. Memories in one bucket share their backoff; a wrong guess costs one request.
const BUCKETS: usize = 64;
/// Misses in a row that count; after n misses, 2^n - 1 transactions take the lock first.
const MISSES_MAX: u8 = 6;

#[derive(Clone, Copy)]
struct Bucket {
    /// Misses in a row.
    misses: u8,
    /// Transactions that will still take the lock first.
    waits: u8,
}

/// The recent hits and misses of deciding ahead, by memory.
pub(crate) struct ContentionBackoff(Mutex<[Bucket; BUCKETS]>);

impl ContentionBackoff {
    pub(crate) fn new() -> Self {
        let bucket = Bucket {
            misses: 0,
            waits: 0,
        };
        Self(Mutex::new([bucket; BUCKETS]))
    }

    /// True when the next transaction on a memory should decide ahead. Counts down the backoff.
    pub(crate) fn should_try(&self, memory: &str) -> bool {
        self.at(memory, |bucket| {
            let should_try = bucket.waits == 0;
            bucket.waits = bucket.waits.saturating_sub(1);
            should_try
        })
    }

    /// Records whether a memory was still at its known position.
    pub(crate) fn note(&self, memory: &str, is_hit: bool) {
        self.at(memory, |bucket| {
            bucket.misses = if is_hit {
                0
            } else {
                (bucket.misses + 1).min(MISSES_MAX)
            };
            // At most 2^6 - 1, which a byte holds.
            bucket.waits = (1 << bucket.misses) - 1;
        });
    }

    fn at<T>(&self, memory: &str, of: impl FnOnce(&mut Bucket) -> T) -> T {
        // A poisoned lock is harmless: the buckets are only hints.
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A key is a hash in hexadecimal digits, so its beginning is spread evenly.
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
