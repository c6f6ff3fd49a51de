//! Corrections by a person that wait for their release.

use schemars::JsonSchema;
use serde::Serialize;

use super::applied::DeltaApplied;
use crate::schema::Time;
use hindlore::proposals::Proposed;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::proposal::ProposalRow;

/// A correction that waits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ProposalResponse {
    /// Its id.
    pub id: String,
    /// The person's words, without secrets.
    pub text: String,
    /// The sessions that stated it, oldest first.
    pub sessions: Vec<String>,
    /// The turn of its first session, counted from 1; null if it is not known.
    pub turn: Option<u32>,
    /// When it was first stated.
    #[schemars(with = "Time")]
    pub first_at: Timestamp,
    /// When it was last stated.
    #[schemars(with = "Time")]
    pub last_at: Timestamp,
}

impl From<ProposalRow> for ProposalResponse {
    fn from(row: ProposalRow) -> Self {
        Self {
            id: row.id(),
            text: row.text,
            sessions: row.sessions,
            turn: row.turn,
            first_at: row.first_at,
            last_at: row.last_at,
        }
    }
}

/// The result of a correction.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ProposedResponse {
    /// The proposal; null if a bullet says it already, or was rejected with these words.
    pub proposal: Option<ProposalResponse>,
    /// The delta that made it a bullet; null while it waits.
    pub released: Option<DeltaApplied>,
}

impl From<Proposed> for ProposedResponse {
    fn from(proposed: Proposed) -> Self {
        let (proposal, released) = match proposed {
            Proposed::Waiting(row) => (Some(row), None),
            Proposed::Released(row, applied) => (Some(row), Some(*applied)),
            Proposed::Known => (None, None),
        };
        Self {
            proposal: proposal.map(ProposalResponse::from),
            released: released.map(DeltaApplied::from),
        }
    }
}

/// Corrections that wait.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ProposalsResponse {
    /// The proposals, newest first.
    pub proposals: Vec<ProposalResponse>,
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
}

/// A proposal that is gone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DismissedResponse {
    /// The proposal.
    pub dismissed: ProposalResponse,
}

impl DismissedResponse {
    /// A dismissed proposal.
    pub fn new(row: ProposalRow) -> Self {
        Self {
            dismissed: row.into(),
        }
    }
}
