//! A memory in process: its snapshot, and what brings the snapshot up to date.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::loading::{create_or_load, load};
use super::refresh_state::RefreshState;
use super::shared_snapshot::SharedSnapshot;
use super::snapshot::Snapshot;
use crate::domain::memory::key::MemoryKey;
use crate::engine::context::Context;
use crate::engine::error::EngineResult;
use crate::engine::log::ContentLog;
use crate::store::CatchUp;

/// Ticks between two compactions of a memory.
const COMPACT_EVERY_TICKS: u64 = 1_024;

/// One memory's snapshot with its locks.
pub(crate) struct OpenMemory {
    pub(crate) context: Arc<Context>,
    pub(crate) key: MemoryKey,
    /// Empty until the memory was loaded, and after a write with an unknown outcome.
    pub(super) snapshot: SharedSnapshot,
    /// Held by whoever brings the snapshot forward, across store calls; never while ranking.
    pub(super) write_lock: Arc<tokio::sync::Mutex<()>>,
    /// What concurrent readers share, so that one refresh serves all of them.
    pub(super) refresh: RefreshState,
    /// One of our own events took a tick at which compaction is due.
    compaction_due: AtomicBool,
    /// When the store was last asked and agreed with the snapshot.
    confirmed: Mutex<Option<Instant>>,
}

impl OpenMemory {
    pub(super) fn new(context: Arc<Context>, key: MemoryKey) -> Self {
        Self {
            context,
            key,
            snapshot: SharedSnapshot::default(),
            write_lock: Arc::default(),
            refresh: RefreshState::default(),
            compaction_due: AtomicBool::new(false),
            confirmed: Mutex::default(),
        }
    }

    /// Loads the memory if it is not in process; `may_create` makes it when there is none. False: there is
    /// no memory.
    pub(super) async fn ensure_loaded(&self, may_create: bool) -> EngineResult<bool> {
        if self.read(|_| ()).is_some() {
            return Ok(true);
        }
        let mut loaded = load(&self.context, &self.key).await?;
        if loaded.is_none() && may_create {
            loaded = Some(create_or_load(&self.context, &self.key).await?);
        }
        let is_there = loaded.is_some();
        loaded.into_iter().for_each(|snapshot| self.put(snapshot));
        Ok(is_there)
    }

    /// Puts a snapshot in its place.
    pub(super) fn put(&self, snapshot: Snapshot) {
        *self.snapshot.write() = Some(snapshot);
    }

    /// Drops the snapshot, so that the next request loads the memory.
    pub(crate) fn forget(&self) {
        *self.snapshot.write() = None;
        *self.confirmed() = None;
    }

    /// Reads the snapshot, where there is one.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.snapshot.read().as_ref().map(read)
    }

    /// Reads the snapshot, where there is one, all that it holds is on disk, and no large change is made.
    pub(crate) fn try_read_settled<T>(&self, read: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        let slot = self.snapshot.try_read()?;
        slot.as_ref().filter(|one| one.is_settled()).map(read)
    }

    /// The same, where the store has confirmed the snapshot within `window` as well.
    pub(crate) fn try_read_recent<T>(
        &self,
        window: Duration,
        read: impl FnOnce(&Snapshot) -> T,
    ) -> Option<T> {
        let confirmed = *self.confirmed();
        if confirmed?.elapsed() > window {
            return None;
        }
        self.try_read_settled(read)
    }

    /// Takes what others changed into the snapshot. False: it must be loaded.
    pub(super) fn absorb(&self, catch_up: CatchUp) -> bool {
        // A large delta of somebody else changes much here, too.
        let _large = self.snapshot.announce(catch_up.bullets.len());
        let mut slot = self.snapshot.write();
        slot.as_mut()
            .is_some_and(|snapshot| snapshot.absorb(catch_up))
    }

    /// Notes that what the snapshot holds is on disk.
    pub(super) fn note_committed(&self) {
        let mut slot = self.snapshot.write();
        let Some(snapshot) = slot.as_mut() else {
            return;
        };
        let events = snapshot.uncommitted_events();
        snapshot.settle();
        let clock = snapshot.memory.clock();
        drop(slot);
        self.note_written(clock.saturating_sub(events as u64), events);
    }

    /// Notes our own events after the tick `before`. Of all the instances on a memory, the one that takes the
    /// due tick compacts it, so that short-lived processes share that work and nobody does it twice.
    pub(super) fn note_written(&self, before: u64, events: usize) {
        let last = before + events as u64;
        if last / COMPACT_EVERY_TICKS > before / COMPACT_EVERY_TICKS {
            self.compaction_due.store(true, Ordering::Relaxed);
        }
    }

    /// True once after compaction became due.
    pub(super) fn take_compaction_due(&self) -> bool {
        self.compaction_due.swap(false, Ordering::Relaxed)
    }

    /// The store has confirmed the snapshot in an answer to a question sent at `asked`.
    pub(super) fn note_confirmed(&self, asked: Instant) {
        let mut confirmed = self.confirmed();
        *confirmed = (*confirmed).max(Some(asked));
    }

    /// The log of what speaks of contents.
    pub(crate) fn content_log(&self) -> ContentLog<'_> {
        ContentLog::new(&self.key, self.context.options.log_contents)
    }

    fn confirmed(&self) -> MutexGuard<'_, Option<Instant>> {
        self.confirmed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
