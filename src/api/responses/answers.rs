//! The answers of the smaller verbs: listings, feedback, erase, replay, policy.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{BulletResponse, DeltaApplied, DeltaRow, MemoryRow};
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::policy::Policy;
use crate::engine::{FeedbackGiven, Mismatch};

/// Deltas, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the field is the listing")]
pub struct DeltasResponse {
    pub deltas: Vec<DeltaRow>,
}

/// Bullets of a memory.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BulletsResponse {
    /// The bullets.
    pub bullets: Vec<BulletResponse>,
    /// How many there are, also beyond the limit of this listing.
    pub total: usize,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
}

/// Memories of a tenant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the field is the listing")]
pub struct MemoriesResponse {
    pub memories: Vec<MemoryRow>,
    /// Learners who have lessons and no memory.
    pub lessons_only: Vec<String>,
}

/// What feedback did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FeedbackResponse {
    /// The retrieval.
    pub retrieval: String,
    /// Number of bullets that were marked.
    pub marked: usize,
    /// The deltas that carry the votes.
    pub deltas: Vec<DeltaApplied>,
}

impl FeedbackResponse {
    /// What feedback on `retrieval` did.
    pub fn of(retrieval: String, given: FeedbackGiven) -> Self {
        let applied = given.applied.into_iter();
        Self {
            retrieval,
            marked: given.marked,
            deltas: applied.map(DeltaApplied::from).collect(),
        }
    }
}

/// A memory beside what its events make of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct ReplayResponse {
    /// True when both digests agree and no event came to something else.
    pub sound: bool,
    pub digest: String,
    pub replayed_digest: String,
    pub content_digest: String,
    pub replayed_content_digest: String,
    pub revision: u64,
    pub clock: u64,
    /// Clock of the checkpoint that the replay began at.
    pub from_clock: u64,
    pub events: u64,
    pub deltas: u64,
    pub mismatches: Vec<MismatchResponse>,
}

/// An event that came to something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of a mismatch")]
pub struct MismatchResponse {
    pub tick: u64,
    pub delta: Option<DeltaId>,
    pub reason: String,
}

impl From<&Mismatch> for MismatchResponse {
    fn from(mismatch: &Mismatch) -> Self {
        Self {
            tick: mismatch.tick,
            delta: mismatch.delta.clone(),
            reason: mismatch.reason.clone(),
        }
    }
}

/// A policy, and whether a memory has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PolicyResponse {
    /// The fields.
    pub policy: Policy,
    /// True: the policy of the memory. False: there is no memory yet, and it would begin with this one.
    pub stored: bool,
    /// Revision of the memory; null where there is none.
    pub revision: Option<u64>,
}

/// A policy as fields, for listings and comparisons.
pub fn policy_fields(policy: &Policy) -> Map<String, Value> {
    match serde_json::to_value(policy) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    }
}
