//! Decides an adoption: applies one delta to a memory other than the actor's snapshot, inside the transaction
//! that writes it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::commit_builder::{DecisionInputs, decide_delta};
use super::message::DeltaMessage;
use super::open_memory::OpenMemory;
use super::snapshot::Snapshot;
use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::memory::answers::AppliedDelta;
use crate::memory::prepared_delta::PreparedDelta;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_store::{CatchUp, Commit, Known, Outcome};

/// Applies a delta to `base`, the memory as its events made it. Refused as contended if the store is at another clock
/// than `base`.
pub(crate) async fn adopt_delta(
    memory: &OpenMemory,
    base: Memory,
    delta: PreparedDelta,
) -> EngineResult<AppliedDelta> {
    let known = Known::Clock(base.clock());
    let ids = vec![delta.delta.id.clone()];
    // The caller takes the result from the message once it is on disk, so this channel has no receiver.
    let (reply, _) = oneshot::channel();
    let state = Arc::new(Mutex::new(State {
        context: memory.context.clone(),
        base: Snapshot::detached(base),
        message: DeltaMessage {
            delta,
            marks: Vec::new(),
            reply,
            result: None,
        },
    }));
    let deciding = state.clone();
    let decide = Box::new(move |catch_up: CatchUp| locked(&deciding).decide(catch_up));
    let store = &memory.context.store;
    match store.transact(&memory.key, known, ids, decide).await? {
        Outcome::Missing => Err(EngineError::NoMemory(memory.key.clone())),
        Outcome::Committed => {
            let result = locked(&state).message.result.take();
            result.unwrap_or(Err(EngineError::Stopped))
        }
    }
}

struct State {
    context: Arc<Context>,
    base: Snapshot,
    message: DeltaMessage,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn decide(&mut self, catch_up: CatchUp) -> Commit {
        // The store calls again if its transaction did not commit, so an earlier attempt must leave no trace.
        self.base.roll_back();
        let (there, base) = (&catch_up.head.position, &self.base.memory);
        // A receipt answers the delta at any clock; only a new delta needs exactly this position.
        let stands = there.clock == base.clock() && there.revision == base.revision();
        // Lost a race: the caller replays up to the newer events and decides again.
        if !stands && catch_up.receipts.is_empty() {
            let key = base.key().clone();
            self.message.result = Some(Err(EngineError::Contended(key)));
            return Commit::default();
        }
        let grounds = DecisionInputs {
            receipts: catch_up.receipts,
            now: self.context.now(),
            tables: self.context.tables(),
            progress: &self.context.progress,
        };
        decide_delta(&mut self.base, &mut self.message, grounds)
    }
}
