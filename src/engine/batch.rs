//! A group of requests on one memory, decided one after the other and written together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::answer::MemoryAnswer;
use super::error::EngineError;
use super::open::Snapshot;
use super::request::{DeltaJob, Recorded, Request};
use super::shared::SharedSnapshot;
use super::writer::Writer;
use super::{Engine, events};
use crate::domain::memory::apply::{Refusal, Tables, apply_delta};
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::draft::Standing;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::receipt::Changes;
use crate::domain::timestamp::Timestamp;
use crate::store::{CatchUp, Commit, Decide, ErrorKind, RetrievalRecord, StoredReceipt};

/// Answers every request of a group with the same failure.
pub(super) fn fail_all(group: Vec<Request>, error: &EngineError) {
    for request in group {
        request.fail(error.repeat());
    }
}

/// True when a delta of these can be applied to a memory as it would be made now.
pub(super) fn would_apply(engine: &Engine, key: &MemoryKey, group: &[Request]) -> bool {
    let now = engine.shared.clock.now();
    let deltas = group.iter().filter_map(|request| match request {
        Request::Delta(job) => Some(&**job),
        _ => None,
    });
    let applies = |job: &DeltaJob| {
        let mut imagined = engine.imagined(key, now).memory;
        apply_delta(&mut imagined, &job.delta.delta, now, engine.tables()).is_ok()
    };
    deltas.into_iter().any(applies)
}

/// Answers requests on a memory that does not exist: retrievals as a new memory would, deltas with the
/// reason why they cannot be applied to a new memory either.
pub(super) fn answer_without_memory(engine: &Engine, key: &MemoryKey, group: Vec<Request>) {
    let now = engine.shared.clock.now();
    let imagined = engine.imagined(key, now).memory;
    for request in group {
        match request {
            Request::Retrieve(mut job) => {
                let answer = MemoryAnswer::rank(&imagined, &job.query, now);
                job.result = Some(answer);
                job.send();
            }
            Request::Record(job) => drop(job.reply.send(Ok(Recorded::Tick(None)))),
            // The memory was erased, and its records with it.
            Request::Owed(_) => {}
            Request::Flush(reply) => drop(reply.send(Ok(()))),
            Request::Delta(job) => {
                let mut imagined = engine.imagined(key, now).memory;
                let tried = apply_delta(&mut imagined, &job.delta.delta, now, engine.tables());
                let error = tried
                    .err()
                    .map_or(EngineError::Contended(key.clone()), EngineError::from);
                drop(job.reply.send(Err(error)));
            }
        }
    }
}

/// The ids of the deltas of a group.
pub(super) fn delta_ids(group: &[Request]) -> Vec<DeltaId> {
    let ids = group.iter().filter_map(|request| match request {
        Request::Delta(job) => Some(job.delta.delta.id.clone()),
        _ => None,
    });
    ids.collect()
}

/// Number of operations of the deltas of a group.
fn operations(group: &[Request]) -> usize {
    let sizes = group.iter().map(|request| match request {
        Request::Delta(job) => job.delta.delta.operations.len(),
        _ => 0,
    });
    sizes.sum()
}

/// Ranks the retrievals of a group on the snapshot, except those that their callers ranked at its
/// revision; gives the records of those that returned something.
pub(super) fn rank_all(
    group: &mut [Request],
    snapshot: &Snapshot,
    now: Timestamp,
) -> Vec<RetrievalRecord> {
    let mut records = Vec::new();
    for request in group {
        match request {
            Request::Retrieve(job) => records.extend(job.rank(snapshot, now)),
            Request::Owed(job) => records.extend(job.still(snapshot)),
            Request::Delta(_) | Request::Record(_) | Request::Flush(_) => {}
        }
    }
    records
}

/// The touches of a group are on disk: notes that the snapshot owes them, and answers.
pub(super) fn finish_touches(engine: &Engine, group: Vec<Request>, snapshot: &mut Snapshot) {
    for request in group {
        let mut job = match request {
            Request::Retrieve(job) => job,
            Request::Owed(job) => {
                snapshot.owe(job.recorded, job.record.at);
                continue;
            }
            Request::Flush(reply) => {
                drop(reply.send(Ok(())));
                continue;
            }
            Request::Delta(_) | Request::Record(_) => continue,
        };
        if let Some((answer, at)) = job.recorded() {
            answer.tick = snapshot.owe(answer.ids(), at);
            job.tell(engine, &snapshot.memory);
        }
        job.send();
    }
}

/// A group being decided inside a transaction. Shared with the store, which calls the decision.
#[derive(Clone)]
pub(super) struct Work {
    state: Arc<Mutex<State>>,
}

