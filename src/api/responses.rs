//! The JSON answers of all surfaces, with field names that programs rely on.
//!
//! Fields may be added, but none is renamed or removed. Each shape is built from the inner type in one place,
//! so that the command line and HTTP show the same.

pub mod activations;
pub mod agents;
pub mod analyzed;
mod answers;
mod applied;
pub mod browser;
pub mod catalog;
pub mod compared;
pub mod conflicts;
pub mod consolidation;
pub mod decisions;
pub mod demo;
mod detail;
pub mod doctor;
pub mod embeddings;
pub mod ended;
mod erasing;
pub mod errors;
pub mod events;
mod exported;
pub mod figures;
pub mod graph;
mod imported;
pub mod keys;
pub mod lesson_answers;
pub mod lessons;
pub mod migrated;
pub mod notes;
pub mod place;
pub mod playbooks;
mod prompt;
pub mod proofs;
pub mod proposals;
pub mod reading;
mod redacted;
pub mod reflections;
mod retrieval;
pub mod runs;
pub mod serve;
pub mod sessions;
pub mod settings;
pub mod sharing;
pub mod status;
pub mod trajectories;

use schemars::JsonSchema;
use serde::Serialize;

pub use answers::{
    BulletsResponse, DeltasResponse, FeedbackResponse, MemoriesResponse, MismatchResponse,
    PolicyChangedResponse, PolicyResponse, ReplayResponse, policy_fields,
};
pub use applied::{
    BulletNowResponse, DeltaApplied, DeltaOutcome, LinkedResponse, MergedResponse, RefusedResponse,
    SinceResponse, UndoneByResponse, is_refused,
};
pub use detail::{ChangeResponse, DetailResponse, LinkResponse, UsageResponse};
pub use erasing::{
    CountsResponse, EraseReceiptResponse, EraseReceiptsResponse, ErasedResponse, KeptResponse,
    NotWipedResponse, RemainsResponse, WipedResponse,
};
pub use exported::{ExportContents, ExportFileResponse, ExportResponse};
pub use imported::{
    FailuresResponse, FileReason, FilesImported, ImportResponse, Imported, LessonsImportedResponse,
    LessonsRestoredResponse,
};
pub use prompt::PromptResponse;
pub use redacted::RedactedResponse;
pub use retrieval::{
    AdviceResponse, NearMissResponse, PartsResponse, ResultResponse, RetrievalResponse,
    StandingResponse,
};

use super::import::BadLine;
use crate::schema::{Id, Time, Word};
use hindlore::{LoggedDelta, MemoryStatus, undoes};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Kind, MemoryType, Source, Status};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::DeltaRecord;
use hindlore_store::maintenance::MemorySummary;

/// The digests of a memory, and its position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DigestResponse {
    /// State digest of all bullets; equal states have equal digests.
    pub digest: String,
    /// Content digest of the active and rejected bullets.
    pub content_digest: String,
    /// Number of deltas applied.
    pub revision: u64,
    /// Ticks so far: one per delta and recorded retrieval.
    pub clock: u64,
    /// Active bullets.
    pub active: u64,
    /// Archived bullets.
    pub archived: u64,
    /// Rejected bullets.
    pub rejected: u64,
}

impl From<MemoryStatus> for DigestResponse {
    fn from(status: MemoryStatus) -> Self {
        Self {
            digest: status.digest,
            content_digest: status.content_digest,
            revision: status.revision,
            clock: status.clock,
            active: status.status_counts.active,
            archived: status.status_counts.archived,
            rejected: status.status_counts.rejected,
        }
    }
}

/// A line of an imported file, with a remark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LineReason {
    /// Line of the file, from 1.
    pub line: u64,
    /// The remark.
    pub reason: String,
}

impl From<BadLine> for LineReason {
    fn from(bad: BadLine) -> Self {
        Self {
            line: bad.line,
            reason: bad.reason,
        }
    }
}

/// A bullet in a listing, a search, or on its own.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub content: String,
    /// How fast it fades: semantic, episodic or procedural.
    #[schemars(with = "Word<MemoryType>")]
    pub memory_type: MemoryType,
    /// Kind of advice.
    #[schemars(with = "Word<Kind>")]
    pub kind: Kind,
    /// Its status.
    #[schemars(with = "Word<Status>")]
    pub status: Status,
    /// Its tags, without memory types.
    pub tags: Vec<String>,
    /// Helpful votes.
    pub helpful: u64,
    /// Harmful votes.
    pub harmful: u64,
    /// Neutral votes.
    pub neutral: u64,
    /// Section heading; null: none.
    pub section: Option<String>,
    /// Topic; null: none.
    pub topic: Option<String>,
    /// Concept within the topic; null: none.
    pub concept: Option<String>,
    /// True: it neither expires nor is archived to make room.
    pub pinned: bool,
    /// Weight given by its author, in 0..=1.
    pub importance: f64,
    /// Its origin.
    #[schemars(with = "Word<Source>")]
    pub source: Source,
    /// Strength at its last use, from which it decays; 0 or more.
    pub strength: f64,
    /// Tick of its last touch; null: it has not begun to decay.
    pub access_index: Option<u64>,
    /// When it was last used; null: never.
    #[schemars(with = "Option<Time>")]
    pub last_used: Option<Timestamp>,
    /// When it was created.
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    /// Tick of its creation.
    pub created_tick: u64,
    /// Tick of the last event that changed or touched it.
    pub changed_tick: u64,
    /// Days after which it is no longer returned; null: no limit.
    pub ttl_days: Option<u32>,
    /// SHA-256 hex of its normalised text.
    pub content_hash: String,
    /// Id in another program; null: none.
    pub legacy_id: Option<String>,
    /// The bullet it was merged into; null: none.
    #[schemars(with = "Option<Id>")]
    pub merged_into: Option<BulletId>,
    /// True for a seed bullet: general advice that came with the memory.
    pub planted: bool,
}

