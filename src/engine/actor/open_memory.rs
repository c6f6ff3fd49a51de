//! A memory in process: its snapshot, and the ways to bring it up to date.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::loading::{create_or_load, open};
use super::refresh_state::RefreshState;
use super::shared_snapshot::SharedSnapshot;
use super::snapshot::Snapshot;
use crate::context::Context;
use crate::embeddings::known_vectors::KnownVectors;
use crate::error::EngineResult;
use crate::log::{self, ContentLog};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::content::vectors::Vectors;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{CatchUp, ImagePart};

/// Ticks between two compactions of a memory.
const COMPACT_EVERY_TICKS: u64 = 1_024;

/// One memory's snapshot with its locks.
pub(crate) struct OpenMemory {
    pub(crate) context: Arc<Context>,
    pub(crate) key: MemoryKey,
    /// Empty until the memory is loaded, and after a write of unknown outcome.
    pub(super) snapshot: SharedSnapshot,
    /// Held to advance the snapshot, across store calls; never while ranking. Taken before the snapshot's own
    /// lock.
    pub(super) write_lock: Arc<tokio::sync::Mutex<()>>,
    /// Lets one refresh serve all concurrent readers.
    pub(super) refresh: RefreshState,
    /// Set when one of our own events took a tick at which compaction is due.
    compaction_due: AtomicBool,
    /// When the snapshot was last read as a whole.
    read_at: Mutex<Option<Instant>>,
    /// When the store was last asked and agreed with the snapshot.
    confirmed: Mutex<Option<Instant>>,
    /// The vectors of its texts, as read so far.
    vectors: tokio::sync::Mutex<KnownVectors>,
    /// The revision for which vectors were last computed in the background; none at first.
    embedded_at: AtomicU64,
    /// An image is being made.
    is_imaging: AtomicBool,
    /// The snapshot is of an earlier moment: it follows the store no more, and takes no writes.
    is_past: bool,
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
            read_at: Mutex::default(),
            confirmed: Mutex::default(),
            vectors: tokio::sync::Mutex::default(),
            embedded_at: AtomicU64::new(u64::MAX),
            is_imaging: AtomicBool::new(false),
            is_past: false,
        }
    }

    /// A memory as it was at an earlier moment.
    pub(super) fn of_past(context: Arc<Context>, memory: Memory) -> Self {
        let past = Self {
            is_past: true,
            ..Self::new(context, memory.key().clone())
        };
        past.put(Snapshot::detached(memory));
        past
    }

    /// Returns true if it follows the store no more, and takes no writes.
    pub(super) fn is_past(&self) -> bool {
        self.is_past
    }

    /// The vectors of its texts, as they are in the store: by a model, or by any.
    pub(crate) async fn vectors(&self, model: Option<&str>) -> EngineResult<Arc<Vectors>> {
        let mut known = self.vectors.lock().await;
        known.latest(&self.context, (&self.key, model)).await
    }

    /// The revision for which vectors are to be computed; each comes once.
    pub(super) fn take_embedding_due(&self) -> Option<u64> {
        let revision = self.try_read_settled(|snapshot| snapshot.memory.revision());
        revision.filter(|now| self.embedded_at.swap(*now, Ordering::Relaxed) != *now)
    }

    /// True if a later revision is due.
    pub(super) fn is_embedding_outdated(&self, revision: u64) -> bool {
        self.embedded_at.load(Ordering::Relaxed) != revision
    }

    /// Notes that vectors are still missing.
    pub(super) fn note_embedding_failed(&self) {
        self.embedded_at.store(u64::MAX, Ordering::Relaxed);
    }

    /// Loads the memory if it is not in process; with `may_create`, makes a missing one. Returns false if
    /// there is no memory.
    pub(super) async fn ensure_loaded(&self, may_create: bool) -> EngineResult<bool> {
        if self.read(|_| ()).is_some() {
            return Ok(true);
        }
        let mut loaded = open(&self.context, &self.key).await?;
        if loaded.is_none() && may_create {
            loaded = Some(create_or_load(&self.context, &self.key).await?);
        }
        let is_there = loaded.is_some();
        loaded.into_iter().for_each(|snapshot| self.put(snapshot));
        Ok(is_there)
    }

    /// Installs a snapshot.
    pub(super) fn put(&self, snapshot: Snapshot) {
        *self.snapshot.write() = Some(snapshot);
        *locked(&self.read_at) = Some(Instant::now());
    }

    /// True once when the snapshot was read longer ago than the options allow.
    pub(super) fn take_reread_due(&self) -> bool {
        let Some(after) = self.context.options.reread_after.filter(|_| !self.is_past) else {
            return false;
        };
        let mut read_at = locked(&self.read_at);
        let is_due = read_at.is_some_and(|at| at.elapsed() >= after);
        if is_due {
            // Empty until the reload ends, so that only one reload runs at a time.
            *read_at = None;
        }
        is_due
    }

    /// True if an image would spare the next process work, and none is being made.
    pub(super) fn take_image_due(&self) -> bool {
        let is_due = || self.try_read_settled(Snapshot::is_image_due) == Some(true);
        !self.is_past && is_due() && !self.is_imaging.swap(true, Ordering::Relaxed)
    }

    /// Reads the part of its image that new texts need, under the write lock.
    pub(super) async fn ensure_learning(&self) {
        if self.read(Snapshot::lacks_learning).flatten().is_none() {
            return;
        }
        let read = self
            .context
            .store
            .image(&self.key, ImagePart::Learning)
            .await;
        // An image is a cache: without it the indexes are built.
        let image = read.unwrap_or_else(|error| {
            log::image_not_read(&self.key, &error.into());
            None
        });
        if let Some(snapshot) = self.snapshot.write().as_mut() {
            snapshot.add_learning(image.as_ref(), &self.context.tables().guard);
        }
    }

    /// Keeps an image of the snapshot in the store, for the next process.
    pub(super) async fn put_image(&self) -> EngineResult<()> {
        {
            let _lock = self.write_lock.lock().await;
            self.ensure_learning().await;
        }
        let guard = &self.context.tables().guard;
        let image = self.try_read_settled(|snapshot| snapshot.image(guard));
        let done = match image {
            Some(image) => self.context.store.put_image(&self.key, image).await,
            None => Ok(()),
        };
        // Noted even after an error: a store that cannot be written is not asked at each call.
        if let Some(snapshot) = self.snapshot.write().as_mut() {
            snapshot.note_imaged();
        }
        self.is_imaging.store(false, Ordering::Relaxed);
        Ok(done?)
    }

    /// Drops the snapshot, so that the next request loads the memory again.
    pub(crate) fn forget(&self) {
        *self.snapshot.write() = None;
        // A confirmation holds for the dropped snapshot only.
        *self.confirmed() = None;
    }

    /// Notes that the memory was reloaded, or could not be: the next time is due as long from now.
    pub(super) fn note_reread(&self) {
        *locked(&self.read_at) = Some(Instant::now());
    }

    /// Reads the snapshot, if loaded.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.snapshot.read().as_ref().map(read)
    }

    /// Reads the snapshot if it is loaded, fully on disk, and not in a large change.
    pub(crate) fn try_read_settled<T>(&self, read: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        let slot = self.snapshot.try_read()?;
        slot.as_ref().filter(|one| one.is_settled()).map(read)
    }

    /// Reads a settled snapshot that the store confirmed within `window`.
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

    /// Adopts the changes of other instances. Returns false if the memory must be loaded again.
    pub(super) fn absorb(&self, catch_up: CatchUp) -> bool {
        // A large delta of another instance is a large change here, too.
        let _large = self.snapshot.announce(catch_up.bullets.len());
        let mut slot = self.snapshot.write();
        slot.as_mut()
            .is_some_and(|snapshot| snapshot.absorb(catch_up))
    }

    /// Marks all contents of the snapshot as on disk.
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

    /// Notes our own events after the tick `before`. The instance that takes a due tick does the compaction,
    /// so that short-lived processes share the work and none of it is done twice.
    pub(super) fn note_written(&self, before: u64, events: usize) {
        let last = before + events as u64;
        // A crossed multiple counts, so that a group that jumps over it is due as well.
        if last / COMPACT_EVERY_TICKS > before / COMPACT_EVERY_TICKS {
            // Relaxed, because the flag publishes no other data.
            self.compaction_due.store(true, Ordering::Relaxed);
        }
    }

    /// True once per due compaction.
    pub(super) fn take_compaction_due(&self) -> bool {
        self.compaction_due.swap(false, Ordering::Relaxed)
    }

    /// Notes that the store confirmed the snapshot in reply to a question sent at `asked`.
    pub(super) fn note_confirmed(&self, asked: Instant) {
        let mut confirmed = self.confirmed();
        // Answers may arrive out of order; the later question proves the most.
        *confirmed = (*confirmed).max(Some(asked));
    }

    /// The log for events that mention contents.
    pub(crate) fn content_log(&self) -> ContentLog<'_> {
        let decay = self.read(|snapshot| {
            let memory = &snapshot.memory;
            (memory.policy().rates, memory.clock())
        });
        ContentLog::new(&self.key, decay, self.context.options.log_contents)
    }

    fn confirmed(&self) -> MutexGuard<'_, Option<Instant>> {
        locked(&self.confirmed)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Each value is replaced as a whole, so a panic cannot leave one half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
