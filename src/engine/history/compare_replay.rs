//! Verb: rebuild a memory from its events and compare the two.

use super::replaying::Mismatch;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;

/// Times that others may change the memory between replay and comparison.
const TRIES: usize = 8;

/// A memory compared with the replay of its events.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayComparison {
    /// True if both digests agree and no event was decided otherwise.
    pub is_sound: bool,
    /// State digest of the memory.
    pub digest: String,
    /// State digest of the replay.
    pub replayed_digest: String,
    /// Content digest of the memory.
    pub content_digest: String,
    /// Content digest of the replay.
    pub replayed_content_digest: String,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
    /// Clock at which the replay began.
    pub from_clock: u64,
    /// Events replayed.
    pub events: u64,
    /// Deltas among them.
    pub deltas: u64,
    /// Events decided otherwise than recorded.
    pub mismatches: Vec<Mismatch>,
}

impl Engine {
    /// Replays a memory and compares; starts over if others change it meanwhile.
    pub async fn compare_replay(&self, key: &MemoryKey) -> EngineResult<ReplayComparison> {
        for _ in 0..TRIES {
            let mut replayed = self.replay(key).await?;
            let status = self.memory_status(key).await?;
            // The status is read last, so only a newer status proves a change in between.
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
