//! Archived traces as records: the steps of a trajectory as one text, kept when they left the store of steps.

use super::kind::{Kind, Reference};
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use hindlore_primitives::timestamp::Timestamp;

/// Archived traces; the id of each is that of its trajectory.
pub static TRACE_ARCHIVE: Kind = Kind {
    label: "TraceArchive",
    held_as: Some("HAS_TRACE_ARCHIVE"),
    caption: "run",
    orders: &[],
    edges: &[],
    references: &[Reference {
        value: "run",
        name: "ARCHIVE_OF",
    }],
    learners: OWNER_ALONE,
};

/// An archived trace.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchivedTrace {
    /// The trajectory.
    pub run: String,
    /// The number of its steps.
    pub steps: u32,
    /// The steps (JSON), opaque to the store.
    pub body: String,
    /// When it was archived.
    pub at: Timestamp,
}

/// The key of an archived trace.
pub fn archive_key(run: &str) -> RecordKey {
    RecordKey::new(&TRACE_ARCHIVE, run)
}

impl ArchivedTrace {
    /// The trace as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("run", self.run.as_str())
            .with("steps", self.steps)
            .with("body", self.body.as_str())
            .with("at", self.at);
        Record::new(archive_key(&self.run), fields)
    }

    /// Reads a trace; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            run: fields.read("run")?,
            steps: fields.read("steps")?,
            body: fields.read("body")?,
            at: fields.read("at")?,
        })
    }
}
