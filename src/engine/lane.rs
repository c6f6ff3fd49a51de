//! One memory's lane through the engine: requests wait in a queue and are carried out in groups, each
//! group in one transaction of the store.
//!
//! The work runs in a task of its own, so that a caller who goes away leaves nothing half done. The
//! first request that finds the lane idle starts that task; it ends when the queue is empty.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::oneshot;

use super::batch::{self, Request};
use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use super::{Engine, events};
use crate::domain::memory::key::MemoryKey;
use crate::store::{ErrorKind, Outcome, TouchBatch, TouchOutcome};

/// Requests of one group. Larger groups would hold the store's lock for too long.
const GROUP_MAX: usize = 64;
/// Looks that the decisions of others may overtake before they have to wait.
const LOOK_TRIES: usize = 3;
/// Rankings that a delta of somebody else may overtake before the lock is taken for the next one.
const TOUCH_TRIES: usize = 3;

/// The snapshot of a memory, shared between the lane and the transaction that decides on it.
pub(super) type SharedSnapshot = Arc<RwLock<Option<Snapshot>>>;

/// One memory's queue and snapshot.
pub(super) struct Lane {
    pub(super) key: MemoryKey,
    /// Absent until the memory was loaded, and after a write with an unknown outcome.
    pub(super) snapshot: SharedSnapshot,
    /// Held by whoever brings the snapshot forward, across store calls; never while ranking.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// Clock after the last group; 0 before the first. Retention is looked at whenever it passes a
    /// multiple of a fixed number of ticks, so that short-lived processes share that work.
    pub(super) retained_at: AtomicU64,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Request>,
    running: bool,
}

impl Lane {
    pub(super) fn new(key: MemoryKey) -> Self {
        Self {
            key,
            snapshot: Arc::default(),
            turn: tokio::sync::Mutex::new(()),
            retained_at: AtomicU64::new(0),
            queue: Mutex::default(),
        }
    }

    /// Takes the next group, or marks the lane idle.
    fn next_group(&self) -> Option<Vec<Request>> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.waiting.is_empty() {
            queue.running = false;
            return None;
        }
        let size = queue.waiting.len().min(GROUP_MAX);
        Some(queue.waiting.drain(..size).collect())
    }

    /// Forgets the snapshot, so that the next request loads the memory anew.
    pub(super) fn forget(&self) {
        *self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Reads the snapshot, where there is one.
    pub(super) fn read<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.snapshot
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(look)
    }
}

/// Stands for a lane's task. Dropped only when the task dies before the queue is empty: then those who
/// wait hear of it, and the next request starts a new task on the memory as it is on disk. It is made
/// before the task, which a runtime that ends may never begin.
struct Running(Option<Arc<Lane>>);

impl Drop for Running {
    fn drop(&mut self) {
        let Some(lane) = self.0.take() else { return };
        lane.forget();
        let mut queue = lane.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.running = false;
        queue.waiting.clear();
    }
}

impl Engine {
    /// Puts a request into the lane of its memory and waits for the answer.
    pub(super) async fn submit<T>(
        &self,
        key: &MemoryKey,
        request: impl FnOnce(oneshot::Sender<EngineResult<T>>) -> Request,
    ) -> EngineResult<T> {
        let lane = self.lane(key);
        let (reply, answer) = oneshot::channel();
        let start = {
            let mut queue = lane.queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.waiting.push_back(request(reply));
            !std::mem::replace(&mut queue.running, true)
        };
        if start {
            let (engine, running) = (self.clone(), Running(Some(lane.clone())));
            self.in_background(async move { engine.run_lane(&lane, running).await });
        }
        answer.await.unwrap_or(Err(EngineError::Stopped))
    }

    async fn run_lane(&self, lane: &Arc<Lane>, mut running: Running) {
        while let Some(group) = lane.next_group() {
            let turn = lane.turn.lock().await;
            self.run_group(lane, group).await;
            drop(turn);
            self.retain_if_due(lane);
        }
        running.0 = None;
    }

