//! Reading the events of a memory, counting what became of its bullets, and keeping checkpoints.

use async_trait::async_trait;

use super::error::StoreResult;
use super::event::{DeltaRecord, EventRecord, RetrievalRecord};
use super::memory::Loaded;
use mnemograph_domain::memory::bullet::BulletId;
use mnemograph_domain::memory::delta::DeltaId;
use mnemograph_domain::memory::key::MemoryKey;
use mnemograph_domain::memory::receipt::ChangeRecord;

/// How often a bullet was retrieved and what became of it, compacted records included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "each field counts the mark of its name")]
pub struct Usage {
    pub retrieved: u64,
    pub injected: u64,
    pub used: u64,
    pub helped: u64,
    pub harmed: u64,
    pub ignored: u64,
}

/// A page of deltas, newest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeltaPage {
    /// Only revisions below this one; absent: from the newest.
    pub below_revision: Option<u64>,
    /// At most this many.
    pub limit: usize,
}

/// A later delta's change of a bullet, for undo.
#[derive(Clone, PartialEq, Debug)]
pub struct LaterChange {
    /// The delta.
    pub delta: DeltaId,
    /// Its revision.
    pub revision: u64,
    /// What it changed.
    pub change: ChangeRecord,
}

/// Checkpoints of a memory that are kept; each holds the whole memory.
pub const CHECKPOINTS_KEPT: u32 = 4;

/// A state from which a replay starts: what the events up to its clock made of the memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The whole memory at that moment.
    pub state: Loaded,
    /// State digest of it.
    pub digest: String,
}

/// Keeps the events of memories.
#[async_trait]
pub trait HistoryStore: Send + Sync {
    /// Lists deltas, newest first; their changes and bodies are included.
    async fn deltas(&self, key: &MemoryKey, page: DeltaPage) -> StoreResult<Vec<DeltaRecord>>;

    /// Reads one delta.
    async fn delta(&self, key: &MemoryKey, id: &DeltaId) -> StoreResult<Option<DeltaRecord>>;

    /// Lists the changes that deltas above `revision` made to any of `bullets`, ascending by revision.
    async fn later_changes(
        &self,
        key: &MemoryKey,
        revision: u64,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<LaterChange>>;

    /// Lists the events with a tick above `tick` in order, at most `limit`; the creation has tick 0 and
    /// is never among them.
    async fn events(
        &self,
        key: &MemoryKey,
        tick: u64,
        limit: usize,
    ) -> StoreResult<Vec<EventRecord>>;

    /// Reads one retrieval.
    async fn retrieval(&self, key: &MemoryKey, id: &str) -> StoreResult<Option<RetrievalRecord>>;

    /// Lists retrievals with a tick below `below_tick` (absent: from the newest), newest first.
    async fn retrievals(
        &self,
        key: &MemoryKey,
        below_tick: Option<u64>,
        limit: usize,
    ) -> StoreResult<Vec<RetrievalRecord>>;

    /// Counts what became of bullets of a memory: those named, or all when none is.
    async fn usage(
        &self,
        key: &MemoryKey,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<(BulletId, Usage)>>;

    /// Reads the newest checkpoint at or below `clock`.
    async fn checkpoint(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<Checkpoint>>;

    /// Stores a checkpoint, then compacts the retrievals up to its clock into counts; gives the number of
    /// records that were compacted. Each record goes together with its counts, but not all need to go at
    /// once: what is left by a compaction that was cut off goes with the next one. Of the checkpoints the
    /// newest [`CHECKPOINTS_KEPT`] stay.
    async fn compact(&self, key: &MemoryKey, checkpoint: Checkpoint) -> StoreResult<u64>;
}
