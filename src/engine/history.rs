//! Verbs that read the history of a memory.

pub(super) mod as_of;
mod compact;
pub(super) mod compaction;
pub(super) mod compare_replay;
pub(super) mod delta_log;
mod folding;
pub(super) mod rebase;
mod receipt_updates;
mod replay;
pub(super) mod replaying;
pub(super) mod roll_back;
pub(super) mod stored_delta;
mod undo_delta;
mod undo_state;

use super::error::EngineResult;
use super::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{DeltaPage, DeltaRecord, EventRecord, Head, MemorySummary, RetrievalRecord};

impl Engine {
    /// Reads the position of a memory without its bullets; absent if there is none.
    pub async fn head(&self, key: &MemoryKey) -> EngineResult<Option<Head>> {
        Ok(self.store().head(key).await?)
    }

    /// Lists the deltas of a memory, newest first.
    pub async fn deltas(&self, key: &MemoryKey, page: DeltaPage) -> EngineResult<Vec<DeltaRecord>> {
        Ok(self.store().deltas(key, page).await?)
    }

    /// Lists at most `limit` events with a tick above `tick`, in order.
    pub async fn events(
        &self,
        key: &MemoryKey,
        tick: u64,
        limit: usize,
    ) -> EngineResult<Vec<EventRecord>> {
        Ok(self.store().events(key, tick, limit).await?)
    }

    /// Lists the retrievals of a memory, newest first.
    pub async fn retrievals(
        &self,
        key: &MemoryKey,
        limit: usize,
    ) -> EngineResult<Vec<RetrievalRecord>> {
        Ok(self.store().retrievals(key, None, limit).await?)
    }

    /// Lists the memories of a tenant, or those of one learner.
    pub async fn memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> EngineResult<Vec<MemorySummary>> {
        Ok(self.store().memories(tenant, learner).await?)
    }
}
