//! How far long work is, for whoever watches it.
//!
//! Two numbers that may be read at any time; nothing waits for them, and no decision rests on them. Of several
//! works at once, the last one that began is told.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Engine;

/// How much is done, of how much.
#[derive(Debug, Default)]
pub(super) struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Begins a work of so many pieces.
    pub(super) fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Tells that so many pieces are done.
    pub(super) fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}

impl Engine {
    /// How many pieces of the present work are done, of how many; 0 of 0 before there was any.
    pub fn progress(&self) -> (u64, u64) {
        let progress = &self.shared.progress;
        let done = progress.done.load(Ordering::Relaxed);
        (done, progress.total.load(Ordering::Relaxed))
    }
}
