//! Proposals as records: corrections by a person that wait for their release as bullets.
//!
//! A proposal is addressed by its scope and its words, so that the same words in two sessions are one record.

use super::kind::Kind;
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Proposals.
pub static PROPOSAL: Kind = Kind {
    label: "Proposal",
    held_as: Some("HAS_PROPOSAL"),
    caption: "text",
    orders: &[BY_SCOPE],
    references: &[],
    edges: &[],
    learners: OWNER_ALONE,
};

/// The proposals of a scope, newest first.
pub const BY_SCOPE: &str = "by_scope";
/// The most sessions that a proposal keeps.
pub const SESSIONS_MAX: usize = 8;
/// Bytes of an id's hash.
const ID_BYTES: usize = 10;

/// A correction that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposalRow {
    /// The scope of the memory that it is proposed for.
    pub scope: String,
    /// The person's words, without secrets.
    pub text: String,
    /// The words in lower case with single blanks, which decide the id.
    pub normalised: String,
    /// The sessions that stated it, oldest first, at most [`SESSIONS_MAX`].
    pub sessions: Vec<String>,
    /// The turn of its first session that stated it, counted from 1; absent if it is not known.
    pub turn: Option<u32>,
    /// When it was first stated.
    pub first_at: Timestamp,
    /// When it was last stated.
    pub last_at: Timestamp,
}

/// The key of a proposal.
pub fn proposal_key(id: &str) -> RecordKey {
    RecordKey::new(&PROPOSAL, id)
}

/// The proposals of a scope, as a range of [`BY_SCOPE`].
pub fn proposals_of(scope: &str) -> Range {
    Range::starting_with(&OrderKey::new().exact(scope))
}

impl ProposalRow {
    /// Its id, derived from its scope and its words.
    pub fn id(&self) -> String {
        let hash = derived_hash(&["proposal", &self.scope, &self.normalised]);
        let digits = hex(&hash);
        format!("p_{}", digits.get(..2 * ID_BYTES).unwrap_or(&digits))
    }

    /// The proposal as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("scope", self.scope.as_str())
            .with("text", self.text.as_str())
            .with("normalised", self.normalised.as_str())
            .with("sessions", self.sessions.clone())
            .with_optional("turn", self.turn)
            .with("first_at", self.first_at)
            .with("last_at", self.last_at);
        let order = OrderKey::new().exact(&self.scope).newest(self.last_at);
        Record::new(proposal_key(&self.id()), fields).in_order(BY_SCOPE, order)
    }

    /// Reads a proposal; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            scope: fields.read("scope")?,
            text: fields.read("text")?,
            normalised: fields.read("normalised")?,
            sessions: fields.read("sessions")?,
            turn: fields.read_optional("turn")?,
            first_at: fields.read("first_at")?,
            last_at: fields.read("last_at")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_comes_back_and_its_words_decide_the_id() {
        let row = |text: &str, scope: &str, turn| ProposalRow {
            scope: scope.to_owned(),
            text: text.to_owned(),
            normalised: text.to_lowercase(),
            sessions: vec!["s-1".to_owned(), "s-2".to_owned()],
            turn,
            first_at: Timestamp::from_millis(5),
            last_at: Timestamp::from_millis(6),
        };
        for row in [
            row("Use pnpm", "repo", Some(3)),
            row("Use pnpm", "repo", None),
        ] {
            let record = row.to_record();
            record.check().unwrap();
            assert_eq!(ProposalRow::from_record(&record), Ok(row));
        }
        let id = |text, scope| row(text, scope, None).id();
        assert_eq!(id("Use pnpm", "repo"), id("use PNPM", "repo"));
        assert_ne!(id("Use pnpm", "repo"), id("Use pnpm", "other"));
        assert_ne!(id("Use pnpm", "repo"), id("Use yarn", "repo"));
    }
}
