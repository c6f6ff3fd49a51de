//! Reading the events of a memory, counting how its bullets fared, and keeping checkpoints.

use async_trait::async_trait;

use super::error::StoreResult;
use super::event::{DeltaRecord, EventRecord, RetrievalRecord};
use super::memory::Loaded;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::receipt::ChangeRecord;
use hindlore_primitives::timestamp::Timestamp;

/// How often a bullet was retrieved and how it fared, compacted records included.
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
    /// Only revisions below this one; `None` starts at the newest.
    pub below_revision: Option<u64>,
    /// At most this many.
    pub limit: usize,
}

/// A change that a later delta made to a bullet; undo must not overwrite it.
#[derive(Clone, PartialEq, Debug)]
pub struct LaterChange {
    /// The delta.
    pub delta: DeltaId,
    /// Its revision.
    pub revision: u64,
    /// The change.
    pub change: ChangeRecord,
}

/// Number of checkpoints kept of a memory; each holds the whole memory.
pub const CHECKPOINTS_KEPT: u32 = 4;

/// A state from which a replay starts: the memory after all events up to its clock.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The whole memory at that clock.
    pub state: Loaded,
    /// Its state digest.
    pub digest: String,
}

/// The deltas to fold in one transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoldOrder {
    /// Up to this revision.
    pub revision: u64,
    /// Applied before this time.
    pub before: Timestamp,
    /// At most this many.
    pub limit: usize,
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

    /// Lists at most `limit` events with a tick above `tick`, ascending. The creation has tick 0 and is never listed.
    async fn events(
        &self,
        key: &MemoryKey,
        tick: u64,
        limit: usize,
    ) -> StoreResult<Vec<EventRecord>>;

    /// Reads one retrieval.
    async fn retrieval(&self, key: &MemoryKey, id: &str) -> StoreResult<Option<RetrievalRecord>>;

    /// Lists at most `limit` retrievals with a tick below `below_tick` (`None` starts at the newest), newest first.
    async fn retrievals(
        &self,
        key: &MemoryKey,
        below_tick: Option<u64>,
        limit: usize,
    ) -> StoreResult<Vec<RetrievalRecord>>;

    /// Counts the usage of the named bullets, or of all bullets when `bullets` is empty.
    async fn usage(
        &self,
        key: &MemoryKey,
        bullets: &[BulletId],
    ) -> StoreResult<Vec<(BulletId, Usage)>>;

    /// Reads the newest checkpoint at or below `clock`.
    async fn checkpoint(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<Checkpoint>>;

    /// Stores a checkpoint, then compacts the retrieval records up to its clock into counts; returns how many. Keeps
    /// the newest [`CHECKPOINTS_KEPT`] checkpoints.
    ///
    /// A record is deleted in the transaction that counts it, but not all records need to go in one: the next
    /// compaction takes those that an interrupted one left.
    async fn compact(&self, key: &MemoryKey, checkpoint: Checkpoint) -> StoreResult<u64>;

    /// Deletes the oldest deltas of an order, up to the first that is too young, and keeps the mark that each was applied
    /// ([`FoldedDelta`]); returns how many. The creation stays, and so does everything of another incarnation. Deltas
    /// that a replay still reads are the caller's to exclude.
    ///
    /// [`FoldedDelta`]: super::form::FoldedDelta
    async fn fold_deltas(
        &self,
        key: &MemoryKey,
        incarnation: &str,
        order: FoldOrder,
    ) -> StoreResult<u64>;
}
