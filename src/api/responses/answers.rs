//! Answers of the smaller verbs: listings, feedback, replay, policy.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{BulletResponse, DeltaApplied, DeltaRow, MemoryRow};
use crate::schema::Id;
use hindlore::{
    BulletPage, FeedbackGiven, FieldChange, MemoryPolicy, Mismatch, PolicyChanged, ReplayComparison,
};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::policy::Policy;

/// Deltas, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DeltasResponse {
    /// The deltas, newest first.
    pub deltas: Vec<DeltaRow>,
    /// Value of `after` for the next page; null at the end.
    pub next: Option<String>,
}

/// Bullets of a memory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletsResponse {
    /// The bullets.
    pub bullets: Vec<BulletResponse>,
    /// Number of matches, beyond the limit as well.
    pub total: usize,
    /// How many of them were learned.
    pub learned: usize,
    /// Seed bullets left out.
    pub advice_left_out: usize,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
    /// Where the next page begins; to be handed back as `after`. Null at the end.
    pub next: Option<String>,
}

impl BulletsResponse {
    /// A page, with the cursor of its last bullet if more follow.
    pub fn new(page: &BulletPage, cursor: impl FnOnce(&Bullet) -> String) -> Self {
        Self {
            next: page.next.as_ref().map(cursor),
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
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
    /// Learners with lessons but no memory.
    pub lessons_only: Vec<String>,
}

/// The result of feedback.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FeedbackResponse {
    /// The retrieval.
    pub retrieval: String,
    /// Number of bullets marked.
    pub marked: usize,
    /// Deltas with the votes.
    pub deltas: Vec<DeltaApplied>,
}

impl FeedbackResponse {
    /// The answer to feedback on `retrieval`.
    pub fn new(retrieval: String, given: FeedbackGiven) -> Self {
        let applied = given.applied.into_iter();
        Self {
            retrieval,
            marked: given.marked,
            deltas: applied.map(DeltaApplied::from).collect(),
        }
    }
}

/// A memory compared with a replay of its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ReplayResponse {
    /// True if both digests agree and every event was decided as recorded.
    pub sound: bool,
    /// State digest as stored.
    pub digest: String,
    /// State digest of the replay.
    pub replayed_digest: String,
    /// Content digest as stored.
    pub content_digest: String,
    /// Content digest of the replay.
    pub replayed_content_digest: String,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
    /// Clock at which the replay began.
    pub from_clock: u64,
    /// Events replayed, including retrievals.
    pub events: u64,
    /// Deltas among them.
    pub deltas: u64,
    /// Events whose decision differs from their receipts.
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

/// An event decided otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MismatchResponse {
    /// Tick of the event.
    pub tick: u64,
    /// Its delta; null for a retrieval.
    #[schemars(with = "Option<Id>")]
    pub delta: Option<DeltaId>,
    /// The difference.
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
    /// True: the memory's policy. False: the policy that a new memory would start with.
    pub stored: bool,
    /// Revision of the memory; null if there is none.
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

/// The result of a policy change.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PolicyChangedResponse {
    /// The delta of the change.
    #[serde(flatten)]
    pub applied: DeltaApplied,
    /// Changed fields, such as `floor 0.1 -> 0.2`; empty if all were the same.
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
