//! Verb: read the position of a memory without its bullets.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::aggregate::StatusCounts;
use hindlore_domain::memory::key::MemoryKey;

/// The position of a memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryStatus {
    /// State digest.
    pub digest: String,
    /// Content digest.
    pub content_digest: String,
    /// Its revision.
    pub revision: u64,
    /// Its access clock.
    pub clock: u64,
    /// Bullets by status.
    pub status_counts: StatusCounts,
}

impl Engine {
    /// Reads digests, revision, clock, and bullet counts of a memory.
    pub async fn memory_status(&self, key: &MemoryKey) -> EngineResult<MemoryStatus> {
        let actor = self.actor(key);
        let status = actor.memory.read_latest_mut(|snapshot| {
            let memory = &mut snapshot.memory;
            MemoryStatus {
                digest: memory.digest(),
                content_digest: memory.content_digest(),
                revision: memory.revision(),
                clock: memory.clock(),
                status_counts: memory.status_counts(),
            }
        });
        status
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))
    }
}
