//! Verb: compact old retrieval records into counts.

use super::compaction::compact;
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;

impl Engine {
    /// Compacts the retrieval records that the memory's policy no longer keeps; returns how many.
    pub async fn compact(&self, key: &MemoryKey) -> EngineResult<u64> {
        compact(self.context(), key).await
    }
}
