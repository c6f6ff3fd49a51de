//! Reads the newest state of a memory without leaving a trace.

use std::time::Instant;

use super::open_memory::OpenMemory;
use super::snapshot::Snapshot;
use crate::error::EngineResult;

/// Refreshes that concurrent decisions may invalidate before a reader waits for the write lock.
const TRIES: usize = 3;

/// Whether a reader may block on the snapshot. Allowed only under the write lock, which excludes large
/// changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Try,
    Wait,
}

impl OpenMemory {
    /// Reads the newest state on disk. `None`: there is no memory.
    pub(crate) async fn read_latest<T>(
        &self,
        mut read: impl FnMut(&Snapshot) -> T,
    ) -> EngineResult<Option<T>> {
        let settled = |patience| {
            let slot = if patience == Patience::Wait {
                self.snapshot.read()
            } else {
                self.snapshot.try_read()?
            };
            slot.as_ref().filter(|one| one.is_settled()).map(&mut read)
        };
        self.refresh_and_read(settled).await
    }

    /// As `read_latest`, for readers that fill the caches of the memory.
    pub(crate) async fn read_latest_mut<T>(
        &self,
        mut read: impl FnMut(&mut Snapshot) -> T,
    ) -> EngineResult<Option<T>> {
        let settled = |patience| {
            let mut slot = if patience == Patience::Wait {
                self.snapshot.write()
            } else {
                self.snapshot.try_write()?
            };
            slot.as_mut().filter(|one| one.is_settled()).map(&mut read)
        };
        self.refresh_and_read(settled).await
    }

    async fn refresh_and_read<T>(
        &self,
        mut settled: impl FnMut(Patience) -> Option<T>,
    ) -> EngineResult<Option<T>> {
        // Nothing was written since the last refresh, so the store need not be asked.
        if let Some(count) = self.context.store.hints().change_count
            && self.refresh.has_seen(count)
            && let Some(seen) = settled(Patience::Try)
        {
            return Ok(Some(seen));
        }
        for _ in 0..TRIES {
            let newest = self.refresh.begun();
            let lock = self.write_lock.lock().await;
            // One refresh serves many readers, provided it began after each of them arrived.
            if !self.refresh.has_ended_since(newest) && !self.refresh().await? {
                return Ok(None);
            }
            drop(lock);
            // Between lock and read a new decision may have begun, which can still fail to reach the disk:
            // such a snapshot is not settled, and the next round waits for it.
            if let Some(seen) = settled(Patience::Try) {
                return Ok(Some(seen));
            }
        }
        // The lock is kept across the read, so no decision can intervene any more.
        let _lock = self.write_lock.lock().await;
        if !self.refresh().await? {
            return Ok(None);
        }
        Ok(settled(Patience::Wait))
    }

    /// Brings the snapshot to the newest state, under the caller's write lock. Returns false if there is no
    /// memory.
    async fn refresh(&self) -> EngineResult<bool> {
        let (number, asked) = (self.refresh.begin(), Instant::now());
        // Read before asking: a write in between makes the count stale and costs one refresh, never a missed
        // change.
        let count = self.context.store.hints().change_count;
        let is_there = self.catch_up().await?;
        if is_there {
            self.refresh.end(number, count);
            self.note_confirmed(asked);
        }
        Ok(is_there)
    }

    async fn catch_up(&self) -> EngineResult<bool> {
        if self.is_past() {
            return Ok(true);
        }
        if !self.ensure_loaded(false).await? {
            return Ok(false);
        }
        let clock = self.read(|snapshot| snapshot.memory.clock());
        let clock = clock.unwrap_or_default();
        let store = &self.context.store;
        let Some(changed) = store.changes_since(&self.key, clock).await? else {
            self.forget();
            return Ok(false);
        };
        if self.absorb(changed) {
            return Ok(true);
        }
        self.forget();
        self.ensure_loaded(false).await
    }
}
