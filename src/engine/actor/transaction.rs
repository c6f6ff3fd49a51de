//! Carries out a group in one transaction of the store, which calls the decision under its lock.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::commit_builder::{DecisionInputs, decide_group};
use super::group::{FailedGroup, answer_without_memory, complete_all, delta_ids, operation_count};
use super::message::Message;
use super::open_memory::OpenMemory;
use super::shared_snapshot::SharedSnapshot;
use super::snapshot::Snapshot;
use crate::context::Context;
use crate::error::EngineError;
use crate::log;
use hindlore_store::{CatchUp, Commit, Decide, ErrorKind, Head, Known, Outcome};

/// Times that others may erase the memory, or erase and remake it, while a group is written to it.
const TRIES: usize = 3;

/// Decides a group on the present state, under the lock of the memory, and answers it. Returns the messages
/// it could not write.
pub(super) async fn transact(
    memory: &OpenMemory,
    messages: Vec<Message>,
) -> Result<(), FailedGroup> {
    run(memory, messages, None).await
}

/// Writes a group already decided in the snapshot; decides it again if the store has moved.
pub(super) async fn transact_decided(
    memory: &OpenMemory,
    messages: Vec<Message>,
    decided: Decided,
) -> Result<(), FailedGroup> {
    run(memory, messages, Some(decided)).await
}

/// A decision made before the store was asked.
pub(super) struct Decided {
    /// Position of the memory before the decision.
    pub(super) head: Head,
    pub(super) commit: Commit,
}

async fn run(
    memory: &OpenMemory,
    mut messages: Vec<Message>,
    mut decided: Option<Decided>,
) -> Result<(), FailedGroup> {
    for _ in 0..TRIES {
        let known = match &decided {
            Some(decided) => Known::Head(Box::new(decided.head.clone())),
            None => match memory.read(Snapshot::known) {
                Some(known) => known,
                None => break,
            },
        };
        let ids = delta_ids(&messages);
        let asked = Instant::now();
        // Used at most once: a second round means another memory.
        let transaction = GroupTransaction::new(memory, messages, decided.take());
        let store = &memory.context.store;
        let outcome = store
            .transact(&memory.key, known, ids, transaction.decider())
            .await;
        // Taken back before the outcome is judged, because every way out answers them or hands them on.
        let (left, needs_reload) = transaction.take();
        messages = left;
        match outcome {
            // A decision that needs a reload commits nothing, so this outcome alone proves no success.
            Ok(Outcome::Committed) if !needs_reload => {
                memory.note_committed();
                memory.note_confirmed(asked);
                complete_all(messages, memory.content_log());
                return Ok(());
            }
            Ok(Outcome::Committed | Outcome::Missing) => {
                // Another instance erased the memory and perhaps made it again; continue with its present state.
                match reload(memory, messages).await? {
                    Some(left) => messages = left,
                    None => return Ok(()),
                }
            }
            Err(error) => {
                if error.kind() == ErrorKind::UnknownOutcome {
                    log::outcome_unknown(&memory.key);
                }
                // The snapshot holds the decision, and nothing here proves whether the disk does.
                memory.forget();
                let error = error.into();
                return Err(FailedGroup { messages, error });
            }
        }
    }
    let error = EngineError::Contended(memory.key.clone());
    Err(FailedGroup { messages, error })
}

/// Loads the memory now stored under the same key and returns the messages. If there is none, a delta makes
/// it; without a delta the messages are answered and `None` returned.
pub(super) async fn reload(
    memory: &OpenMemory,
    messages: Vec<Message>,
) -> Result<Option<Vec<Message>>, FailedGroup> {
    memory.forget();
    let may_create = messages.iter().any(Message::is_delta);
    match memory.ensure_loaded(may_create).await {
        Ok(true) => Ok(Some(messages)),
        Ok(false) => {
            answer_without_memory(&memory.context, &memory.key, messages);
            Ok(None)
        }
        Err(error) => Err(FailedGroup { messages, error }),
    }
}

/// A group being decided. Shared with the store, which may call the decision more than once.
struct GroupTransaction(Arc<Mutex<State>>);

struct State {
    context: Arc<Context>,
    snapshot: SharedSnapshot,
    messages: Vec<Message>,
    /// A decision that the snapshot already holds.
    decided: Option<Decided>,
    /// The key belongs to another memory now; nothing was decided.
    needs_reload: bool,
}

impl GroupTransaction {
    fn new(memory: &OpenMemory, messages: Vec<Message>, decided: Option<Decided>) -> Self {
        Self(Arc::new(Mutex::new(State {
            context: memory.context.clone(),
            snapshot: memory.snapshot.clone(),
            messages,
            decided,
            needs_reload: false,
        })))
    }

    /// The decision, for the store to call under its lock.
    fn decider(&self) -> Decide {
        let state = self.0.clone();
        Box::new(move |catch_up| locked(&state).decide(catch_up))
    }

    /// Returns the messages with their results, and whether the memory must be loaded again.
    fn take(self) -> (Vec<Message>, bool) {
        let mut state = locked(&self.0);
        (std::mem::take(&mut state.messages), state.needs_reload)
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn decide(&mut self, mut catch_up: CatchUp) -> Commit {
        // Only the first call can find the store where the decision was made; later ones follow a failed
        // commit.
        if let Some(Decided { head, commit }) = self.decided.take()
            && head.position == catch_up.head.position
        {
            // The snapshot holds this decision already; another one would apply each delta twice.
            return commit;
        }
        let shared = self.snapshot.clone();
        let changes = catch_up.bullets.len() + operation_count(&self.messages);
        let _large = shared.announce(changes);
        let mut slot = shared.write();
        let Some(snapshot) = slot.as_mut() else {
            self.needs_reload = true;
            return Commit::default();
        };
        // The store calls again if its transaction did not commit, so discard the previous decision.
        snapshot.roll_back();
        let receipts = std::mem::take(&mut catch_up.receipts);
        if !snapshot.absorb(catch_up) {
            self.needs_reload = true;
            return Commit::default();
        }
        let grounds = DecisionInputs {
            receipts,
            now: self.context.now(),
            tables: self.context.tables(),
            progress: &self.context.progress,
        };
        decide_group(snapshot, &mut self.messages, grounds)
    }
}