struct State {
    snapshot: SharedSnapshot,
    group: Vec<Request>,
    tables: Arc<Tables>,
    clock: Arc<dyn super::WallClock>,
    /// Events that were decided but are not known to be on disk, newest last.
    journal: Vec<(Changes, Standing)>,
    /// The memory is another one now; nothing was decided.
    reload: bool,
}

impl Work {
    pub(super) fn new(engine: &Engine, snapshot: SharedSnapshot, group: Vec<Request>) -> Self {
        let state = State {
            snapshot,
            group,
            tables: engine.tables().clone(),
            clock: engine.shared.clock.clone(),
            journal: Vec::new(),
            reload: false,
        };
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// The decision for the store to call under its lock.
    pub(super) fn decider(&self) -> Decide {
        let state = self.state.clone();
        Box::new(move |changed| {
            state
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .decide(changed)
        })
    }

    pub(super) fn wants_reload(&self) -> bool {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .reload
    }

    /// Number of events that were decided.
    pub(super) fn events(&self) -> usize {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .journal
            .len()
    }

    /// The requests, to be tried again or failed.
    pub(super) fn give_back(&self) -> Vec<Request> {
        std::mem::take(
            &mut self
                .state
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .group,
        )
    }

    /// What was decided is on disk: answers.
    pub(super) fn finish(&self, engine: &Engine) {
        let group = self.give_back();
        let snapshot = self
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .snapshot
            .clone();
        let _large = snapshot.announce(operations(&group));
        let mut slot = snapshot.write();
        if let Some(snapshot) = slot.as_mut() {
            snapshot.is_settled = true;
        }
        for request in group {
            match request {
                Request::Delta(mut job) => {
                    if let (Some(Ok(applied)), Some(snapshot)) = (&job.result, slot.as_ref()) {
                        events::applied(engine, &snapshot.memory, applied);
                    }
                    let result = job.result.take().unwrap_or(Err(EngineError::Stopped));
                    drop(job.reply.send(result));
                }
                Request::Retrieve(mut job) => {
                    if let (Some(_), Some(snapshot)) = (job.recorded(), slot.as_ref()) {
                        job.tell(engine, &snapshot.memory);
                    }
                    job.send();
                }
                Request::Record(job) => drop(job.reply.send(Ok(job.result))),
                Request::Owed(_) => {}
                Request::Flush(reply) => drop(reply.send(Ok(()))),
            }
        }
    }
}

impl State {
    fn decide(&mut self, changed: CatchUp) -> Commit {
        let shared = self.snapshot.clone();
        let changes = changed.bullets.len() + operations(&self.group);
        let _large = shared.announce(changes);
        let mut slot = shared.write();
        let Some(snapshot) = slot.as_mut() else {
            self.reload = true;
            return Commit::default();
        };
        while let Some((changes, before)) = self.journal.pop() {
            snapshot.memory.take_back(changes, before);
        }
        let known: HashMap<DeltaId, StoredReceipt> = changed
            .receipts
            .iter()
            .map(|stored| (stored.receipt.delta.clone(), stored.clone()))
            .collect();
        if !snapshot.absorb(changed) {
            self.reload = true;
            return Commit::default();
        }
        let mut writer = Writer::new(&mut snapshot.memory, known, self.clock.now());
        for request in &mut self.group {
            match request {
                Request::Delta(job) => writer.delta(job, &self.tables),
                Request::Retrieve(job) => writer.retrieve(job),
                Request::Record(job) => writer.record(job),
                Request::Owed(job) if job.is_of(&snapshot.incarnation) => writer.owed(job),
                Request::Owed(_) | Request::Flush(_) => {}
            }
        }
        let (commit, journal) = writer.finish();
        self.journal = journal;
        snapshot.is_settled = self.journal.is_empty();
        commit
    }
}

impl EngineError {
    /// True when nothing was written, and the same may go well later.
    pub(super) fn may_pass(&self) -> bool {
        let Self::Store(error) = self else {
            return false;
        };
        matches!(
            error.kind(),
            ErrorKind::Busy | ErrorKind::Unavailable | ErrorKind::Full
        )
    }

    /// The same failure for another request of the group.
    fn repeat(&self) -> Self {
        match self {
            Self::Store(error) => Self::Store(error.repeat()),
            Self::Contended(key) => Self::Contended(key.clone()),
            Self::NoMemory(key) => Self::NoMemory(key.clone()),
            Self::Invalid(reason) => Self::Invalid(reason.clone()),
            Self::Refused(Refusal::Tables) => Self::Refused(Refusal::Tables),
            Self::Refused(Refusal::OlderRules) => Self::Refused(Refusal::OlderRules),
            _ => Self::Stopped,
        }
    }
}
