//! The snapshot of a memory behind its lock, shared by the actor, its readers, and the transaction that
//! decides.
//!
//! A recorded retrieval is answered before its touches reach the snapshot. They are carried out at the latest
//! when somebody takes the lock, so that nobody sees the lag.
//!
//! The lock is held for microseconds, except for large changes, which are announced. Tasks of the runtime do
//! not wait for these at the lock, where they would block a thread: they go without what they wanted to read,
//! or wait for the write lock of the memory, within which all large changes are made.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::snapshot::Snapshot;

/// Changes from which they are announced: smaller ones are made before a blocked thread is missed.
const LARGE: usize = 256;

/// A place for a snapshot; empty until the memory is loaded.
#[derive(Clone, Default)]
pub(crate) struct SharedSnapshot(Arc<Inner>);

#[derive(Default)]
struct Inner {
    snapshot: RwLock<Option<Snapshot>>,
    /// Large changes that were announced and are not done.
    large_changes: AtomicUsize,
}

/// A large change, from before the lock is asked for until it is free again.
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
            // Taking the lock for writing carries out what is pending.
            drop(self.write());
        }
    }

    /// Waits for the snapshot to change it.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Option<Snapshot>> {
        let lock = self.0.snapshot.write();
        let mut slot = lock.unwrap_or_else(PoisonError::into_inner);
        if let Some(mut behind) = slot.take_if(|snapshot| snapshot.is_behind()) {
            // Outside of its place: should it panic half-way, the memory is loaded again.
            behind.catch_up();
            *slot = Some(behind);
        }
        slot
    }

    /// Reads the snapshot; `None` during a large change.
    pub(super) fn try_read(&self) -> Option<RwLockReadGuard<'_, Option<Snapshot>>> {
        self.is_free().then(|| self.read())
    }

    /// Changes the snapshot; `None` during a large change of somebody else.
    pub(super) fn try_write(&self) -> Option<RwLockWriteGuard<'_, Option<Snapshot>>> {
        self.is_free().then(|| self.write())
    }

    /// Announces a change of so many bullets, if it is large. Call it before asking for the lock, and keep
    /// what it returns until the lock is free.
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
