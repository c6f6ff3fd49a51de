//! Verb: compact old retrieval records into counts, and fold old deltas.

use super::compaction::compact;
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;

impl Engine {
    /// Compacts the retrieval records that the memory's policy no longer keeps, and folds such deltas; returns how many
    /// records were compacted.
    pub async fn compact(&self, key: &MemoryKey) -> EngineResult<u64> {
        compact(self.context(), key).await
    }
}
