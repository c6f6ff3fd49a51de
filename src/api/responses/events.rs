//! The events of a memory in the form of all surfaces.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::{Id, Time};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{DeltaRecord, EventRecord, RetrievalRecord};

/// A page of events.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct EventsResponse {
    /// The events, oldest first.
    pub events: Vec<EventRow>,
    /// Where the next page begins: its `after`.
    pub next: u64,
}

/// One event.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct EventRow {
    /// Its tick.
    pub tick: u64,
    /// Its kind.
    pub kind: EventKind,
    /// Id of the delta; null for a retrieval.
    #[schemars(with = "Option<Id>")]
    pub delta: Option<DeltaId>,
    /// Id of the retrieval; null for a delta.
    pub retrieval: Option<String>,
    /// Revision after the delta, or when the retrieval was ranked.
    pub revision: u64,
    /// When it happened.
    #[schemars(with = "Time")]
    pub at: Timestamp,
    /// Author of the delta; null: unnamed, or a retrieval.
    pub author: Option<String>,
    /// The query; null for a delta.
    pub query: Option<String>,
    /// Bullets that a retrieval returned, best first.
    #[schemars(with = "Vec<Id>")]
    pub returned: Vec<BulletId>,
    /// Bullets that a delta added.
    #[schemars(with = "Vec<Id>")]
    pub added: Vec<BulletId>,
    /// Bullets that it changed.
    #[schemars(with = "Vec<Id>")]
    pub updated: Vec<BulletId>,
    /// Bullets that it archived.
    #[schemars(with = "Vec<Id>")]
    pub archived: Vec<BulletId>,
    /// Archived bullets that it made active again.
    #[schemars(with = "Vec<Id>")]
    pub revived: Vec<BulletId>,
    /// Bullets that it rejected.
    #[schemars(with = "Vec<Id>")]
    pub rejected: Vec<BulletId>,
}

/// The kinds of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A change of bullets or of the policy.
    Delta,
    /// A question that returned something.
    Retrieval,
}

impl EventKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delta => "delta",
            Self::Retrieval => "retrieval",
        }
    }
}

impl From<&EventRecord> for EventRow {
    fn from(event: &EventRecord) -> Self {
        match event {
            EventRecord::Delta(delta) => delta.as_ref().into(),
            EventRecord::Retrieval(retrieval) => retrieval.into(),
        }
    }
}

impl From<&DeltaRecord> for EventRow {
    fn from(delta: &DeltaRecord) -> Self {
        let receipt = &delta.receipt;
        Self {
            tick: delta.tick,
            kind: EventKind::Delta,
            delta: Some(delta.id.clone()),
            retrieval: None,
            revision: delta.revision,
            at: delta.at,
            author: delta.origin.author.clone(),
            query: None,
            returned: Vec::new(),
            added: receipt.added.clone(),
            updated: receipt.updated.clone(),
            archived: receipt.archived.clone(),
            revived: receipt.revived.clone(),
            rejected: receipt.rejected.clone(),
        }
    }
}

impl From<&RetrievalRecord> for EventRow {
    fn from(retrieval: &RetrievalRecord) -> Self {
        let returned = retrieval.returned.iter();
        Self {
            tick: retrieval.tick,
            kind: EventKind::Retrieval,
            delta: None,
            retrieval: Some(retrieval.id.clone()),
            revision: retrieval.revision,
            at: retrieval.at,
            author: None,
            query: Some(retrieval.query.clone()),
            returned: returned.map(|one| one.bullet).collect(),
            added: Vec::new(),
            updated: Vec::new(),
            archived: Vec::new(),
            revived: Vec::new(),
            rejected: Vec::new(),
        }
    }
}
