//! The decision of an adoption: one delta on a memory that is not the lane's, inside the transaction that
//! writes it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::Engine;
use super::apply_delta::AppliedDelta;
use super::clock::WallClock;
use super::error::{EngineError, EngineResult};
use super::prepared_delta::PreparedDelta;
use super::request::DeltaJob;
use super::writer::Writer;
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::apply::Tables;
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::draft::Standing;
use crate::domain::memory::receipt::Changes;
use crate::store::{CatchUp, Commit, Decide, StoredReceipt};

/// A delta being decided; shared with the store, which calls the decision.
pub(super) struct Adopting(Arc<Mutex<State>>);

struct State {
    base: Memory,
    job: DeltaJob,
    tables: Arc<Tables>,
    clock: Arc<dyn WallClock>,
    /// What was decided and is not known to be on disk.
    journal: Vec<(Changes, Standing)>,
}

impl Adopting {
    /// The decision on `base`, which is what the events up to its clock made of the memory.
    pub(super) fn new(engine: &Engine, base: Memory, delta: PreparedDelta) -> Self {
        // Nobody listens here: the result is taken once it is on disk.
        let (reply, _) = oneshot::channel();
        let job = DeltaJob {
            delta,
            marks: Vec::new(),
            reply,
            result: None,
        };
        Self(Arc::new(Mutex::new(State {
            base,
            job,
            tables: engine.tables().clone(),
            clock: engine.shared.clock.clone(),
            journal: Vec::new(),
        })))
    }

    /// The decision for the store to call under its lock.
    pub(super) fn decider(&self) -> Decide {
        let state = self.0.clone();
        Box::new(move |changed| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.decide(&changed)
        })
    }

    /// What was decided.
    pub(super) fn result(&self) -> EngineResult<AppliedDelta> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.job.result.take().unwrap_or(Err(EngineError::Stopped))
    }
}

impl State {
    fn decide(&mut self, changed: &CatchUp) -> Commit {
        while let Some((changes, before)) = self.journal.pop() {
            self.base.take_back(changes, before);
        }
        let there = &changed.head.position;
        let stands = there.clock == self.base.clock() && there.revision == self.base.revision();
        // An adoption that was overtaken is decided anew, on a replay that knows what overtook it.
        if !stands && changed.receipts.is_empty() {
            let key = self.base.key().clone();
            self.job.result = Some(Err(EngineError::Contended(key)));
            return Commit::default();
        }
        let receipts = changed.receipts.iter();
        let known: HashMap<DeltaId, StoredReceipt> = receipts
            .map(|stored| (stored.receipt.delta.clone(), stored.clone()))
            .collect();
        let mut writer = Writer::new(&mut self.base, known, self.clock.now());
        writer.delta(&mut self.job, &self.tables);
        let (commit, journal) = writer.finish();
        self.journal = journal;
        commit
    }
}
