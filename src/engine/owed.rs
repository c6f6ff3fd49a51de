//! Verb: retrieve at once and record later, for callers who would rather lose a few records than wait for
//! the disk.
//!
//! Such an answer shows only clocks that are on disk, and takes no tick before its record is written. So a
//! process that dies leaves no gap in the numbering, and no clock that was shown is given again.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::answer::{Asked, MemoryAnswer};
use super::batch::fail_all;
use super::error::{EngineError, EngineResult};
use super::lane::Lane;
use super::open::Snapshot;
use super::request::{OwedJob, Request};
use super::retrieve::{RetrieveRequest, Retrieved, combine};
use super::{Engine, events};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::key::MemoryKey;
use crate::store::{RetrievalRecord, Returned};

/// Records that may wait for one memory; whoever comes after them waits, too.
const OWED_MAX: usize = 4_096;
/// The wait before records are tried again that could not be written.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// When a retrieval is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// After its tick and its record are on disk.
    #[default]
    Durable,
    /// At once. Records are written together, the first of them after `window`, and a process that dies
    /// loses those that were not. What others wrote is seen at most `window` late. Retrievals that are
    /// strict, or include the shared memory, are durable all the same, and so is every delta.
    Grouped {
        /// How long a record may wait until it is sent to the store.
        window: Duration,
    },
}

impl Durability {
    /// How long records may wait; absent when they may not.
    pub(super) fn window(self) -> Option<Duration> {
        match self {
            Self::Durable => None,
            Self::Grouped { window } => Some(window),
        }
    }
}

impl Engine {
    /// Answers from the snapshot where that was compared with the store within the window, and leaves the
    /// record to the lane.
    pub(super) async fn retrieve_owing(
        &self,
        key: &MemoryKey,
        request: RetrieveRequest,
        (asked, window): (Asked, Duration),
    ) -> EngineResult<Retrieved> {
        let lane = self.lane(key);
        if lane.queue.waiting() >= OWED_MAX {
            self.flush(key).await?;
        }
        let now = self.shared.clock.now();
        let rank = |memory: &Memory| MemoryAnswer::rank(memory, &request.query, now);
        let look = |snapshot: &Snapshot| {
            let incarnation = Some(snapshot.incarnation.clone());
            (incarnation, rank(&snapshot.memory))
        };
        let seen = match lane.read_if_fresh(window, look) {
            Some(seen) => Some(seen),
            None => self.look_at(&lane, look).await?,
        };
        let (incarnation, answer) =
            seen.unwrap_or_else(|| (None, rank(&self.imagined(key, now).memory)));
        let hits = answer.returned();
        let mut id = None;
        if !hits.is_empty() {
            id = Some(asked.id.clone());
            let record = asked.record((&answer.ranking).into(), hits, now);
            events::injected(self, key, &asked.query, &answer.bullets);
            let job = OwedJob::new(record, incarnation);
            self.put(&lane, Request::Owed(Box::new(job)));
        }
        let mut retrieved = combine(vec![(key.clone(), answer)], usize::MAX);
        retrieved.retrieval = id;
        Ok(retrieved)
    }

    /// Writes the records that retrievals of this engine still owe a memory. Those of all memories are
    /// written by [`Engine::settle`].
    pub async fn flush(&self, key: &MemoryKey) -> EngineResult<()> {
        match self.shared.options.durability {
            Durability::Grouped { .. } if !self.lane(key).queue.is_idle() => {
                self.submit(key, Request::Flush).await
            }
            _ => Ok(()),
        }
    }

    /// Writes what is owed to all memories; what fails is told to the log.
    pub(super) async fn flush_all(&self) {
        if self.shared.options.durability.window().is_none() {
            return;
        }
        for key in self.open_memories() {
            let _ = self.flush(&key).await;
        }
    }

    /// Answers a group that could not be written. What nobody waits for is tried again where that may go
    /// well: only a process that ends loses its window.
    pub(super) fn fail_group(&self, lane: &Arc<Lane>, group: Vec<Request>, error: &EngineError) {
        if !error.may_pass() {
            return fail_all(group, error);
        }
        let (owed, mut others): (Vec<_>, Vec<_>) = group.into_iter().partition(Request::can_wait);
        if !owed.is_empty() {
            events::records_wait(&lane.key, owed.len(), error);
            others.extend(lane.queue.hold(owed));
            self.release_later(lane);
        }
        fail_all(others, error);
    }

    /// Lets a lane try again in a while what it could not write.
    fn release_later(&self, lane: &Arc<Lane>) {
        let (shared, lane) = (Arc::downgrade(&self.shared), Arc::downgrade(lane));
        // Not among the work that `settle` waits for, which tries once itself: a store that stays away
        // must not keep a process from ending.
        drop(tokio::spawn(async move {
            sleep(RETRY_AFTER).await;
            if let (Some(shared), Some(lane)) = (shared.upgrade(), lane.upgrade())
                && lane.queue.release()
            {
                Engine { shared }.start(&lane);
            }
        }));
    }

    /// Waits until what stands in the lane is due.
    pub(super) async fn await_due(&self, lane: &Lane) {
        let Some(window) = self.shared.options.durability.window() else {
            return;
        };
        while let Some(rest) = lane.queue.rest_of(window) {
            lane.queue.await_due(rest).await;
        }
    }
}

impl Lane {
    /// Reads the snapshot where the store confirmed it within the window and nothing is being decided.
    fn read_if_fresh<T>(&self, window: Duration, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        let confirmed = *self
            .confirmed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if confirmed?.elapsed() > window {
            return None;
        }
        self.read_settled(look)
    }

    /// The store has confirmed the snapshot at a question that was sent at `asked`.
    pub(super) fn note_confirmed(&self, asked: Instant) {
        let mut confirmed = self
            .confirmed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *confirmed = (*confirmed).max(Some(asked));
    }
}

impl OwedJob {
    /// What is left of the record, and takes note of the bullets in it.
    pub(super) fn still(&mut self, snapshot: &Snapshot) -> Option<RetrievalRecord> {
        let is_of = self.is_of(&snapshot.incarnation);
        let record = still_there(&self.record, &snapshot.memory).filter(|_| is_of);
        let returned = record.iter().flat_map(|record| &record.returned);
        self.recorded = returned.map(|one| one.bullet).collect();
        record
    }

    /// True on the memory that the retrieval was answered from. What was asked of one that was erased is
    /// not written into the one that was made after it, whose bullets may have the same ids.
    pub(super) fn is_of(&self, incarnation: &str) -> bool {
        let own = self.incarnation.as_deref();
        own.is_none_or(|own| own == incarnation)
    }

    /// Tells the log that the record could not be written.
    pub(super) fn lost(&self, error: &EngineError) {
        events::record_lost(&self.record.id, error);
    }
}

/// True for a returned bullet that takes part in the memory.
pub(super) fn is_there(one: &Returned, memory: &Memory) -> bool {
    memory
        .get(one.bullet)
        .is_some_and(|bullet| bullet.is_active())
}

/// What is left of a record on a memory in which some of its bullets may be gone; absent when nothing is.
pub(super) fn still_there(record: &RetrievalRecord, memory: &Memory) -> Option<RetrievalRecord> {
    let mut record = record.clone();
    record.returned.retain(|one| is_there(one, memory));
    (!record.returned.is_empty()).then_some(record)
}
