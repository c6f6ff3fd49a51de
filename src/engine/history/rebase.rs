//! Verb: restart the history of a memory from its stored state, if its events cannot be replayed.
//!
//! No delta can bridge a lost record or a number edited by hand. So a delta without effect records the author, the
//! reason and the fault of accepting the stored state; replays start from a checkpoint after it. Older history is kept
//! as it is, except that retrieval records are compacted into counts, as with any checkpoint.

use serde_json::{Map, Value};

use super::compaction::checkpoint_stored;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::memory::answers::AppliedDelta;
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation, PolicyChange};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;

/// Attempts that concurrent events may overtake.
const TRIES: usize = 3;
/// A policy field that the delta sets to its present value, because a delta needs at least one change.
const RESTATED: &str = "retrieval_days";

/// A restarted history.
#[derive(Debug)]
pub struct Rebased {
    /// Why it could not be replayed.
    pub found: String,
    /// The delta that records the restart.
    pub applied: AppliedDelta,
}

impl Engine {
    /// Makes the stored state of a memory the start of replays, if its events cannot be replayed and no delta
    /// could adopt the difference. Returns `None` if they can, or one could.
    ///
    /// # Errors
    ///
    /// `NoMemory`; `Invalid` if the memory is at an earlier position than its own last event; those of the store.
    pub async fn rebase(
        &self,
        key: &MemoryKey,
        author: Option<String>,
        reason: &str,
    ) -> EngineResult<Option<Rebased>> {
        // The last attempt follows the loop, so that its error reaches the caller.
        for _ in 1..TRIES {
            match self.rebase_once(key, author.clone(), reason).await {
                Err(EngineError::Contended(_)) => {}
                done => return done,
            }
        }
        self.rebase_once(key, author, reason).await
    }

    async fn rebase_once(
        &self,
        key: &MemoryKey,
        author: Option<String>,
        reason: &str,
    ) -> EngineResult<Option<Rebased>> {
        let Some(found) = self.unreplayable(key).await? else {
            return Ok(None);
        };
        let head = self.store().head(key).await?;
        let head = head.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let (clock, revision) = (head.position.clock, head.position.revision);
        if let Some(beyond) = self.store().events(key, clock, 1).await?.first() {
            return Err(EngineError::Invalid(format!(
                "the memory {key} stands at clock {clock} and has an event at tick {}; set its clock and revision to \
                 those of its last event, then rebase it",
                beyond.tick()
            )));
        }
        let (at, of) = (clock.to_string(), revision.to_string());
        // Derived from the position, so that two rebases of the same state are one.
        let id = DeltaId::from_verb("rebase", &[&key.derived(), &at, &of]);
        let mut delta = Delta::new(id, vec![restated(&head.policy)]);
        delta.reasoning = Some(format!("rebase: {reason} ({found})"));
        delta.origin.author = author;
        delta.undo = true;
        delta.expected_revision = Some(revision);
        // This process's snapshot may still hold the state that the events made.
        let actor = self.actor(key);
        actor.memory.forget();
        let applied = self.apply_delta(key, delta).await?;
        actor.memory.forget();
        checkpoint_stored(self.context(), key).await?;
        Ok(Some(Rebased { found, applied }))
    }

    /// Why a memory cannot be replayed; absent if it can.
    async fn unreplayable(&self, key: &MemoryKey) -> EngineResult<Option<String>> {
        match self.verify(key).await {
            Ok(verified) => Ok(verified.unreplayable()),
            // The record of its creation, or the body of a delta, is lost.
            Err(error @ (EngineError::NoMemory(_) | EngineError::Invalid(_))) => {
                match self.store().head(key).await? {
                    Some(_) => Ok(Some(format!("its events cannot be read: {error}"))),
                    None => Err(EngineError::NoMemory(key.clone())),
                }
            }
            Err(error) => Err(error),
        }
    }
}

fn restated(policy: &Policy) -> Operation {
    let all = serde_json::to_value(policy).unwrap_or_default();
    let fields: Map<String, Value> = all
        .get(RESTATED)
        .map(|value| (RESTATED.to_owned(), value.clone()))
        .into_iter()
        .collect();
    Operation::Policy(PolicyChange { fields })
}
