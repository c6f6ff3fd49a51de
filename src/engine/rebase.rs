//! Verb: restart the history of a memory from its stored state, where its events cannot be replayed.
//!
//! A lost record or a number that was edited by hand cannot be repaired, and no delta bridges it.
//! So a delta that changes nothing says who accepted the stored state, why, and what was wrong; behind it a
//! checkpoint is where replays start from then on. What lies before is kept as it is, and the retrieval records there
//! are compacted into counts as with any checkpoint.

use serde_json::{Map, Value};

use super::answers::AppliedDelta;
use super::compaction::checkpoint_stored;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use crate::domain::memory::delta::{Delta, DeltaId, Operation, PolicyChange};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::policy::Policy;

/// Rebases that events of others may overtake.
const TRIES: usize = 3;
/// The policy field that the delta sets to what it is, since a delta has to say something.
const RESTATED: &str = "retrieval_days";

/// A history that was restarted.
#[derive(Debug)]
pub struct Rebased {
    /// What could not be replayed.
    pub found: String,
    /// The delta that records it.
    pub applied: AppliedDelta,
}

impl Engine {
    /// Makes the stored state of a memory the one from which replays start, where its events cannot be replayed and
    /// no delta could adopt the difference. Returns `None` where it can be replayed or adopted.
    ///
    /// # Errors
    /// `NoMemory`; `Invalid` where the memory stands before its own last event; those of the store.
    pub async fn rebase(
        &self,
        key: &MemoryKey,
        author: Option<String>,
        reason: &str,
    ) -> EngineResult<Option<Rebased>> {
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
        let id = DeltaId::from_verb("rebase", &[&key.derived(), &at, &of]);
        let mut delta = Delta::new(id, vec![restated(&head.policy)]);
        delta.reasoning = Some(format!("rebase: {reason} ({found})"));
        delta.origin.author = author;
        delta.undo = true;
        delta.expected_revision = Some(revision);
        // The snapshot of this process may hold what the events made of the memory.
        let actor = self.actor(key);
        actor.memory.forget();
        let applied = self.apply_delta(key, delta).await?;
        actor.memory.forget();
        checkpoint_stored(self.context(), key).await?;
        Ok(Some(Rebased { found, applied }))
    }

    /// Why a memory cannot be replayed; absent where it can.
    async fn unreplayable(&self, key: &MemoryKey) -> EngineResult<Option<String>> {
        match self.verify(key).await {
            Ok(verified) => Ok(verified.unreplayable()),
            // Its creation, or the body of a delta, is lost.
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
