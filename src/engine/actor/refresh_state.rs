//! Numbers the refreshes of a snapshot, so that one that began after a reader came serves that reader, too.

use std::sync::atomic::{AtomicU64, Ordering};

/// What concurrent readers of a memory share.
#[derive(Default)]
pub(super) struct RefreshState {
    /// The number of the newest refresh.
    begun: AtomicU64,
    /// The number of the newest refresh that brought the snapshot up to date.
    ended: AtomicU64,
    /// The change count of the store before that refresh; 0 where the store has none. Whatever the snapshot
    /// is since then, it holds at least what that refresh saw.
    seen: AtomicU64,
}

impl RefreshState {
    /// The number of the newest refresh that has begun.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Numbers a refresh that begins; to be called within the write lock, as is `end`.
    pub(super) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Notes that a refresh succeeded, which the store's change count preceded.
    pub(super) fn end(&self, number: u64, change_count: Option<u64>) {
        self.ended.store(number, Ordering::SeqCst);
        let count = change_count.unwrap_or_default();
        self.seen.store(count, Ordering::SeqCst);
    }

    /// True when a refresh has ended that began after the refresh `number`.
    pub(super) fn has_ended_since(&self, number: u64) -> bool {
        self.ended.load(Ordering::SeqCst) > number
    }

    /// True when nothing was written to the store since the newest refresh.
    pub(super) fn has_seen(&self, change_count: u64) -> bool {
        change_count != 0 && self.seen.load(Ordering::SeqCst) == change_count
    }
}
