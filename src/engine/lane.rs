//! One memory's lane through the engine: requests wait in a queue and are carried out in groups, each
//! group in one transaction of the store.
//!
//! The work runs in a task of its own, so that a caller who goes away leaves nothing half done. The
//! first request that finds the lane idle starts that task; it ends when the queue is empty.

use std::future::poll_fn;
use std::mem::replace;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Instant;

use tokio::sync::oneshot;

use super::batch;
use super::error::{EngineError, EngineResult};
use super::look::Looks;
use super::open::Snapshot;
use super::queue::Queue;
use super::request::Request;
use super::shared::SharedSnapshot;
use super::{Engine, events};
use crate::domain::memory::key::MemoryKey;
use crate::store::{ErrorKind, Outcome, Position, TouchBatch, TouchOutcome, Touched};

/// Rankings that a delta of somebody else may overtake before the lock is taken for the next one.
const TOUCH_TRIES: usize = 3;

/// One memory's queue and snapshot.
pub(super) struct Lane {
    pub(super) key: MemoryKey,
    /// Absent until the memory was loaded, and after a write with an unknown outcome.
    pub(super) snapshot: SharedSnapshot,
    /// Held by whoever brings the snapshot forward, across store calls; never while ranking.
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
    /// Old records are to be looked at, since one of our own events took a tick at which that is due.
    pub(super) retention_due: AtomicBool,
    /// What callers share who only look.
    pub(super) looks: Looks,
    pub(super) queue: Queue,
    /// When the store was last asked and agreed with the snapshot.
    pub(super) confirmed: Mutex<Option<Instant>>,
}

impl Lane {
    pub(super) fn new(key: MemoryKey) -> Self {
        Self {
            key,
            snapshot: SharedSnapshot::default(),
            turn: Arc::default(),
            retention_due: AtomicBool::new(false),
            looks: Looks::default(),
            queue: Queue::default(),
            confirmed: Mutex::default(),
        }
    }

    /// Forgets the snapshot, so that the next request loads the memory anew.
    pub(super) fn forget(&self) {
        *self.snapshot.write() = None;
        *self
            .confirmed
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn put_snapshot(&self, snapshot: Snapshot) {
        *self.snapshot.write() = Some(snapshot);
    }

    /// Reads the snapshot, where there is one, all that it holds is on disk, and nobody changes much.
    pub(super) fn read_settled<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        let slot = self.snapshot.read_early()?;
        slot.as_ref().filter(|one| one.is_settled).map(look)
    }

    /// Reads the snapshot, where there is one.
    pub(super) fn read<T>(&self, look: impl FnOnce(&Snapshot) -> T) -> Option<T> {
        self.snapshot.read().as_ref().map(look)
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
        lane.queue.stop();
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
        self.put(&lane, request(reply));
        answer.await.unwrap_or(Err(EngineError::Stopped))
    }

    /// Puts a request into a lane, and starts the lane's task when it has none.
    pub(super) fn put(&self, lane: &Arc<Lane>, request: Request) {
        if lane.queue.push(request) {
            self.start(lane);
        }
    }

    /// Starts the task of a lane that has none.
    pub(super) fn start(&self, lane: &Arc<Lane>) {
        let (engine, lane) = (self.clone(), lane.clone());
        let running = Running(Some(lane.clone()));
        self.in_background(async move { engine.run_lane(&lane, running).await });
    }

    async fn run_lane(&self, lane: &Arc<Lane>, mut running: Running) {
        loop {
            self.await_due(lane).await;
            let Some(group) = lane.queue.next_group() else {
                break;
            };
            let (answered, started) = (group.len(), Instant::now());
            let turn = lane.turn.lock().await;
            self.run_group(lane, group).await;
            drop(turn);
            self.retain_if_due(lane);
            // Who was answered alone goes on first; many would wait for each other at the snapshot.
            if answered == 1 {
                give_way().await;
            }
            lane.snapshot.catch_up();
            if self.store().rewards_company() {
                lane.queue.gather(answered, started.elapsed()).await;
            }
        }
        running.0 = None;
    }

    async fn run_group(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        match self.ensure_loaded(lane, false).await {
            Err(error) => self.fail_group(lane, group, &error),
            Ok(true) => self.run_on_memory(lane, group).await,
            Ok(false) => self.run_without_memory(lane, group).await,
        }
    }

    async fn run_on_memory(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        if group.iter().any(Request::needs_lock) {
            self.run_transaction(lane, group).await
        } else {
            self.run_touches(lane, group).await
        }
    }

    /// Makes the memory, but only for a delta that can be applied to it: a refused one leaves no empty memory.
    async fn run_without_memory(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        if !batch::would_apply(self, &lane.key, &group) {
            return batch::answer_without_memory(self, &lane.key, group);
        }
        match self.ensure_loaded(lane, true).await {
            Ok(_) => self.run_on_memory(lane, group).await,
            Err(error) => self.fail_group(lane, group, &error),
        }
    }

    /// Loads the memory if it is not in process; `create` makes it when there is none. False: there is
    /// no memory.
    pub(super) async fn ensure_loaded(&self, lane: &Lane, create: bool) -> EngineResult<bool> {
        if lane.read(|_| ()).is_some() {
            return Ok(true);
        }
        let mut loaded = self.load(&lane.key).await?;
        if loaded.is_none() && create {
            loaded = Some(self.create_and_load(&lane.key).await?);
        }
        let found = loaded.is_some();
        if let Some(snapshot) = loaded {
            lane.put_snapshot(snapshot);
        }
        Ok(found)
    }

