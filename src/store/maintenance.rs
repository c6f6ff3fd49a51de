//! Operations on a whole store: list, check, move. Only here are reads not bound to one memory; even these go learner
//! by learner.

use async_trait::async_trait;

use super::costs::Cost;
use super::error::StoreResult;
use super::event::EventRecord;
use super::history::{Checkpoint, Usage};
use super::memory::{Head, Loaded, Position};
use super::shape::{Repairs, ShapeFault};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;

/// One memory in a listing.
#[derive(Clone, PartialEq, Debug)]
pub struct MemorySummary {
    /// Whose.
    pub key: MemoryKey,
    /// Its head; `Err` names the property that cannot be read, and why.
    pub head: Result<Head, String>,
    /// Active bullets.
    pub active: u64,
    /// Archived bullets.
    pub archived: u64,
    /// Rejected bullets.
    pub rejected: u64,
}

/// A finding of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// True when it must be repaired; false for a remark.
    pub is_error: bool,
    /// The object that was checked.
    pub subject: String,
    /// What was found, and what to do.
    pub message: String,
}

/// The schema of a store compared with that of this engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaStatus {
    /// Version in the store.
    pub stored: u64,
    /// Version of this engine.
    pub engine: u64,
    /// Names of the applied migrations, in order.
    pub applied: Vec<String>,
    /// Names of the migrations to apply, in order.
    pub pending: Vec<String>,
    /// Names of the migrations that wait to be asked for, since they end the sharing with older engines.
    pub waiting: Vec<String>,
}

/// A whole memory with its history, for moving it to another store.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryCopy {
    /// Whose.
    pub key: MemoryKey,
    /// The current state.
    pub state: Loaded,
    /// All events, the creation included, ascending by tick.
    pub events: Vec<EventRecord>,
    /// All checkpoints, ascending by clock.
    pub checkpoints: Vec<Checkpoint>,
    /// Usage counts of compacted retrievals.
    pub compacted: Vec<(BulletId, Usage)>,
}

impl MemoryCopy {
    /// The message that refuses to overwrite a memory at another position than the expected one.
    pub fn refused_over(&self, there: &Position) -> String {
        format!(
            "the other store has a memory {} at clock {}, revision {}, which is not the one that was looked at; look again",
            self.key, there.clock, there.revision
        )
    }
}

/// Lists, checks and moves the memories of a store.
#[async_trait]
pub trait MaintenanceStore: Send + Sync {
    /// Lists the tenants, ascending.
    async fn tenants(&self) -> StoreResult<Vec<String>>;

    /// Lists the memories of a tenant, or of one learner of it, ascending by key.
    async fn memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<MemorySummary>>;

    /// Checks the store itself: integrity, schema, references.
    async fn check(&self) -> StoreResult<Vec<Finding>>;

    /// Finds what in the form of a memory contradicts what it holds; empty for a sound one, and where there is none.
    async fn shape(&self, key: &MemoryKey) -> StoreResult<Vec<ShapeFault>>;

    /// Finds the properties of one bullet that have another type than the engine gave them.
    async fn wrong_values(&self, key: &MemoryKey, bullet: BulletId)
    -> StoreResult<Vec<ShapeFault>>;

    /// Mends every fault of the form that can be repaired, and puts back what is named. Changes nothing else that decides.
    async fn repair(&self, key: &MemoryKey, repairs: &Repairs) -> StoreResult<()>;

    /// Finds what a memory hangs on and a hand has deleted, its own node or its learner's, each in words.
    async fn lost(&self, key: &MemoryKey) -> StoreResult<Vec<String>>;

    /// Makes that again from what names it: at the last event, with the policy of the newest checkpoint or the creation. A
    /// policy that is given takes its place.
    async fn restore(&self, key: &MemoryKey, policy: Option<Policy>) -> StoreResult<()>;

    /// Says which migrations were applied and which were not.
    async fn schema(&self) -> StoreResult<SchemaStatus>;

    /// Applies pending migrations; gives their names.
    async fn migrate(&self) -> StoreResult<Vec<String>>;

    /// Counts what is kept of a learner, over all its memories and lessons: every kind, in the order of [`CostKind`].
    ///
    /// [`CostKind`]: super::costs::CostKind
    async fn costs(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Cost>>;

    /// Reads a whole memory with its history at one moment.
    async fn copy_out(&self, key: &MemoryKey) -> StoreResult<Option<MemoryCopy>>;

    /// Writes a whole memory with its history, in place of the one that stands at `over`, or where there is none,
    /// or where a copy was cut off. A memory at any other position is left alone: `Invalid`. Nobody sees a part of
    /// the copy; what is large may go in several transactions, and is `HalfCopied` until the last.
    async fn copy_in(&self, copy: MemoryCopy, over: Option<Position>) -> StoreResult<()>;
}
