//! The answer to a delta: its receipt, and for a repeated one the later changes.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use crate::schema::{Id, Time, Word};
use hindlore::{AppliedDelta, Since};
use hindlore_domain::memory::bullet::{BulletId, Status};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::receipt::{Changes, Linked, Merged, Refused};
use hindlore_primitives::timestamp::Timestamp;

/// Outcome of a delta.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeltaOutcome {
    /// It changed the memory.
    Applied,
    /// It was applied before; nothing changed now.
    Repeated,
    /// All operations were refused.
    Refused,
    /// There was nothing to change.
    Unchanged,
}

impl DeltaOutcome {
    /// The outcome of a delta.
    pub fn from_applied(applied: &AppliedDelta) -> Self {
        if applied.repeated {
            return Self::Repeated;
        }
        if is_refused(applied) {
            return Self::Refused;
        }
        if applied.changes == Changes::default() {
            Self::Unchanged
        } else {
            Self::Applied
        }
    }
}

/// True if all operations were refused, now or when first applied.
pub fn is_refused(applied: &AppliedDelta) -> bool {
    let refused = applied.receipt.refused.iter();
    let refused: BTreeSet<usize> = refused.map(|one| one.operation).collect();
    !refused.is_empty() && refused.len() >= applied.operations
}

/// The answer to a delta.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DeltaApplied {
    /// Id of the delta.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// Its outcome.
    pub outcome: DeltaOutcome,
    /// Revision of the memory after it.
    pub revision: u64,
    /// Clock of the memory after it.
    pub clock: u64,
    /// State digest after it.
    pub digest: String,
    /// Content digest after it.
    pub content_digest: String,
    /// True if the delta was applied before and nothing changed now.
    pub repeated: bool,
    /// Later changes; null unless it was applied before.
    pub since: Option<SinceResponse>,
    /// Bullets added.
    #[schemars(with = "Vec<Id>")]
    pub added: Vec<BulletId>,
    /// Bullets changed.
    #[schemars(with = "Vec<Id>")]
    pub updated: Vec<BulletId>,
    /// Bullets archived: removed, pruned, expired, harmful, or merged.
    #[schemars(with = "Vec<Id>")]
    pub archived: Vec<BulletId>,
    /// Bullets revived.
    #[schemars(with = "Vec<Id>")]
    pub revived: Vec<BulletId>,
    /// Bullets rejected.
    #[schemars(with = "Vec<Id>")]
    pub rejected: Vec<BulletId>,
    /// Texts merged into other bullets.
    pub merged: Vec<MergedResponse>,
    /// Bullets linked: kept apart by the guard, or a newer value with an older one.
    pub linked: Vec<LinkedResponse>,
    /// Operations not applied, with reasons.
    pub refused: Vec<RefusedResponse>,
    /// Notes on replaced input.
    pub notes: Vec<String>,
    /// Secrets redacted from the delta; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
    /// True if all operations were refused, now or when first applied.
    #[serde(skip)]
    pub is_refused: bool,
}

impl From<AppliedDelta> for DeltaApplied {
    fn from(applied: AppliedDelta) -> Self {
        let (outcome, is_refused) = (DeltaOutcome::from_applied(&applied), is_refused(&applied));
        let redacted = RedactedResponse::from_redactions(&applied.redacted);
        let receipt = applied.receipt;
        Self {
            delta: receipt.delta,
            outcome,
            revision: receipt.revision,
            clock: receipt.clock,
            digest: receipt.digest,
            content_digest: receipt.content_digest,
            repeated: applied.repeated,
            since: applied.repeated.then(|| SinceResponse::from(applied.since)),
            added: receipt.added,
            updated: receipt.updated,
            archived: receipt.archived,
            revived: receipt.revived,
            rejected: receipt.rejected,
            merged: receipt.merged.into_iter().map(Into::into).collect(),
            linked: receipt.linked.into_iter().map(Into::into).collect(),
            refused: receipt.refused.into_iter().map(Into::into).collect(),
            notes: Vec::new(),
            redacted,
            is_refused,
        }
    }
}

/// A bullet merged into another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MergedResponse {
    /// The surviving bullet.
    #[schemars(with = "Id")]
    pub into: BulletId,
    /// The merged bullet; the survivor itself if an equal text reinforced it without a new bullet.
    #[schemars(with = "Id")]
    pub from: BulletId,
}

impl From<Merged> for MergedResponse {
    fn from(merged: Merged) -> Self {
        Self {
            into: merged.into,
            from: merged.from,
        }
    }
}

/// Two bullets linked by a delta.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LinkedResponse {
    /// `SIMILAR_TO`, `CONFLICTS_WITH` or `SUPERSEDES`.
    #[schemars(with = "Word<LinkKind>")]
    pub kind: LinkKind,
    /// One bullet; of `SUPERSEDES` the newer one.
    #[schemars(with = "Id")]
    pub from: BulletId,
    /// The other bullet.
    #[schemars(with = "Id")]
    pub to: BulletId,
    /// The difference that kept them apart, or the old and the new value.
    pub reason: String,
}

impl From<Linked> for LinkedResponse {
    fn from(linked: Linked) -> Self {
        Self {
            kind: linked.kind,
            from: linked.from,
            to: linked.to,
            reason: linked.reason,
        }
    }
}

/// An operation that was not applied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RefusedResponse {
    /// Index of the operation in its delta, from 0.
    pub operation: usize,
    /// The reason and the remedy.
    pub reason: String,
}

impl From<Refused> for RefusedResponse {
    fn from(refused: Refused) -> Self {
        Self {
            operation: refused.operation,
            reason: refused.reason,
        }
    }
}

/// The present state of the changes of a delta.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SinceResponse {
    /// The undo in force; null while the delta is in force.
    pub undone_by: Option<UndoneByResponse>,
    /// Bullets whose status is no longer as the delta left it.
    pub bullets: Vec<BulletNowResponse>,
}

/// The undo of a delta.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct UndoneByResponse {
    /// Id of the undoing delta.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// Revision it made.
    pub revision: u64,
    /// When it was applied.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

/// A bullet whose status changed since a delta.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BulletNowResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Status that the delta left.
    #[schemars(with = "Word<Status>")]
    pub was: Status,
    /// Present status.
    #[schemars(with = "Word<Status>")]
    pub status: Status,
    /// The bullet it was merged into; null: none.
    #[schemars(with = "Option<Id>")]
    pub merged_into: Option<BulletId>,
}

impl From<Since> for SinceResponse {
    fn from(since: Since) -> Self {
        let bullets = since.bullets.into_iter().map(|one| BulletNowResponse {
            id: one.id,
            was: one.was,
            status: one.status,
            merged_into: one.merged_into,
        });
        Self {
            undone_by: since.undone_by.map(|by| UndoneByResponse {
                delta: by.delta,
                revision: by.revision,
                at: by.at,
            }),
            bullets: bullets.collect(),
        }
    }
}
