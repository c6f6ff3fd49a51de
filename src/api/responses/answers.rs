//! The answers of the smaller verbs: listings, feedback, erase, replay, policy.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{BulletResponse, DeltaApplied, DeltaRow, MemoryRow};
use crate::api::schema::Id;
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::policy::Policy;
use crate::engine::{
    BulletPage, FeedbackGiven, FieldChange, MemoryPolicy, Mismatch, PolicyChanged, ReplayComparison,
};

/// Deltas, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DeltasResponse {
    /// The deltas, newest first.
    pub deltas: Vec<DeltaRow>,
}

/// Bullets of a memory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletsResponse {
    /// The bullets.
    pub bullets: Vec<BulletResponse>,
    /// How many there are, also beyond the limit of this listing.
    pub total: usize,
    /// How many of all these somebody learned.
    pub learned: usize,
    /// Seed bullets that were left out.
    pub advice_left_out: usize,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
}

impl From<BulletPage> for BulletsResponse {
    fn from(page: BulletPage) -> Self {
        Self {
            bullets: page.bullets.iter().map(BulletResponse::from).collect(),
            total: page.total,
            learned: page.learned,
            advice_left_out: page.seeds_left_out,
            revision: page.revision,
            clock: page.clock,
        }
    }
}

/// Memories of a tenant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MemoriesResponse {
    /// The memories, by learner and scope.
    pub memories: Vec<MemoryRow>,
    /// Learners who have lessons and no memory.
    pub lessons_only: Vec<String>,
}

/// What feedback did.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ReplayResponse {
    /// True when both digests agree and no event came to something else.
    pub sound: bool,
    /// State digest as stored.
    pub digest: String,
    /// State digest that the events lead to.
    pub replayed_digest: String,
    /// Content digest as stored.
    pub content_digest: String,
    /// Content digest that the events lead to.
    pub replayed_content_digest: String,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
    /// Clock of the checkpoint that the replay began at.
    pub from_clock: u64,
    /// Events that were replayed, retrievals included.
    pub events: u64,
    /// Deltas among them.
    pub deltas: u64,
    /// Events that came to something else than their receipts say.
    pub mismatches: Vec<MismatchResponse>,
}

impl From<&ReplayComparison> for ReplayResponse {
    fn from(compared: &ReplayComparison) -> Self {
        Self {
            sound: compared.is_sound,
            digest: compared.digest.clone(),
            replayed_digest: compared.replayed_digest.clone(),
            content_digest: compared.content_digest.clone(),
            replayed_content_digest: compared.replayed_content_digest.clone(),
            revision: compared.revision,
            clock: compared.clock,
            from_clock: compared.from_clock,
            events: compared.events,
            deltas: compared.deltas,
            mismatches: compared
                .mismatches
                .iter()
                .map(MismatchResponse::from)
                .collect(),
        }
    }
}

/// An event that came to something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MismatchResponse {
    /// Tick of the event.
    pub tick: u64,
    /// Its delta; null for a retrieval.
    #[schemars(with = "Option<Id>")]
    pub delta: Option<DeltaId>,
    /// What differs.
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
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PolicyResponse {
    /// The fields.
    #[schemars(with = "Value")]
    pub policy: Policy,
    /// True: the policy of the memory. False: there is no memory yet, and it would begin with this one.
    pub stored: bool,
    /// Revision of the memory; null where there is none.
    pub revision: Option<u64>,
}

impl From<MemoryPolicy> for PolicyResponse {
    fn from(found: MemoryPolicy) -> Self {
        Self {
            policy: found.policy,
            stored: found.revision.is_some(),
            revision: found.revision,
        }
    }
}

/// What a change of policy did.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PolicyChangedResponse {
    /// The delta that carries it.
    #[serde(flatten)]
    pub applied: DeltaApplied,
    /// Field by field, such as `floor 0.15 -> 0.2`; empty where all was as it is.
    pub changes: Vec<String>,
}

impl From<PolicyChanged> for PolicyChangedResponse {
    fn from(changed: PolicyChanged) -> Self {
        Self {
            applied: changed.applied.into(),
            changes: changed.changes.iter().map(FieldChange::to_string).collect(),
        }
    }
}

/// A policy as fields, for listings and comparisons.
pub fn policy_fields(policy: &Policy) -> Map<String, Value> {
    match serde_json::to_value(policy) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    }
}
