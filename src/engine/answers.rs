//! The answers of the memory verbs, as plain types.
//!
//! They stand below the actors, which fill them in, and the verbs, which hand them out.

use crate::domain::memory::bullet::{BulletId, Status};
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::receipt::{Changes, Receipt};
use crate::domain::memory::upgrade::UpgradeReport;
use crate::domain::redact::Redactions;
use crate::domain::timestamp::Timestamp;

/// The answer to a delta.
#[derive(Clone, PartialEq, Debug)]
pub struct AppliedDelta {
    /// What it did.
    pub receipt: Receipt,
    /// True when it had been applied before, and nothing was changed now.
    pub repeated: bool,
    /// What became of it since then, when it had been applied before.
    pub since: Since,
    /// Number of its operations.
    pub operations: usize,
    /// What it changed; empty when repeated.
    pub changes: Changes,
    /// The secrets that were taken out of the delta.
    pub redacted: Redactions,
    /// Bullets that a REMOVE named.
    pub(super) removed: Vec<BulletId>,
}

impl AppliedDelta {
    /// A delta that was applied before; nothing was changed now.
    pub(crate) fn repeated(receipt: Receipt) -> Self {
        Self {
            receipt,
            operations: 0,
            repeated: true,
            since: Since::default(),
            changes: Changes::default(),
            redacted: Redactions::default(),
            removed: Vec::new(),
        }
    }
}

/// What became of the work of a delta.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// The undo that took it back; absent while it stands.
    pub undone_by: Option<UndoneBy>,
    /// Bullets whose status is no longer the one that the delta left, ascending by id.
    pub bullets: Vec<BulletNow>,
}

impl Since {
    /// True when all is as the delta left it.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A bullet whose status has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BulletNow {
    /// The bullet.
    pub id: BulletId,
    /// As the delta left it.
    pub was: Status,
    /// As it is.
    pub status: Status,
    /// What it was merged into.
    pub merged_into: Option<BulletId>,
}

/// The undo that took a delta back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoneBy {
    /// The undo.
    pub delta: DeltaId,
    /// The revision that it made.
    pub revision: u64,
    /// When.
    pub at: Timestamp,
}

/// A memory that was brought to newer rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Upgraded {
    /// Which.
    pub key: MemoryKey,
    /// What the newer rules mean to it.
    pub report: UpgradeReport,
    /// The delta that did it.
    pub applied: AppliedDelta,
}