    async fn run_group(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        match self.ensure_loaded(lane, false).await {
            Err(error) => batch::fail_all(group, &error),
            Ok(true) => self.run_on_memory(lane, group).await,
            Ok(false) => self.run_without_memory(lane, group).await,
        }
    }

    async fn run_on_memory(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        match group.iter().any(Request::needs_lock) {
            true => self.run_transaction(lane, group).await,
            false => self.run_touches(lane, group).await,
        }
    }

    /// There is no memory yet: it is made only for a delta that can be applied to it.
    async fn run_without_memory(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        if !batch::would_apply(self, &lane.key, &group) {
            return batch::answer_without_memory(self, &lane.key, group);
        }
        match self.ensure_loaded(lane, true).await {
            Ok(_) => self.run_on_memory(lane, group).await,
            Err(error) => batch::fail_all(group, &error),
        }
    }

    /// Loads the memory if it is not in process; `create` makes it when there is none. False: there is
    /// no memory.
    pub(super) async fn ensure_loaded(&self, lane: &Arc<Lane>, create: bool) -> EngineResult<bool> {
        if lane.read(|_| ()).is_some() {
            return Ok(true);
        }
        let mut loaded = self.load(&lane.key).await?;
        if loaded.is_none() && create {
            loaded = Some(self.create_and_load(&lane.key).await?);
        }
        let found = loaded.is_some();
        *lane
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(found)
    }

    /// Retrievals only: rank on the snapshot, then record, unless a delta came in between.
    async fn run_touches(&self, lane: &Arc<Lane>, mut group: Vec<Request>) {
        for _ in 0..TOUCH_TRIES {
            let now = self.shared.clock.now();
            let ranked = lane.read(|snapshot| {
                let records = batch::rank_all(&mut group, snapshot, now);
                TouchBatch {
                    known: snapshot.position(),
                    strict: false,
                    retrievals: records,
                }
            });
            let Some(touch) = ranked else { break };
            let outcome = match touch.retrievals.is_empty() {
                true => self.nothing_to_record(lane, &touch).await,
                false => self.store().touch(&lane.key, touch.clone()).await,
            };
            match outcome {
                Err(error) => {
                    lane.forget();
                    return batch::fail_all(group, &error.into());
                }
                Ok(TouchOutcome::Missing) => {
                    lane.forget();
                    return batch::answer_without_memory(self, &lane.key, group);
                }
                Ok(TouchOutcome::Recorded { others, .. }) => {
                    let known = absorb(lane, *others);
                    if known {
                        let mut slot = lane
                            .snapshot
                            .write()
                            .unwrap_or_else(PoisonError::into_inner);
                        if let Some(snapshot) = slot.as_mut() {
                            batch::finish_touches(self, group, snapshot);
                        }
                        return;
                    }
                    // The writes went into this memory's new incarnation only if it had the known one.
                    lane.forget();
                    return batch::fail_all(group, &EngineError::Contended(lane.key.clone()));
                }
                Ok(TouchOutcome::Moved(changed)) => {
                    if !absorb(lane, *changed) {
                        lane.forget();
                        if !matches!(self.ensure_loaded(lane, false).await, Ok(true)) {
                            return batch::answer_without_memory(self, &lane.key, group);
                        }
                    }
                }
            }
        }
        self.run_transaction(lane, group).await;
    }

    /// No retrieval of the group returned anything: nothing is written, but the answer must stand on
    /// the present state.
    async fn nothing_to_record(
        &self,
        lane: &Arc<Lane>,
        touch: &TouchBatch,
    ) -> crate::store::StoreResult<TouchOutcome> {
        let Some(changed) = self
            .store()
            .changes_since(&lane.key, touch.known.clock)
            .await?
        else {
            return Ok(TouchOutcome::Missing);
        };
        if changed.head.position == touch.known {
            let first_tick = touch.known.clock + 1;
            return Ok(TouchOutcome::Recorded {
                first_tick,
                others: Box::new(changed),
            });
        }
        Ok(TouchOutcome::Moved(Box::new(changed)))
    }

