//! The JSON that surfaces answer with: field names that programs rely on.
//!
//! More fields may be added, none is renamed or removed. Every shape is made from the inner type in one
//! place, so that the command line and HTTP show the same.

mod answers;
mod applied;
mod detail;
mod erasing;
mod exported;
pub mod figures;
mod imported;
pub mod lesson_answers;
pub mod lessons;
mod redacted;
mod retrieval;
pub mod runs;

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
    CountsResponse, EraseReceiptResponse, EraseReceiptsResponse, ErasedResponse, NotWipedResponse,
    RemainsResponse, WipedResponse,
};
pub use exported::{ExportContents, ExportFileResponse, ExportResponse};
pub use imported::{ImportResponse, Imported, LessonsImportedResponse, LessonsRestoredResponse};
pub use redacted::RedactedResponse;
pub use retrieval::{
    AdviceResponse, NearMissResponse, PartsResponse, PromptResponse, ResultResponse,
    RetrievalResponse, StandingResponse,
};

use super::import::BadLine;
use crate::api::schema::{Id, Time, Word};
use crate::domain::memory::bullet::{Bullet, BulletId, Kind, MemoryType, Source, Status};
use crate::domain::memory::delta::DeltaId;
use crate::domain::timestamp::Timestamp;
use crate::engine::{LoggedDelta, MemoryStatus, undoes};
use crate::store::DeltaRecord;
use crate::store::maintenance::MemorySummary;

/// The digests of a memory and where it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct DigestResponse {
    pub digest: String,
    pub content_digest: String,
    pub revision: u64,
    pub clock: u64,
    pub active: u64,
    pub archived: u64,
    pub rejected: u64,
}

impl From<MemoryStatus> for DigestResponse {
    fn from(status: MemoryStatus) -> Self {
        Self {
            digest: status.digest,
            content_digest: status.content_digest,
            revision: status.revision,
            clock: status.clock,
            active: status.census.active,
            archived: status.census.archived,
            rejected: status.census.rejected,
        }
    }
}

/// A line of an imported file and what is to be said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LineReason {
    /// Line of the file, from 1.
    pub line: u64,
    /// Why.
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

/// One bullet in a listing, a search or on its own.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub struct BulletResponse {
    #[schemars(with = "Id")]
    pub id: BulletId,
    pub content: String,
    #[schemars(with = "Word<MemoryType>")]
    pub memory_type: MemoryType,
    #[schemars(with = "Word<Kind>")]
    pub kind: Kind,
    #[schemars(with = "Word<Status>")]
    pub status: Status,
    pub tags: Vec<String>,
    pub helpful: u64,
    pub harmful: u64,
    pub neutral: u64,
    pub section: Option<String>,
    pub topic: Option<String>,
    pub concept: Option<String>,
    pub pinned: bool,
    pub importance: f64,
    #[schemars(with = "Word<Source>")]
    pub source: Source,
    pub strength: f64,
    pub access_index: Option<u64>,
    #[schemars(with = "Option<Time>")]
    pub last_used: Option<Timestamp>,
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    pub created_tick: u64,
    pub changed_tick: u64,
    pub ttl_days: Option<u32>,
    pub content_hash: String,
    pub legacy_id: Option<String>,
    #[schemars(with = "Option<Id>")]
    pub merged_into: Option<BulletId>,
    /// General advice that came with the memory: nobody here learned it or voted on it.
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
            planted: bullet.is_planted(),
        }
    }
}

/// One applied delta in the log; the lists of its receipt as numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a delta record")]
pub struct DeltaRow {
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    pub revision: u64,
    /// Its tick.
    pub clock: u64,
    #[schemars(with = "Time")]
    pub at: Timestamp,
    pub author: Option<String>,
    pub instance: String,
    pub engine_version: String,
    pub reasoning: Option<String>,
    /// The delta that it undoes.
    #[schemars(with = "Option<Id>")]
    pub undoes: Option<DeltaId>,
    /// The undo that took it back.
    #[schemars(with = "Option<Id>")]
    pub undone_by: Option<DeltaId>,
    pub digest: String,
    pub added: usize,
    pub updated: usize,
    pub archived: usize,
    pub revived: usize,
    pub rejected: usize,
    pub merged: usize,
    pub linked: usize,
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

/// One memory in a listing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a memory")]
pub struct MemoryRow {
    pub tenant: String,
    pub learner: String,
    pub scope: String,
    pub revision: Option<u64>,
    pub clock: Option<u64>,
    pub active: u64,
    pub archived: u64,
    pub rejected: u64,
    pub mode: Option<&'static str>,
    #[schemars(with = "Option<Time>")]
    pub created_at: Option<Timestamp>,
    /// What of the memory cannot be read; then its numbers are absent.
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