    /// Retrievals only: rank on the snapshot, then record, unless a delta came in between.
    async fn run_touches(&self, lane: &Arc<Lane>, mut group: Vec<Request>) {
        for _ in 0..TOUCH_TRIES {
            let asked = Instant::now();
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
            let count = touch.retrievals.len();
            let outcome = if touch.retrievals.is_empty() {
                self.nothing_to_record(lane, &touch.known).await
            } else {
                self.store().touch(&lane.key, touch).await
            };
            match outcome {
                Err(error) => {
                    lane.forget();
                    return self.fail_group(lane, group, &error.into());
                }
                Ok(TouchOutcome::Missing) => {
                    lane.forget();
                    return batch::answer_without_memory(self, &lane.key, group);
                }
                Ok(TouchOutcome::Recorded { first_tick, others }) => {
                    let before = first_tick.saturating_sub(1);
                    lane.note_written(before, count);
                    lane.note_confirmed(asked);
                    return self.finish_touches(lane, group, (before, &others));
                }
                Ok(TouchOutcome::Moved(changed)) => {
                    if !absorb(lane, *changed) {
                        lane.forget();
                        match self.ensure_loaded(lane, false).await {
                            Ok(true) => {}
                            Ok(false) => {
                                return batch::answer_without_memory(self, &lane.key, group);
                            }
                            Err(error) => return self.fail_group(lane, group, &error),
                        }
                    }
                }
            }
        }
        self.run_transaction(lane, group).await;
    }

    /// The touches of a group are on disk: brings the snapshot to where they were written, and answers.
    fn finish_touches(&self, lane: &Lane, group: Vec<Request>, before: (u64, &[Touched])) {
        let (clock, others) = before;
        let mut slot = lane.snapshot.write();
        if let Some(snapshot) = slot.as_mut()
            && snapshot.absorb_touches(clock, others)
        {
            return batch::finish_touches(self, group, snapshot);
        }
        *slot = None;
        drop(slot);
        batch::fail_all(group, &EngineError::Contended(lane.key.clone()));
    }

    /// No retrieval of the group returned anything: nothing is written, but the answer must stand on
    /// the present state.
    async fn nothing_to_record(
        &self,
        lane: &Arc<Lane>,
        known: &Position,
    ) -> crate::store::StoreResult<TouchOutcome> {
        let Some(changed) = self.store().changes_since(&lane.key, known.clock).await? else {
            return Ok(TouchOutcome::Missing);
        };
        if changed.head.position == *known {
            let first_tick = known.clock + 1;
            let others = Vec::new();
            return Ok(TouchOutcome::Recorded { first_tick, others });
        }
        Ok(TouchOutcome::Moved(Box::new(changed)))
    }

    /// Anything with a delta: decide under the lock of the memory, on its present state.
    async fn run_transaction(&self, lane: &Arc<Lane>, group: Vec<Request>) {
        let mut group = group;
        for _ in 0..TOUCH_TRIES {
            let Some(known) = lane.read(Snapshot::known) else {
                break;
            };
            let ids = batch::delta_ids(&group);
            let asked = Instant::now();
            let work = batch::Work::new(self, lane.snapshot.clone(), group);
            let decide = work.decider();
            let outcome = self.store().transact(&lane.key, known, ids, decide).await;
            match outcome {
                Ok(Outcome::Committed) if !work.wants_reload() => {
                    if let Some(clock) = lane.read(|snapshot| snapshot.memory.clock()) {
                        let events = work.events();
                        lane.note_written(clock.saturating_sub(events as u64), events);
                    }
                    lane.note_confirmed(asked);
                    return work.finish(self);
                }
                Ok(Outcome::Committed | Outcome::Missing) => {
                    // Erased, or erased and made again, by somebody else: load what is there now.
                    group = work.give_back();
                    lane.forget();
                    let create = group.iter().any(Request::creates);
                    match self.ensure_loaded(lane, create).await {
                        Ok(true) => {}
                        Ok(false) => return batch::answer_without_memory(self, &lane.key, group),
                        Err(error) => return self.fail_group(lane, group, &error),
                    }
                }
                Err(error) => {
                    if error.kind() == ErrorKind::UnknownOutcome {
                        events::outcome_unknown(&lane.key);
                    }
                    group = work.give_back();
                    lane.forget();
                    return self.fail_group(lane, group, &error.into());
                }
            }
        }
        batch::fail_all(group, &EngineError::Contended(lane.key.clone()));
    }
}

/// Takes what others changed into the snapshot. False: it has to be loaded anew.
pub(super) fn absorb(lane: &Lane, changed: crate::store::CatchUp) -> bool {
    // After a large delta of somebody else there is much to take in.
    let _large = lane.snapshot.announce(changed.bullets.len());
    let mut slot = lane.snapshot.write();
    slot.as_mut()
        .is_some_and(|snapshot| snapshot.absorb(changed))
}

/// Lets other tasks go first. The runtime's own way keeps a task on its thread, which may be busy for long with
/// those; this one can go on elsewhere.
async fn give_way() {
    let mut has_given = false;
    poll_fn(|context| {
        if replace(&mut has_given, true) {
            Poll::Ready(())
        } else {
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await;
}
