//! The answers of the memory verbs, as plain types.
//!
//! They sit below the actors, which fill them in, and the verbs, which return them.

use hindlore_domain::memory::bullet::{BulletId, Status};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::receipt::{Changes, Receipt};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;

/// The answer to a delta.
#[derive(Clone, PartialEq, Debug)]
pub struct AppliedDelta {
    /// The receipt.
    pub receipt: Receipt,
    /// True if it was applied before, and nothing changed now.
    pub repeated: bool,
    /// Later changes, if it was applied before.
    pub since: Since,
    /// Number of operations.
    pub operations: usize,
    /// Its changes; empty if repeated.
    pub changes: Changes,
    /// Secrets removed from the delta.
    pub redacted: Redactions,
    /// Active bullets that count against the limit, after it; 0 if repeated.
    pub(crate) active: u64,
    /// Bullets named by a REMOVE.
    pub(crate) removed: Vec<BulletId>,
}

impl AppliedDelta {
    /// A delta that was applied before and changes nothing now.
    pub fn repeated(receipt: Receipt) -> Self {
        Self {
            receipt,
            operations: 0,
            repeated: true,
            since: Since::default(),
            changes: Changes::default(),
            redacted: Redactions::default(),
            active: 0,
            removed: Vec::new(),
        }
    }
}

/// The present state of the changes of a delta.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// The undo in force; absent while the delta is in force.
    pub undone_by: Option<UndoneBy>,
    /// Bullets whose status is no longer as the delta left it, ascending by id.
    pub bullets: Vec<BulletNow>,
}

impl Since {
    /// True if everything is as the delta left it.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A bullet whose status changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BulletNow {
    /// The bullet.
    pub id: BulletId,
    /// Status that the delta left.
    pub was: Status,
    /// Present status.
    pub status: Status,
    /// The bullet it was merged into.
    pub merged_into: Option<BulletId>,
}

/// The undo of a delta.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoneBy {
    /// Id of the undoing delta.
    pub delta: DeltaId,
    /// Revision it made.
    pub revision: u64,
    /// Time of the undo.
    pub at: Timestamp,
}
