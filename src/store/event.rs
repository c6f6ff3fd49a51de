//! The events of a memory as stored: deltas with their receipts, retrievals with their marks.

use std::sync::Arc;

use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{DeltaId, Origin};
use hindlore_domain::memory::policy::{Policy, Profile};
use hindlore_domain::memory::receipt::{ChangeRecord, Receipt};
use hindlore_primitives::timestamp::Timestamp;

/// One applied delta.
#[derive(Clone, PartialEq, Debug)]
pub struct DeltaRecord {
    /// Its id, unique in the memory.
    pub id: DeltaId,
    /// Its tick.
    pub tick: u64,
    /// Revision after it.
    pub revision: u64,
    /// When it was applied: the "now" of its decisions.
    pub at: Timestamp,
    /// Its author and origin.
    pub origin: Origin,
    /// Why.
    pub reasoning: Option<String>,
    /// The stored body (JSON), shared because an import's body can be large.
    pub body: Arc<String>,
    /// SHA-256 hex of the body.
    pub body_digest: String,
    /// The answer to its caller.
    pub receipt: Receipt,
    /// Changes of bullets, ascending by bullet.
    pub changes: Vec<ChangeRecord>,
    /// The policy before it; set only when the delta changed the policy.
    pub policy_before: Option<Policy>,
}

/// One retrieval that returned something.
#[derive(Clone, PartialEq, Debug)]
pub struct RetrievalRecord {
    /// Its id, unique in the memory.
    pub id: String,
    /// Its tick.
    pub tick: u64,
    /// Revision of the memory when it was ranked.
    pub revision: u64,
    /// Clock of the memory when it was ranked.
    pub ranked_at: u64,
    /// When it was asked.
    pub at: Timestamp,
    /// The scoring profile.
    pub profile: Profile,
    /// The query text.
    pub query: String,
    /// The other parameters (JSON).
    pub parameters: String,
    /// The returned bullets, best first.
    pub returned: Vec<Returned>,
}

/// One returned bullet with its feedback marks.
#[derive(Clone, PartialEq, Debug)]
pub struct Returned {
    /// The bullet.
    pub bullet: BulletId,
    /// Its score.
    pub score: f64,
    /// It was put into a prompt.
    pub injected: bool,
    /// The agent used it.
    pub used: bool,
    /// It helped.
    pub helped: bool,
    /// It did harm.
    pub harmed: bool,
    /// The agent passed it over.
    pub ignored: bool,
}

/// Feedback on one returned bullet. Marks are only ever set, never cleared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The retrieval.
    pub retrieval: String,
    /// The bullet.
    pub bullet: BulletId,
    /// It was put into a prompt.
    pub injected: bool,
    /// The agent used it.
    pub used: bool,
    /// It helped.
    pub helped: bool,
    /// It did harm.
    pub harmed: bool,
    /// The agent passed it over.
    pub ignored: bool,
}

impl Mark {
    /// A mark with no flag set.
    pub fn on(retrieval: &str, bullet: BulletId) -> Self {
        Self {
            retrieval: retrieval.to_owned(),
            bullet,
            injected: false,
            used: false,
            helped: false,
            harmed: false,
            ignored: false,
        }
    }
}

/// One event of a memory.
#[derive(Clone, PartialEq, Debug)]
pub enum EventRecord {
    /// A delta.
    Delta(Box<DeltaRecord>),
    /// A retrieval.
    Retrieval(RetrievalRecord),
}

impl EventRecord {
    /// The number of the event.
    pub fn tick(&self) -> u64 {
        match self {
            Self::Delta(delta) => delta.tick,
            Self::Retrieval(retrieval) => retrieval.tick,
        }
    }
}
