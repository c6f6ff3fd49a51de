//! Verb: rebuild a memory from its events.

use super::replaying::{Replayed, Until, replay};
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;

impl Engine {
    /// Rebuilds a memory from its last checkpoint or its creation, and all later events.
    pub async fn replay(&self, key: &MemoryKey) -> EngineResult<Replayed> {
        replay(self.context(), key, Until::End).await
    }
}
