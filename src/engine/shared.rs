//! The snapshot of a memory, shared between its lane, those who ask, and the transaction that decides.
//!
//! A retrieval is answered once it is on disk. What it does to the snapshot is carried out behind the
//! answer, and at the latest before anybody looks at the snapshot again, so that nobody sees the lag.
//!
//! The lock is held for short, except by those who announce that they change much. Tasks of the runtime do
//! not wait for these at the lock, where they would take a thread with them: they go without what they
//! wanted to read, or wait for the lane's turn, within which all large changes are made.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::open::Snapshot;

/// A place for a snapshot; absent until the memory was loaded.
#[derive(Clone, Default)]
pub(super) struct SharedSnapshot(Arc<Place>);

/// Changes from which they are announced: smaller ones are made before a thread could be missed.
const LARGE: usize = 256;

#[derive(Default)]
struct Place {
    snapshot: RwLock<Option<Snapshot>>,
    /// Large changes that were announced and are not done.
    large: AtomicUsize,
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
            let slot = self
                .0
                .snapshot
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            if !slot.as_ref().is_some_and(Snapshot::is_behind) {
                return slot;
            }
            drop(slot);
            drop(self.write());
        }
    }

    /// Waits for the snapshot to change it.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Option<Snapshot>> {
        let mut slot = self
            .0
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(mut behind) = slot.take_if(|snapshot| snapshot.is_behind()) {
            // Outside of its place, so that one that panics half-way is loaded anew.
            behind.catch_up();
            *slot = Some(behind);
        }
        slot
    }

    /// Reads the snapshot, unless somebody changes much in it.
    pub(super) fn read_early(&self) -> Option<RwLockReadGuard<'_, Option<Snapshot>>> {
        self.is_free().then(|| self.read())
    }

    /// Changes the snapshot, unless somebody else changes much in it.
    pub(super) fn write_early(&self) -> Option<RwLockWriteGuard<'_, Option<Snapshot>>> {
        self.is_free().then(|| self.write())
    }

    /// Announces so many changes, where they are many; to be called before the lock is asked for, and kept
    /// longer than it.
    pub(super) fn announce(&self, changes: usize) -> Option<LargeChange<'_>> {
        let announced = || {
            self.0.large.fetch_add(1, Ordering::SeqCst);
            LargeChange(&self.0.large)
        };
        (changes >= LARGE).then(announced)
    }

    fn is_free(&self) -> bool {
        self.0.large.load(Ordering::SeqCst) == 0
    }

    /// Carries out what is owed to the snapshot.
    pub(super) fn catch_up(&self) {
        drop(self.read());
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
        assert!(shared.read_early().is_none() && shared.write_early().is_none());
        drop(slot);
        drop(change);
        let small = shared.announce(LARGE - 1);
        assert!(shared.read_early().is_some());
        assert!(shared.write_early().is_some());
        drop(small);
    }
}
