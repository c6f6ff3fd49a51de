//! What migrations answer: the version of a store, what newer rules mean to memories, and what was moved.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::UpgradeReport;
use crate::engine::lessons::CopiedLessons;
use crate::store::SchemaStatus;

/// The schema of a store beside that of this engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SchemaResponse {
    /// Version in the store.
    pub stored: u64,
    /// Version of this engine.
    pub engine: u64,
    /// Names of the migrations that were applied, in order.
    pub applied: Vec<String>,
    /// Names of those that are still to be applied.
    pub pending: Vec<String>,
    /// Names of those that were applied just now.
    pub applied_now: Vec<String>,
    /// Memories that follow older rules of identity and merging, or followed them until now.
    pub memories: Vec<RulesResponse>,
}

impl SchemaResponse {
    /// The status, with what was applied just now and the memories of older rules.
    pub fn of(
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

/// A memory and what newer rules of identity and merging mean to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RulesResponse {
    /// Tenant that it belongs to.
    pub tenant: String,
    /// Learner that it belongs to.
    pub learner: String,
    /// Scope within the learner.
    pub scope: String,
    /// Version of the rules that it follows.
    pub rules: u32,
    /// The newest version.
    pub newest_rules: u32,
    /// Bullets whose content hash is another one under the newest rules.
    pub hashes_anew: u64,
    /// Rejected bullets among them: they bar their texts as written only.
    pub rejected_anew: Vec<String>,
    /// Merged bullets that would stay two under the newest rules.
    pub merged_apart: Vec<ApartResponse>,
    /// The delta that brought it to the newest rules; null while it follows older ones.
    pub upgraded_by: Option<String>,
}

/// A merged bullet that would stay apart today.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ApartResponse {
    /// Id of the bullet.
    pub bullet: String,
    /// The bullet that it went into.
    pub into: String,
    /// What would keep them apart.
    pub reason: String,
}

impl RulesResponse {
    /// The report on a memory, and the delta that upgraded it, where one did.
    pub fn of(key: &MemoryKey, report: &UpgradeReport, upgraded_by: Option<String>) -> Self {
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

/// What was copied from one store to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MoveResponse {
    /// Where the memories were.
    pub from: String,
    /// Where they are as well.
    pub to: String,
    /// Memories that were copied.
    pub copied: usize,
    /// Memories that were there already.
    pub skipped: usize,
    /// True when every memory is the same on both sides.
    pub equal: bool,
    /// The memories.
    pub memories: Vec<MovedMemory>,
    /// The lessons, by learner.
    pub lessons: Vec<MovedLessons>,
}

impl MoveResponse {
    /// Counts what was moved between two places.
    pub fn of(
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
    /// Tenant that it belongs to.
    pub tenant: String,
    /// Learner that it belongs to.
    pub learner: String,
    /// Scope within the learner.
    pub scope: String,
    /// Bullets in any status.
    pub bullets: usize,
    /// Events of its history.
    pub events: usize,
    /// True when it was there already at the same position.
    pub skipped: bool,
    /// State digest in the first store.
    pub digest_from: String,
    /// State digest in the second store.
    pub digest_to: String,
    /// Content digest in the first store.
    pub content_digest_from: String,
    /// Content digest in the second store.
    pub content_digest_to: String,
    /// True when both digests agree.
    pub equal: bool,
}

/// A learner's lessons that were copied, or were there already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MovedLessons {
    /// Tenant that they belong to.
    pub tenant: String,
    /// Learner that they belong to.
    pub learner: String,
    /// Lessons in any status.
    pub lessons: usize,
    /// Runs.
    pub runs: usize,
    /// Error events.
    pub errors: usize,
    /// True when just this was there already.
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
