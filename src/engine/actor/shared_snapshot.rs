//! The snapshot of a memory with its lock, shared by the actor, its readers, and the deciding transaction.
//!
//! A recorded retrieval is answered before its touches reach the snapshot. The next holder of the lock carries them out
//! first, so the lag is never visible.
//!
//! The lock is held for microseconds, except by large changes, which announce themselves. Meanwhile async
//! readers skip the lock, so that no runtime thread blocks: they do without the snapshot, or wait for the
//! memory's write lock, under which all large changes happen.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::snapshot::Snapshot;

/// Changed bullets from which a change is announced; smaller ones end before a blocked thread matters.
const LARGE: usize = 256;

/// Holds a snapshot; empty until the memory is loaded.
#[derive(Clone, Default)]
pub(crate) struct SharedSnapshot(Arc<Inner>);

#[derive(Default)]
struct Inner {
    snapshot: RwLock<Option<Snapshot>>,
    /// Large changes announced and not finished.
    large_changes: AtomicUsize,
}

/// Marks a large change from before the lock is requested until it is released.
pub(super) struct LargeChange<'s>(&'s AtomicUsize);

impl Drop for LargeChange<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl SharedSnapshot {
    /// Waits for the snapshot and reads it.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Option<Snapshot>> {
        loop {
            let lock = self.0.snapshot.read();
            let slot = lock.unwrap_or_else(PoisonError::into_inner);
            if !slot.as_ref().is_some_and(Snapshot::is_behind) {
                return slot;
            }
            drop(slot);
            // A read lock cannot be upgraded; taking the write lock carries out the pending touches. Another
            // touch may slip in before the next read lock, hence the loop.
            drop(self.write());
        }
    }

    /// Waits for the snapshot to change it.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Option<Snapshot>> {
        let lock = self.0.snapshot.write();
        let mut slot = lock.unwrap_or_else(PoisonError::into_inner);
        if let Some(mut behind) = slot.take_if(|snapshot| snapshot.is_behind()) {
            // Taken out of its slot first: a panic half-way leaves the slot empty, and the memory is loaded
            // again.
            behind.catch_up();
            *slot = Some(behind);
        }
        slot
    }

    /// Reads the snapshot; `None` during a large change.
    pub(super) fn try_read(&self) -> Option<RwLockReadGuard<'_, Option<Snapshot>>> {
        // A large change that starts between the check and the lock blocks one thread once; this is rare.
        self.is_free().then(|| self.read())
    }

    /// Changes the snapshot; `None` while another task makes a large change.
    pub(super) fn try_write(&self) -> Option<RwLockWriteGuard<'_, Option<Snapshot>>> {
        self.is_free().then(|| self.write())
    }

    /// Announces a change of this many bullets if it is large. Call it before requesting the lock, and keep
    /// the result until the lock is released.
    pub(super) fn announce(&self, changes: usize) -> Option<LargeChange<'_>> {
        (changes >= LARGE).then(|| {
            self.0.large_changes.fetch_add(1, Ordering::SeqCst);
            LargeChange(&self.0.large_changes)
        })
    }

    /// Carries out the pending touches.
    pub(super) fn catch_up(&self) {
        drop(self.read());
    }

    fn is_free(&self) -> bool {
        self.0.large_changes.load(Ordering::SeqCst) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGE, SharedSnapshot};

    #[test]
    fn nobody_waits_early_for_a_large_change() {
        let shared = SharedSnapshot::default();
        let change = shared.announce(LARGE);
        let slot = shared.write();
        assert!(shared.try_read().is_none() && shared.try_write().is_none());
        drop(slot);
        drop(change);
        let small = shared.announce(LARGE - 1);
        assert!(shared.try_read().is_some());
        assert!(shared.try_write().is_some());
        drop(small);
    }
}
