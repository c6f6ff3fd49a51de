//! Receipts of operations on records, so that a repeated operation does nothing.
//!
//! A receipt is a record like any other: a decision that finds its own returns an empty commit.

use super::kind::Kind;
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use crate::lessons::rows::OperationReceipt;

/// Receipts.
pub static RECEIPT: Kind = Kind {
    label: "Receipt",
    held_as: Some("HAS_RECEIPT"),
    caption: "operation",
    orders: &[],
    edges: &[],
    references: &[],
    learners: OWNER_ALONE,
};

/// The key of the receipt of an operation.
pub fn receipt_key(operation: &str) -> RecordKey {
    RecordKey::new(&RECEIPT, operation)
}

impl OperationReceipt {
    /// The receipt as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("operation", self.operation.as_str())
            .with("body_digest", self.body_digest.as_str())
            .with("answer", self.answer.as_str())
            .with("at", self.at);
        Record::new(receipt_key(&self.operation), fields)
    }

    /// Reads a receipt; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            operation: fields.read("operation")?,
            body_digest: fields.read("body_digest")?,
            answer: fields.read("answer")?,
            at: fields.read("at")?,
        })
    }
}
