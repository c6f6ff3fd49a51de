//! Sends a delta to the actor of its memory.

use super::answers::AppliedDelta;
use super::prepared_delta::PreparedDelta;
use crate::actor::message::{DeltaMessage, Message};
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::delta::Delta;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::Mark;

impl Engine {
    /// Sends a delta with marks on earlier retrievals. A delta applied before returns its first receipt and the later
    /// changes.
    pub(super) async fn send_delta(
        &self,
        key: &MemoryKey,
        mut delta: Delta,
        marks: Vec<Mark>,
    ) -> EngineResult<AppliedDelta> {
        delta.origin = self.context().origin(delta.origin.author.take());
        let delta = PreparedDelta::new(delta)?;
        let message = |reply| {
            Message::Delta(Box::new(DeltaMessage {
                delta,
                marks,
                reply,
                result: None,
            }))
        };
        let applied = self.actor(key).ask(message).await?;
        self.consolidate_if_grown(key, &applied);
        if applied.repeated {
            Box::pin(self.repeated_answer(key, applied.receipt)).await
        } else {
            Ok(applied)
        }
    }
}
