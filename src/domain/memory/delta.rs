//! The delta: an ordered list of operations that changes one memory, all or nothing, exactly once.
//!
//! The serialised form of an operation is the stored form of its event, so a history can be decided
//! again from it; other input shapes are translated into this one at the surfaces.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use super::count_change::CountChange;
use super::key::{MemoryKey, derived_hash, hex};
pub use super::operation::{
    BulletRef, Insertion, LinkChange, Malformed, NewBullet, Operation, Patch, PinChange,
    PolicyChange, Removal, Restoration, TagCounts,
};

/// The longest delta id, author and the like, in characters.
pub const LABEL_MAX_CHARS: usize = 256;

/// Operations that one delta may hold.
pub const OPERATIONS_MAX: usize = 1_000_000;

/// The id of a delta: given by the caller, or generated; 1 to 256 visible characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeltaId(String);

impl DeltaId {
    /// Checks a caller-given id.
    pub fn parse(raw: &str) -> Result<Self, String> {
        let id = raw.trim();
        if id.is_empty() || id.chars().count() > LABEL_MAX_CHARS || id.chars().any(char::is_control)
        {
            return Err(format!(
                "a delta id has 1 to {LABEL_MAX_CHARS} characters and no control characters"
            ));
        }
        Ok(Self(id.to_owned()))
    }

    /// An id that follows from the parts: `d_` and 20 hex digits.
    pub fn derive(parts: &[&str]) -> Self {
        Self(format!("d_{}", hex(&derived_hash(parts)[..10])))
    }

    /// The id of the import of a file: the same file into the same memory is the same delta.
    pub fn of_import(file: &[u8], format: &str, key: &MemoryKey) -> Self {
        Self::derive(&[
            "import",
            &hex(&Sha256::digest(file)),
            format,
            &key.derived(),
        ])
    }

    /// The id under which the creation of a memory stands in its history.
    pub fn creation() -> Self {
        Self("d_creation".to_owned())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DeltaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who and what wrote a delta; kept for audit, read by no decision.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The person or agent.
    pub author: Option<String>,
    /// The engine instance.
    pub instance: String,
    /// The engine's version.
    pub engine_version: String,
}

/// A set of changes to one memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Delta {
    /// Identity: the same id is applied once.
    pub id: DeltaId,
    /// Who and what wrote it.
    pub origin: Origin,
    /// Why.
    pub reasoning: Option<String>,
    /// Apply only on this revision.
    pub expected_revision: Option<u64>,
    /// Apply what can be applied, and report the rest.
    pub lenient: bool,
    /// Comes from a file: refused, rather than pruned, when it exceeds the limit of the memory.
    pub import: bool,
    /// Puts an earlier state back: refused as a whole when a part of it cannot be, and nothing is
    /// refined because of it.
    pub undo: bool,
    /// What to do, in order.
    pub operations: Vec<Operation>,
}

impl Delta {
    /// A strict delta of `operations`.
    pub fn new(id: DeltaId, operations: Vec<Operation>) -> Self {
        Self {
            id,
            origin: Origin::default(),
            reasoning: None,
            expected_revision: None,
            lenient: false,
            import: false,
            undo: false,
            operations,
        }
    }

    /// What makes two deltas the same request: operations, leniency and reasoning.
    pub fn body(&self) -> DeltaBody<'_> {
        DeltaBody {
            reasoning: self.reasoning.as_deref().map(Cow::Borrowed),
            lenient: self.lenient,
            import: self.import,
            undo: self.undo,
            operations: Cow::Borrowed(&self.operations),
        }
    }
}

/// The stored part of a delta.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaBody<'d> {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Cow<'d, str>>,
    /// Whether what cannot be applied is reported instead of refusing everything.
    #[serde(default)]
    pub lenient: bool,
    /// Whether it is refused, rather than pruned, when it exceeds the limit of the memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub import: bool,
    /// Whether it puts an earlier state back, without refining.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undo: bool,
    /// What to do, in order.
    pub operations: Cow<'d, [Operation]>,
}

/// About the bytes of an operation in JSON, its content left out.
const OPERATION_BYTES: usize = 192;

impl DeltaBody<'_> {
    /// The one JSON text of this body.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let bytes = |operation: &Operation| match operation {
            Operation::Add(new) => OPERATION_BYTES + new.content.len(),
            _ => OPERATION_BYTES,
        };
        // A large text that grows would be copied many times.
        let mut json = Vec::with_capacity(self.operations.iter().map(bytes).sum());
        serde_json::to_writer(&mut json, self)?;
        String::from_utf8(json).map_err(serde::ser::Error::custom)
    }
}

/// SHA-256 hex of a stored body.
pub fn body_digest(json: &str) -> String {
    hex(&Sha256::digest(json))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_stored_and_read_back() {
        let add = NewBullet {
            content: "read first".to_owned(),
            helpful: 2,
            ..NewBullet::default()
        };
        let body = DeltaBody {
            reasoning: None,
            lenient: false,
            import: false,
            undo: false,
            operations: vec![Operation::Add(Box::new(add))].into(),
        };
        let json = body.to_json().unwrap();
        assert_eq!(
            json,
            r#"{"lenient":false,"operations":[{"op":"ADD","content":"read first","helpful":2}]}"#
        );
        assert_eq!(serde_json::from_str::<DeltaBody<'_>>(&json).unwrap(), body);
    }

    #[test]
    fn unknown_fields_and_negative_counts_are_refused() {
        for (bad, word) in [
            (r#"{"op":"ADD","content":"x","colour":"red"}"#, "colour"),
            (r#"{"op":"ADD","content":"x","helpful":-1}"#, "-1"),
            (r#"{"op":"TAG","id":"b_1","good":1}"#, "good"),
            (r#"{"op":"FLY","id":"b_1"}"#, "FLY"),
        ] {
            let error = serde_json::from_str::<Operation>(bad)
                .unwrap_err()
                .to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
