//! Verbs: one operation on one bullet, as its own delta.

use super::answers::AppliedDelta;
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::delta::{BulletRef, Delta, Operation, Patch, PinChange, Removal};
use hindlore_domain::memory::key::MemoryKey;

impl Engine {
    /// Changes fields of the bullet with a name; `fields` makes the patch of its id.
    pub async fn edit_bullet(
        &self,
        key: &MemoryKey,
        name: &str,
        fields: impl FnOnce(BulletRef) -> Patch,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let patch = fields(self.bullet_ref(key, name).await?);
        self.change(key, Operation::Update(Box::new(patch)), None, author)
            .await
    }

    /// Archives a bullet: its text may come back.
    pub async fn remove_bullet(
        &self,
        key: &MemoryKey,
        name: &str,
        reason: Option<String>,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let id = self.bullet_ref(key, name).await?;
        let removal = Removal {
            id,
            reason: reason.clone(),
        };
        self.change(key, Operation::Remove(removal), reason, author)
            .await
    }

    /// Exempts a bullet from pruning and expiry, or revokes that.
    pub async fn pin_bullet(
        &self,
        key: &MemoryKey,
        name: &str,
        on: bool,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let id = self.bullet_ref(key, name).await?;
        self.change(key, Operation::Pin(PinChange { id, on }), None, author)
            .await
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
        self.change(key, Operation::Reject(removal), reason, author)
            .await
    }

    async fn change(
        &self,
        key: &MemoryKey,
        operation: Operation,
        reasoning: Option<String>,
        author: Option<String>,
    ) -> EngineResult<AppliedDelta> {
        let mut delta = Delta::new(Self::fresh_delta_id()?, vec![operation]);
        delta.reasoning = reasoning;
        delta.origin.author = author;
        self.apply_delta(key, delta).await
    }

    async fn bullet_ref(&self, key: &MemoryKey, name: &str) -> EngineResult<BulletRef> {
        Ok(self.find_bullet(key, name).await?.id.into())
    }
}
