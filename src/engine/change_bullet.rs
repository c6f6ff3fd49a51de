//! Verbs: one operation on one bullet, as its own delta.

use super::answers::AppliedDelta;
use super::error::EngineResult;
use super::handle::Engine;
use crate::domain::memory::delta::{BulletRef, Delta, Operation, PinChange, Removal};
use crate::domain::memory::key::MemoryKey;

impl Engine {
    /// Exempts a bullet from pruning and expiry, or revokes that.
    pub async fn pin_bullet(
        &self,
        key: &MemoryKey,
        name: &str,
        on: bool,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let id = self.bullet_ref(key, name).await?;
        let mut delta = Delta::new(
            Self::fresh_delta_id()?,
            vec![Operation::Pin(PinChange { id, on })],
        );
        delta.origin.author = author;
        self.apply_delta(key, delta).await
    }

    /// Rejects a bullet: learning cannot bring its text back.
    pub async fn reject_bullet(
        &self,
        key: &MemoryKey,
        name: &str,
        reason: String,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let (id, reason) = (self.bullet_ref(key, name).await?, Some(reason));
        let removal = Removal {
            id,
            reason: reason.clone(),
        };
        let mut delta = Delta::new(Self::fresh_delta_id()?, vec![Operation::Reject(removal)]);
        delta.reasoning = reason;
        delta.origin.author = author;
        self.apply_delta(key, delta).await
    }

    async fn bullet_ref(&self, key: &MemoryKey, name: &str) -> EngineResult<BulletRef> {
        Ok(self.find_bullet(key, name).await?.id.into())
    }
}
