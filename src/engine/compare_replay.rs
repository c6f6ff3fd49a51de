//! Verb: rebuild a memory from its events, and compare it with what it is.

use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use super::replaying::Mismatch;
use crate::domain::memory::key::MemoryKey;

/// Times that others may change the memory between the replay and the look.
const TRIES: usize = 8;

/// A memory beside what its events make of it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayComparison {
    /// True when both digests agree and no event came to something else.
    pub is_sound: bool,
    /// State digest of the memory.
    pub digest: String,
    /// State digest of what was replayed.
    pub replayed_digest: String,
    /// Content digest of the memory.
    pub content_digest: String,
    /// Content digest of what was replayed.
    pub replayed_content_digest: String,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
    /// Clock of the checkpoint that the replay began at.
    pub from_clock: u64,
    /// Events that were replayed.
    pub events: u64,
    /// How many of them are deltas.
    pub deltas: u64,
    /// Events that came to something else.
    pub mismatches: Vec<Mismatch>,
}

impl Engine {
    /// Replays a memory and compares; tries again where others change it meanwhile.
    pub async fn compare_replay(&self, key: &MemoryKey) -> EngineResult<ReplayComparison> {
        for _ in 0..TRIES {
            let mut replayed = self.replay(key).await?;
            let status = self.memory_status(key).await?;
            if replayed.memory.clock() < status.clock {
                continue;
            }
            let replayed_digest = replayed.memory.digest();
            let replayed_content_digest = replayed.memory.content_digest();
            return Ok(ReplayComparison {
                is_sound: replayed.mismatches.is_empty()
                    && replayed_digest == status.digest
                    && replayed_content_digest == status.content_digest,
                digest: status.digest,
                replayed_digest,
                content_digest: status.content_digest,
                replayed_content_digest,
                revision: status.revision,
                clock: status.clock,
                from_clock: replayed.from_clock,
                events: replayed.events,
                deltas: replayed.deltas,
                mismatches: replayed.mismatches,
            });
        }
        Err(EngineError::Contended(key.clone()))
    }
}
