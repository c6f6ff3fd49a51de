//! Operations on a whole store: list, check, move. Only here are reads not bound to one memory; even these go learner
//! by learner.

use async_trait::async_trait;

use super::costs::Cost;
use super::error::StoreResult;
use super::event::EventRecord;
use super::history::{Checkpoint, Usage};
use super::memory::{Head, Loaded, Position};
use super::shape::{Repairs, ShapeFault};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;

/// One memory in a listing.
#[derive(Clone, PartialEq, Debug)]
pub struct MemorySummary {
    /// The owner.
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
    /// The learner, where the finding is about lessons.
    pub lessons_of: Option<LearnerId>,
    /// The finding and its remedy.
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
}

/// A whole memory with its history, for moving it to another store.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryCopy {
    /// The owner.
    pub key: MemoryKey,
    /// The current state.
    pub state: Loaded,
    /// All events, the creation included, ascending by tick.
    pub events: Vec<EventRecord>,
    /// All checkpoints, ascending by clock.
    pub checkpoints: Vec<Checkpoint>,
    /// Usage counts of compacted retrievals.
    pub compacted: Vec<(BulletId, Usage)>,
    /// Marks of folded deltas by bucket, ascending.
    pub folded: Vec<(u8, String)>,
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

    /// Finds the faults in the form of a memory that contradict its contents; empty for a sound one, and if there is
    /// none.
    async fn shape(&self, key: &MemoryKey) -> StoreResult<Vec<ShapeFault>>;

    /// Finds the properties of one bullet that have another type than the engine gave them.
    async fn wrong_values(&self, key: &MemoryKey, bullet: BulletId)
    -> StoreResult<Vec<ShapeFault>>;

    /// Repairs every repairable fault of the form, and restores the named elements. Changes nothing else that decides.
    async fn repair(&self, key: &MemoryKey, repairs: &Repairs) -> StoreResult<()>;

    /// Finds nodes that a memory needs and that were deleted by hand, its own or its learner's, each in words.
    async fn lost(&self, key: &MemoryKey) -> StoreResult<Vec<String>>;

    /// Recreates them from the nodes that name them: at the last event, with the policy of the newest checkpoint or the
    /// creation. A given policy takes its place.
    async fn restore(&self, key: &MemoryKey, policy: Option<Policy>) -> StoreResult<()>;

    /// Lists the applied and the pending migrations.
    async fn schema(&self) -> StoreResult<SchemaStatus>;

    /// Applies pending migrations; gives their names.
    async fn migrate(&self) -> StoreResult<Vec<String>>;

    /// Counts the stored rows of a learner, over all its memories and lessons: every kind, in the order of
    /// [`CostKind`].
    ///
    /// [`CostKind`]: super::costs::CostKind
    async fn costs(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Cost>>;

    /// Reads a whole memory with its history at one moment.
    async fn copy_out(&self, key: &MemoryKey) -> StoreResult<Option<MemoryCopy>>;

    /// Writes a whole memory with its history, in place of the one at `over`, or where there is none, or only an
    /// interrupted copy. A memory at any other position is left alone: `Invalid`. No reader sees a part of the copy; a
    /// large one may go in several transactions, and is `HalfCopied` until the last.
    async fn copy_in(&self, copy: MemoryCopy, over: Option<Position>) -> StoreResult<()>;
}