    /// Anything with a delta: decide under the lock of the memory, on its present state.
    async fn run_transaction(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        let mut group = group;
        for _ in 0..TOUCH_TRIES {
            let Some(clock) = lane.read(|snapshot| snapshot.memory.clock()) else {
                break;
            };
            let ids = batch::delta_ids(&group);
            let work = batch::Work::new(self, lane.snapshot.clone(), group);
            let decide = work.decider();
            let outcome = self.store().transact(&lane.key, clock, ids, decide).await;
            match outcome {
                Ok(Outcome::Committed) if !work.wants_reload() => return work.finish(self),
                Ok(Outcome::Committed | Outcome::Missing) => {
                    // Erased, or erased and made again, by somebody else: load what is there now.
                    group = work.give_back();
                    lane.forget();
                    let create = group.iter().any(Request::creates);
                    match self.ensure_loaded(lane, create).await {
                        Ok(true) => {}
                        Ok(false) => return batch::answer_without_memory(self, &lane.key, group),
                        Err(error) => return batch::fail_all(group, &error),
                    }
                }
                Err(error) => {
                    if error.kind() == ErrorKind::UnknownOutcome {
                        events::outcome_unknown(&lane.key);
                    }
                    group = work.give_back();
                    lane.forget();
                    return batch::fail_all(group, &error.into());
                }
            }
        }
        batch::fail_all(group, &EngineError::Contended(lane.key.clone()));
    }

    /// Looks at the newest state of a memory that is on disk. Absent: there is no memory.
    pub(super) async fn look_at<T>(
        &self,
        lane: &Arc<Lane>,
        mut look: impl FnMut(&Snapshot) -> T,
    ) -> EngineResult<Option<T>> {
        let settled = || {
            let slot = lane.snapshot.read().unwrap_or_else(PoisonError::into_inner);
            let snapshot = slot.as_ref().filter(|snapshot| snapshot.is_settled);
            snapshot.map(&mut look)
        };
        self.look_settled(lane, settled).await
    }

    /// The same for what fills the snapshot's caches on its way.
    pub(super) async fn look_at_mut<T>(
        &self,
        lane: &Arc<Lane>,
        mut look: impl FnMut(&mut Snapshot) -> T,
    ) -> EngineResult<Option<T>> {
        let settled = || {
            let mut slot = lane
                .snapshot
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let snapshot = slot.as_mut().filter(|snapshot| snapshot.is_settled);
            snapshot.map(&mut look)
        };
        self.look_settled(lane, settled).await
    }

    async fn look_settled<T>(
        &self,
        lane: &Arc<Lane>,
        mut settled: impl FnMut() -> Option<T>,
    ) -> EngineResult<Option<T>> {
        for _ in 0..LOOK_TRIES {
            let turn = lane.turn.lock().await;
            if !self.follow(lane).await? {
                return Ok(None);
            }
            drop(turn);
            // Since then somebody may have decided something that could still fail to reach the disk.
            if let Some(seen) = settled() {
                return Ok(Some(seen));
            }
        }
        let _turn = lane.turn.lock().await;
        Ok(match self.follow(lane).await? {
            true => settled(),
            false => None,
        })
    }

    /// Brings the snapshot to the newest state, within the caller's turn. False: there is no memory.
    async fn follow(&self, lane: &Arc<Lane>) -> EngineResult<bool> {
        if !self.ensure_loaded(lane, false).await? {
            return Ok(false);
        }
        let clock = lane
            .read(|snapshot| snapshot.memory.clock())
            .unwrap_or_default();
        let Some(changed) = self.store().changes_since(&lane.key, clock).await? else {
            lane.forget();
            return Ok(false);
        };
        if !absorb(lane, changed) {
            lane.forget();
            return self.ensure_loaded(lane, false).await;
        }
        Ok(true)
    }
}

/// Takes what others changed into the snapshot. False: it has to be loaded anew.
fn absorb(lane: &Lane, changed: crate::store::CatchUp) -> bool {
    let mut slot = lane
        .snapshot
        .write()
        .unwrap_or_else(PoisonError::into_inner);
    slot.as_mut()
        .is_some_and(|snapshot| snapshot.absorb(changed))
}
