//! Verb: say which of the returned bullets went into a prompt, where that shows only after the answer.

use super::error::EngineResult;
use super::handle::Engine;
use super::retrieval::Retrieved;
use crate::domain::memory::delta::Delta;
use crate::domain::memory::key::MemoryKey;
use crate::store::Mark;

impl Engine {
    /// Marks the bullets that a recorded answer still holds as put into a prompt; what was dropped from it
    /// stays returned, and no more than that.
    pub async fn mark_injected(&self, key: &MemoryKey, answer: &Retrieved) -> EngineResult<()> {
        let Some(retrieval) = &answer.retrieval else {
            return Ok(());
        };
        let mut memories = vec![key.clone()];
        memories.extend((key.shared() != *key).then(|| key.shared()));
        for memory in memories {
            let marks: Vec<Mark> = answer
                .bullets_of(&memory)
                .map(|one| Mark {
                    injected: true,
                    ..Mark::on(retrieval, one.hit.id)
                })
                .collect();
            if marks.is_empty() {
                continue;
            }
            // The record may be one that is still to be written.
            self.flush(&memory).await?;
            // Without operations it is no event: it takes no tick and is not written down.
            let carrier = Delta::new(Self::fresh_delta_id()?, Vec::new());
            self.apply_marked(&memory, carrier, marks).await?;
        }
        Ok(())
    }
}
