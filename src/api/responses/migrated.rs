//! Answers of migrations: the version of a store, and copies.

use schemars::JsonSchema;
use serde::Serialize;

use hindlore::lessons::CopiedLessons;
use hindlore_domain::lesson::lesson::LearnerId;
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
    /// Memories left alone: equal ones, and those skipped on request.
    pub skipped: usize,
    /// Memories whose bullets were imported into another memory there.
    pub merged: usize,
    /// Memories that were not copied, because the target has another one.
    pub refused: usize,
    /// True if every copied memory is the same on both sides.
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
        let count = |moves: &[Move]| {
            let found = memories.iter().filter(|one| moves.contains(&one.outcome));
            found.count()
        };
        Self {
            from: from.to_owned(),
            to: to.to_owned(),
            copied: count(&[Move::Moved]),
            skipped: count(&[Move::Equal, Move::Skipped]),
            merged: count(&[Move::Merged]),
            refused: count(&[Move::Refused]),
            equal: memories
                .iter()
                .all(|one| one.equal || !one.outcome.is_copy()),
            memories,
            lessons,
        }
    }

    /// The reasons for which parts were refused.
    pub fn refusals(&self) -> Vec<&str> {
        let memories = self.memories.iter().map(|one| (one.outcome, &one.reason));
        let lessons = self.lessons.iter().map(|one| (one.outcome, &one.reason));
        let refused = memories
            .chain(lessons)
            .filter(|(outcome, _)| *outcome == Move::Refused);
        refused
            .filter_map(|(_, reason)| reason.as_deref())
            .collect()
    }
}

/// A backup that was written or brought back.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct BackupResponse {
    /// The store.
    pub store: String,
    /// The file.
    pub file: String,
    /// Memories.
    pub memories: usize,
    /// Bullets in any status.
    pub bullets: usize,
    /// Learners with lessons or records.
    pub learners: usize,
    /// Lessons in any status.
    pub lessons: usize,
    /// Runs.
    pub runs: usize,
    /// Error events.
    pub errors: usize,
    /// Records: playbooks, reflections, grants, groups, keys and archived traces.
    pub records: usize,
    /// Parts that were there already.
    pub unchanged: usize,
    /// Parts that were not copied, each with the reason.
    pub refused: Vec<String>,
}

/// The outcome for a memory, or for a learner's lessons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// Copied.
    Moved,
    /// Exactly this was there already.
    Equal,
    /// The target has another one, which was left alone on request.
    Skipped,
    /// The target has another one, into which the bullets were imported.
    Merged,
    /// The target has another one; nothing was copied.
    Refused,
}

impl Move {
    /// True if both sides must be equal afterwards.
    pub fn is_copy(self) -> bool {
        matches!(self, Self::Moved | Self::Equal)
    }

    /// The word of a listing.
    pub fn word(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Equal => "was there already",
            Self::Skipped => "skipped",
            Self::Merged => "merged",
            Self::Refused => "refused",
        }
    }
}

/// A memory of a copy.
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
    /// Events of its history; absent if it was not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<usize>,
    /// Its outcome.
    pub outcome: Move,
    /// Why it was not copied as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
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

/// A learner's lessons of a copy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MovedLessons {
    /// Tenant.
    pub tenant: String,
    /// Learner.
    pub learner: String,
    /// Lessons in any status; absent if they were not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lessons: Option<usize>,
    /// Runs; absent if they were not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// Error events; absent if they were not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<usize>,
    /// Records: playbooks, reflections, grants, groups, keys and archived traces; absent if they were not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<usize>,
    /// Their outcome.
    pub outcome: Move,
    /// Why they were not copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl MovedLessons {
    /// Lessons that were left where they are.
    pub fn left(owner: &LearnerId, outcome: Move, reason: String) -> Self {
        Self {
            tenant: owner.tenant().to_owned(),
            learner: owner.learner().to_owned(),
            lessons: None,
            runs: None,
            errors: None,
            records: None,
            outcome,
            reason: Some(reason),
        }
    }
}

impl From<CopiedLessons> for MovedLessons {
    fn from(copied: CopiedLessons) -> Self {
        let outcome = if copied.was_there {
            Move::Equal
        } else {
            Move::Moved
        };
        Self {
            tenant: copied.owner.tenant().to_owned(),
            learner: copied.owner.learner().to_owned(),
            lessons: Some(copied.lessons),
            runs: Some(copied.runs),
            errors: Some(copied.errors),
            records: Some(copied.records),
            outcome,
            reason: None,
        }
    }
}
