//! Verb: rebuild a memory from its events.

use super::error::EngineResult;
use super::handle::Engine;
use super::replaying::{Replayed, Until, replay};
use hindlore_domain::memory::key::MemoryKey;

impl Engine {
    /// Rebuilds a memory from its last checkpoint or its creation, and all later events.
    pub async fn replay(&self, key: &MemoryKey) -> EngineResult<Replayed> {
        replay(self.context(), key, Until::End).await
    }
}
