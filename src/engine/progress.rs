//! Progress of long-running work.
//!
//! Two counters that may be read at any time. No decision depends on them; if several tasks run at once, they
//! show the one that began last.

use std::sync::atomic::{AtomicU64, Ordering};

/// From this many operations on, a delta is counted: short ones of other callers would hide the count of a long one.
const LONG_DELTA: usize = 1_000;

/// Pieces of work done, and their total.
#[derive(Debug, Default)]
pub(super) struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Begins work of `total` pieces.
    pub(super) fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Notes that `done` pieces are done.
    pub(super) fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// Begins a delta of this many operations; the result takes the number of those that are done.
    pub(super) fn of_delta(&self, operations: usize) -> impl Fn(u64) + '_ {
        let is_long = operations >= LONG_DELTA;
        if is_long {
            self.begin(operations as u64);
        }
        move |done| {
            if is_long {
                self.reach(done);
            }
        }
    }

    /// Returns the pieces done and their total; (0, 0) before any work.
    pub(super) fn get(&self) -> (u64, u64) {
        let done = self.done.load(Ordering::Relaxed);
        (done, self.total.load(Ordering::Relaxed))
    }
}
