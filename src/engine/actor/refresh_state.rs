//! Numbers the refreshes of a snapshot: a refresh also serves every reader who came before it began.

use std::sync::atomic::{AtomicU64, Ordering};

/// State shared by the concurrent readers of a memory.
#[derive(Default)]
pub(super) struct RefreshState {
    /// Number of the newest refresh begun.
    begun: AtomicU64,
    /// Number of the newest refresh that succeeded.
    ended: AtomicU64,
    /// The store's change count before that refresh; 0 if the store has none. Read before and not after, so that the
    /// snapshot holds at least the counted changes.
    seen: AtomicU64,
}

impl RefreshState {
    /// Returns the number of the newest refresh begun.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Numbers a new refresh. Call this, and `end`, under the write lock only.
    pub(super) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Marks a refresh as succeeded; `change_count` is the store's from before it.
    pub(super) fn end(&self, number: u64, change_count: Option<u64>) {
        self.ended.store(number, Ordering::SeqCst);
        let count = change_count.unwrap_or_default();
        self.seen.store(count, Ordering::SeqCst);
    }

    /// True if a refresh that began after number `number` has succeeded.
    pub(super) fn has_ended_since(&self, number: u64) -> bool {
        self.ended.load(Ordering::SeqCst) > number
    }

    /// True if nothing was written to the store since the newest refresh.
    pub(super) fn has_seen(&self, change_count: u64) -> bool {
        // 0 is the initial value: no refresh has ended yet, or the store has no count.
        change_count != 0 && self.seen.load(Ordering::SeqCst) == change_count
    }
}
