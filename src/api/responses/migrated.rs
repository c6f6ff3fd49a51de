//! Answers of migrations: the version of a store, the meaning of newer rules for memories, and copies.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::UpgradeReport;
use crate::engine::lessons::CopiedLessons;
use crate::store::SchemaStatus;

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
    /// Memories that follow older rules of identity and merging, or did until now.
    pub memories: Vec<RulesResponse>,
}

impl SchemaResponse {
    /// The status, with the migrations applied just now and the memories of older rules.
    pub fn new(
        schema: &SchemaStatus,
        applied_now: Vec<String>,
        memories: Vec<RulesResponse>,
    ) -> Self {
        Self {
            stored: schema.stored,
            engine: schema.engine,
            applied: schema.applied.clone(),
            pending: schema.pending.clone(),
            applied_now,
            memories,
        }
    }
}

/// A memory, and the consequences of newer rules of identity and merging for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RulesResponse {
    /// Tenant.
    pub tenant: String,
    /// Learner.
    pub learner: String,
    /// Scope.
    pub scope: String,
    /// Version of its rules.
    pub rules: u32,
    /// The newest version.
    pub newest_rules: u32,
    /// Bullets whose content hash changes under the newest rules.
    pub hashes_anew: u64,
    /// Rejected bullets among them: they bar their text only as written.
    pub rejected_anew: Vec<String>,
    /// Merged bullets that would stay apart under the newest rules.
    pub merged_apart: Vec<ApartResponse>,
    /// The delta that upgraded it; null while it follows older rules.
    pub upgraded_by: Option<String>,
}

/// A merged bullet that would stay apart under the newest rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ApartResponse {
    /// Id of the bullet.
    pub bullet: String,
    /// The bullet it was merged into.
    pub into: String,
    /// The difference that would keep them apart.
    pub reason: String,
}

impl RulesResponse {
    /// The report on a memory, and the delta that upgraded it, if any.
    pub fn new(key: &MemoryKey, report: &UpgradeReport, upgraded_by: Option<String>) -> Self {
        let apart = report.apart.iter().map(|one| ApartResponse {
            bullet: one.bullet.to_string(),
            into: one.into.to_string(),
            reason: one.reason.clone(),
        });
        Self {
            tenant: key.tenant().to_owned(),
            learner: key.learner().to_owned(),
            scope: key.scope().to_owned(),
            rules: if upgraded_by.is_some() {
                report.to
            } else {
                report.from
            },
            newest_rules: report.to,
            hashes_anew: report.rehashed,
            rejected_anew: report.rejected.iter().map(ToString::to_string).collect(),
            merged_apart: apart.collect(),
            upgraded_by,
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
