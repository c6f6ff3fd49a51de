//! The snapshot of a memory, shared between its lane, those who ask, and the transaction that decides.
//!
//! A retrieval is answered once it is on disk. What it does to the snapshot is carried out behind the
//! answer, and at the latest before anybody looks at the snapshot again, so that nobody sees the lag.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::open::Snapshot;

/// A place for a snapshot; absent until the memory was loaded.
#[derive(Clone, Default)]
pub(super) struct SharedSnapshot(Arc<RwLock<Option<Snapshot>>>);

impl SharedSnapshot {
    /// Waits for the snapshot and reads it.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Option<Snapshot>> {
        loop {
            let slot = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if !slot.as_ref().is_some_and(Snapshot::is_behind) {
                return slot;
            }
            drop(slot);
            drop(self.write());
        }
    }

    /// Waits for the snapshot to change it.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Option<Snapshot>> {
        let mut slot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut behind) = slot.take_if(|snapshot| snapshot.is_behind()) {
            // Outside of its place, so that one that panics half-way is loaded anew.
            behind.catch_up();
            *slot = Some(behind);
        }
        slot
    }

    /// Carries out what is owed to the snapshot.
    pub(super) fn catch_up(&self) {
        drop(self.read());
    }
}
