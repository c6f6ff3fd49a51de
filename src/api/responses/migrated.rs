//! Answers of migrations: the version of a store, and copies.

use schemars::JsonSchema;
use serde::Serialize;

use hindlore::lessons::CopiedLessons;
use hindlore_store::SchemaStatus;

/// The schema of a store compared with this engine's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SchemaResponse {
    /// Version in the store.
    pub stored: u64,
    /// Version of this engine.
    pub engine: u64,
    /// Names of applied migrations, in order.
    pub applied: Vec<String>,
    /// Names of pending migrations.
    pub pending: Vec<String>,
    /// Names of migrations applied just now.
    pub applied_now: Vec<String>,
}

impl SchemaResponse {
    /// The status, with the migrations applied just now.
    pub fn new(schema: &SchemaStatus, applied_now: Vec<String>) -> Self {
        Self {
            stored: schema.stored,
            engine: schema.engine,
            applied: schema.applied.clone(),
            pending: schema.pending.clone(),
            applied_now,
        }
    }
}

/// The result of a copy from one store to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MoveResponse {
    /// Source.
    pub from: String,
    /// Target.
    pub to: String,
    /// Memories copied.
    pub copied: usize,
    /// Memories that were there already.
    pub skipped: usize,
    /// True if every memory is the same on both sides.
    pub equal: bool,
    /// The memories.
    pub memories: Vec<MovedMemory>,
    /// The lessons, by learner.
    pub lessons: Vec<MovedLessons>,
}

impl MoveResponse {
    /// Counts the rows copied between two places.
    pub fn new(
        from: &str,
        to: &str,
        memories: Vec<MovedMemory>,
        lessons: Vec<MovedLessons>,
    ) -> Self {
        let skipped = memories.iter().filter(|one| one.skipped).count();
        Self {
            from: from.to_owned(),
            to: to.to_owned(),
            copied: memories.len() - skipped,
            skipped,
            equal: memories.iter().all(|one| one.equal),
            memories,
            lessons,
        }
    }
}

/// A memory that was copied, or was there already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MovedMemory {
    /// Tenant.
    pub tenant: String,
    /// Learner.
    pub learner: String,
    /// Scope.
    pub scope: String,
    /// Bullets in any status.
    pub bullets: usize,
    /// Events of its history.
    pub events: usize,
    /// True if it was there already at the same position.
    pub skipped: bool,
    /// State digest in the source.
    pub digest_from: String,
    /// State digest in the target.
    pub digest_to: String,
    /// Content digest in the source.
    pub content_digest_from: String,
    /// Content digest in the target.
    pub content_digest_to: String,
    /// True if both digests agree.
    pub equal: bool,
}

/// A learner's lessons that were copied, or were there already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MovedLessons {
    /// Tenant.
    pub tenant: String,
    /// Learner.
    pub learner: String,
    /// Lessons in any status.
    pub lessons: usize,
    /// Runs.
    pub runs: usize,
    /// Error events.
    pub errors: usize,
    /// True if exactly these were there already.
    pub skipped: bool,
}

impl From<CopiedLessons> for MovedLessons {
    fn from(copied: CopiedLessons) -> Self {
        Self {
            tenant: copied.owner.tenant().to_owned(),
            learner: copied.owner.learner().to_owned(),
            lessons: copied.lessons,
            runs: copied.runs,
            errors: copied.errors,
            skipped: copied.was_there,
        }
    }
}
