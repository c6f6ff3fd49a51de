//! What an operator does with a whole store: look, check, move. The only place where reads are
//! not bound to one memory, and it goes learner by learner.

use async_trait::async_trait;

use super::error::StoreResult;
use super::event::EventRecord;
use super::history::{Checkpoint, Usage};
use super::memory::{Head, Loaded, Position};
use mnemograph_domain::memory::bullet::BulletId;
use mnemograph_domain::memory::key::MemoryKey;

/// One memory of a listing.
#[derive(Clone, PartialEq, Debug)]
pub struct MemorySummary {
    /// Whose.
    pub key: MemoryKey,
    /// Where it stands, or the property of it that cannot be read, and why.
    pub head: Result<Head, String>,
    /// Bullets by status.
    pub active: u64,
    /// Bullets by status.
    pub archived: u64,
    /// Bullets by status.
    pub rejected: u64,
}

/// Something that a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// True when it must be mended; false when it is only worth knowing.
    pub is_error: bool,
    /// What was looked at.
    pub subject: String,
    /// What was found, and what to do.
    pub message: String,
}

/// The schema of a store beside that of this engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaStatus {
    /// Version in the store.
    pub stored: u64,
    /// Version of this engine.
    pub engine: u64,
    /// Names of the migrations that were applied, in order.
    pub applied: Vec<String>,
    /// Names of those that are still to be applied.
    pub pending: Vec<String>,
}

/// A whole memory with its history, for moving it to another store.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryCopy {
    /// Whose.
    pub key: MemoryKey,
    /// State.
    pub state: Loaded,
    /// All events, the creation included, ascending by tick.
    pub events: Vec<EventRecord>,
    /// All checkpoints, ascending by clock.
    pub checkpoints: Vec<Checkpoint>,
    /// Compacted usage counts.
    pub compacted: Vec<(BulletId, Usage)>,
}

impl MemoryCopy {
    /// Says that it cannot be written over the memory that stands at `there`, and what to do.
    pub fn refused_over(&self, there: &Position) -> String {
        format!(
            "the other store has a memory {} at clock {}, revision {}, which is not the one that was looked at; look again",
            self.key, there.clock, there.revision
        )
    }
}

/// Looks at, checks and moves.
#[async_trait]
pub trait MaintenanceStore: Send + Sync {
    /// Names the tenants, ascending.
    async fn tenants(&self) -> StoreResult<Vec<String>>;

    /// Lists the memories of a tenant, or of one learner of it, ascending by key.
    async fn memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<MemorySummary>>;

    /// Checks the store itself: integrity, schema, references.
    async fn check(&self) -> StoreResult<Vec<Finding>>;

    /// Says which migrations were applied and which were not.
    async fn schema(&self) -> StoreResult<SchemaStatus>;

    /// Applies pending migrations; gives their names.
    async fn migrate(&self) -> StoreResult<Vec<String>>;

    /// Reads a whole memory with its history at one moment.
    async fn copy_out(&self, key: &MemoryKey) -> StoreResult<Option<MemoryCopy>>;

    /// Writes a whole memory with its history, in place of the one that stands at `over`, or where there is none,
    /// or where a copy was cut off. A memory at any other position is left alone: `Invalid`. Nobody sees a part of
    /// the copy; what is large may go in several transactions, and is `HalfCopied` until the last.
    async fn copy_in(&self, copy: MemoryCopy, over: Option<Position>) -> StoreResult<()>;
}
