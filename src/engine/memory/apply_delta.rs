//! Verb: apply a delta to a memory, exactly once.

use super::answers::AppliedDelta;
use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::redact;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;

impl Engine {
    /// Makes an id for a delta sent without one.
    pub fn fresh_delta_id() -> EngineResult<DeltaId> {
        let id = random_id("d").map_err(|error| EngineError::Invalid(error.to_string()))?;
        DeltaId::parse(&id).map_err(EngineError::Invalid)
    }

    /// Adds one bullet to a memory; creates the memory if it is missing. A near-duplicate is merged into the bullet that
    /// is there.
    ///
    /// For a call that may be repeated after a lost answer, use [`Engine::apply_delta`] with an id of your own.
    pub async fn add(
        &self,
        key: &MemoryKey,
        content: impl Into<String>,
    ) -> EngineResult<AppliedDelta> {
        let bullet = NewBullet {
            content: content.into(),
            ..NewBullet::default()
        };
        let add = Operation::Add(Box::new(bullet));
        self.apply_delta(key, Delta::new(Self::fresh_delta_id()?, vec![add]))
            .await
    }

    /// Applies a delta; makes the memory if there is none. The same id and body again return the first
    /// receipt and change nothing. Secrets are removed before the body is encoded.
    pub async fn apply_delta(
        &self,
        key: &MemoryKey,
        mut delta: Delta,
    ) -> EngineResult<AppliedDelta> {
        let redacted = redact::delta(self.redactor(), &mut delta);
        let applied = self.apply_unredacted(key, delta).await?;
        Ok(AppliedDelta {
            redacted,
            ..applied
        })
    }

    /// Applies a delta that the engine derived from contents of the memory.
    pub(crate) async fn apply_unredacted(
        &self,
        key: &MemoryKey,
        delta: Delta,
    ) -> EngineResult<AppliedDelta> {
        self.send_delta(key, delta, Vec::new()).await
    }
}
