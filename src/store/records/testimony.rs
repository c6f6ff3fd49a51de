//! Testimonies as records: verdicts of viewers on a learner's bullets, kept apart from the memory that they may not
//! change.

use super::kind::Kind;
use super::learners::{Learners, Names};
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::sharing::evidence::{Testimony, ViewerVerdict};
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Verdicts of viewers about bullets.
pub static TESTIMONY: Kind = Kind {
    label: "Testimony",
    held_as: Some("HAS_TESTIMONY"),
    caption: "principal",
    orders: &[OF_BULLET],
    references: &[],
    edges: &[],
    learners: Learners {
        names: &[Names::Owner, Names::Principal("principal")],
        listed_in: Some(OF_BULLET),
    },
};

/// The testimonies of a bullet, oldest first.
pub const OF_BULLET: &str = "of_bullet";

/// A viewer's verdict on a bullet after one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestimonyRow {
    /// The scope of the memory.
    pub scope: String,
    /// The bullet.
    pub bullet: String,
    /// The witness, the bullet and the run.
    pub said: Testimony,
    /// When.
    pub at: Timestamp,
}

impl TestimonyRow {
    /// Its key: one verdict for a principal, a run and a bullet.
    pub fn key(&self) -> RecordKey {
        let said = &self.said;
        let parts = [&self.scope, &self.bullet, &said.principal, &said.run];
        RecordKey::new(&TESTIMONY, hex(&derived_hash(&parts.map(String::as_str))))
    }

    /// The testimony as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("scope", self.scope.as_str())
            .with("bullet", self.bullet.as_str())
            .with("principal", self.said.principal.as_str())
            .with("run", self.said.run.as_str())
            .with("verdict", self.said.verdict.word())
            .with("at", self.at);
        let order = OrderKey::new().exact(&self.scope).exact(&self.bullet);
        Record::new(self.key(), fields).in_order(OF_BULLET, order.oldest(self.at))
    }

    /// Reads a testimony; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        let verdict: &str = fields.read("verdict")?;
        Ok(Self {
            scope: fields.read("scope")?,
            bullet: fields.read("bullet")?,
            said: Testimony {
                principal: fields.read("principal")?,
                run: fields.read("run")?,
                verdict: verdict.parse::<ViewerVerdict>()?,
            },
            at: fields.read("at")?,
        })
    }
}

/// The testimonies of a bullet, as a range of [`OF_BULLET`].
pub fn testimonies_of(scope: &str, bullet: &str) -> Range {
    Range::starting_with(&OrderKey::new().exact(scope).exact(bullet))
}