impl From<&Bullet> for BulletResponse {
    fn from(bullet: &Bullet) -> Self {
        Self {
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
            memory_type: bullet.memory_type,
            kind: bullet.kind,
            status: bullet.status,
            tags: bullet.tags.clone(),
            helpful: bullet.counts.helpful,
            harmful: bullet.counts.harmful,
            neutral: bullet.counts.neutral,
            section: bullet.section.clone(),
            topic: bullet.topic.clone(),
            concept: bullet.concept.clone(),
            pinned: bullet.pinned,
            importance: bullet.importance,
            source: bullet.source,
            strength: bullet.strength,
            access_index: bullet.access_index,
            last_used: bullet.last_used,
            created_at: bullet.created_at,
            created_tick: bullet.created_tick,
            changed_tick: bullet.changed_tick,
            ttl_days: bullet.ttl_days,
            content_hash: bullet.content_hash().to_hex(),
            legacy_id: bullet.legacy_id.clone(),
            merged_into: bullet.merged_into,
            planted: bullet.is_seed(),
        }
    }
}

/// An applied delta in the log; its receipt's lists as counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DeltaRow {
    /// Id of the delta.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// Revision it made.
    pub revision: u64,
    /// Its tick.
    pub clock: u64,
    /// When it was applied.
    #[schemars(with = "Time")]
    pub at: Timestamp,
    /// Person or agent who wrote it; null: unnamed.
    pub author: Option<String>,
    /// Engine instance that applied it.
    pub instance: String,
    /// Version of that engine.
    pub engine_version: String,
    /// Its author's reasons; null: none given.
    pub reasoning: Option<String>,
    /// The delta it undoes.
    #[schemars(with = "Option<Id>")]
    pub undoes: Option<DeltaId>,
    /// The undo in force.
    #[schemars(with = "Option<Id>")]
    pub undone_by: Option<DeltaId>,
    /// State digest after it.
    pub digest: String,
    /// Bullets added.
    pub added: usize,
    /// Bullets changed.
    pub updated: usize,
    /// Bullets archived.
    pub archived: usize,
    /// Bullets revived.
    pub revived: usize,
    /// Bullets rejected.
    pub rejected: usize,
    /// Texts merged into other bullets.
    pub merged: usize,
    /// Pairs of similar bullets kept apart.
    pub linked: usize,
    /// Operations not applied.
    pub refused: usize,
}

impl From<&DeltaRecord> for DeltaRow {
    fn from(record: &DeltaRecord) -> Self {
        let receipt = &record.receipt;
        Self {
            delta: record.id.clone(),
            revision: record.revision,
            clock: record.tick,
            at: record.at,
            author: record.origin.author.clone(),
            instance: record.origin.instance.clone(),
            engine_version: record.origin.engine_version.clone(),
            reasoning: record.reasoning.clone(),
            undoes: undoes(record),
            undone_by: None,
            digest: receipt.digest.clone(),
            added: receipt.added.len(),
            updated: receipt.updated.len(),
            archived: receipt.archived.len(),
            revived: receipt.revived.len(),
            rejected: receipt.rejected.len(),
            merged: receipt.merged.len(),
            linked: receipt.linked.len(),
            refused: receipt.refused.len(),
        }
    }
}

impl From<&LoggedDelta> for DeltaRow {
    fn from(logged: &LoggedDelta) -> Self {
        Self {
            undone_by: logged.undone_by.clone(),
            ..Self::from(&logged.record)
        }
    }
}

/// A memory in a listing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MemoryRow {
    /// Tenant.
    pub tenant: String,
    /// Learner.
    pub learner: String,
    /// Scope.
    pub scope: String,
    /// Number of deltas applied.
    pub revision: Option<u64>,
    /// Ticks so far.
    pub clock: Option<u64>,
    /// Active bullets.
    pub active: u64,
    /// Archived bullets.
    pub archived: u64,
    /// Rejected bullets.
    pub rejected: u64,
    /// Mode of its policy: `engine` or `classic`.
    pub mode: Option<&'static str>,
    /// When it was created.
    #[schemars(with = "Option<Time>")]
    pub created_at: Option<Timestamp>,
    /// Why the memory cannot be read; its numbers are then absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

impl From<&MemorySummary> for MemoryRow {
    fn from(summary: &MemorySummary) -> Self {
        let (key, head) = (&summary.key, summary.head.as_ref().ok());
        Self {
            tenant: key.tenant().to_owned(),
            learner: key.learner().to_owned(),
            scope: key.scope().to_owned(),
            revision: head.map(|head| head.position.revision),
            clock: head.map(|head| head.position.clock),
            active: summary.active,
            archived: summary.archived,
            rejected: summary.rejected,
            mode: head.map(|head| head.policy.mode.word()),
            created_at: head.map(|head| head.created_at),
            unreadable: summary.head.as_ref().err().cloned(),
        }
    }
}

#[cfg(test)]
mod tests;
