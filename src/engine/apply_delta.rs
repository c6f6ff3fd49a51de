//! Verb: apply a delta to a memory, exactly once.

use super::Engine;
use super::clock::random_id;
use super::error::{EngineError, EngineResult};
use super::prepared_delta::PreparedDelta;
use super::redact;
use super::request::{DeltaJob, Request};
use super::since::Since;
use crate::domain::memory::apply::Refusal;
use crate::domain::memory::bullet::BulletId;
use crate::domain::memory::delta::{Delta, DeltaId};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::receipt::{Changes, Receipt};
use crate::domain::redact::Redactions;
use crate::store::Mark;

/// The answer to a delta.
#[derive(Clone, PartialEq, Debug)]
pub struct AppliedDelta {
    /// What it did.
    pub receipt: Receipt,
    /// True when it had been applied before, and nothing was changed now.
    pub repeated: bool,
    /// What became of it since then, when it had been applied before.
    pub since: Since,
    /// Number of its operations.
    pub operations: usize,
    /// What it changed; empty when repeated.
    pub changes: Changes,
    /// The secrets that were taken out of what was sent.
    pub redacted: Redactions,
    /// Bullets that a REMOVE named.
    pub(super) removed: Vec<BulletId>,
}

impl AppliedDelta {
    pub(super) fn fresh(
        receipt: Receipt,
        operations: usize,
        changes: Changes,
        removed: Vec<BulletId>,
    ) -> Self {
        Self {
            receipt,
            operations,
            repeated: false,
            since: Since::default(),
            changes,
            redacted: Redactions::default(),
            removed,
        }
    }

    pub(crate) fn repeated(receipt: Receipt) -> Self {
        Self {
            receipt,
            operations: 0,
            repeated: true,
            since: Since::default(),
            changes: Changes::default(),
            redacted: Redactions::default(),
            removed: Vec::new(),
        }
    }
}

impl Engine {
    /// An id for a delta whose sender gave none.
    pub fn fresh_delta_id() -> EngineResult<DeltaId> {
        let id = random_id("d").map_err(|error| EngineError::Invalid(error.to_string()))?;
        DeltaId::parse(&id).map_err(EngineError::Invalid)
    }

    /// Applies a delta; makes the memory where there is none. Sent again with the same id and body, it
    /// gives the first receipt and changes nothing. Secrets leave it before it has a body.
    pub async fn apply_delta(
        &self,
        key: &MemoryKey,
        mut delta: Delta,
    ) -> EngineResult<AppliedDelta> {
        let redacted = redact::delta(self.redactor(), &mut delta);
        let applied = self.apply_as_it_is(key, delta).await?;
        Ok(AppliedDelta {
            redacted,
            ..applied
        })
    }

    /// Applies a delta that the engine made of what is there already.
    pub(super) async fn apply_as_it_is(
        &self,
        key: &MemoryKey,
        delta: Delta,
    ) -> EngineResult<AppliedDelta> {
        self.apply_marked(key, delta, Vec::new()).await
    }

    /// Applies a delta together with marks on earlier retrievals.
    pub(super) async fn apply_marked(
        &self,
        key: &MemoryKey,
        delta: Delta,
        marks: Vec<Mark>,
    ) -> EngineResult<AppliedDelta> {
        match self.apply_sent(key, delta.clone(), marks.clone()).await {
            Err(EngineError::Refused(Refusal::OlderRules)) => {
                if self.upgrade_unasked(key).await? {
                    self.apply_sent(key, delta, marks).await
                } else {
                    Err(Refusal::OlderRules.into())
                }
            }
            done => done,
        }
    }

    /// Sends a delta through the lane of its memory.
    pub(super) async fn apply_sent(
        &self,
        key: &MemoryKey,
        mut delta: Delta,
        marks: Vec<Mark>,
    ) -> EngineResult<AppliedDelta> {
        delta.origin = self.origin(delta.origin.author.take());
        let delta = PreparedDelta::new(delta)?;
        let applied = self
            .submit(key, |reply| {
                Request::Delta(Box::new(DeltaJob {
                    delta,
                    marks,
                    reply,
                    result: None,
                }))
            })
            .await?;
        if applied.repeated {
            Box::pin(self.told_again(key, applied.receipt)).await
        } else {
            Ok(applied)
        }
    }
}
