//! The delta: an ordered list of operations that changes one memory, all or nothing, exactly once.
//!
//! The serialised form of an operation is its stored form, so a history can be replayed from it; surfaces
//! translate other input shapes into this one.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use super::apply::count_change::CountChange;
pub use super::apply::operation::{
    BulletRef, Consolidation, ConsolidationSource, Insertion, LinkChange, Malformed, Merging,
    NewBullet, Operation, Patch, PinChange, PolicyChange, Removal, Restoration, TagCounts,
};
use super::key::MemoryKey;
use hindlore_primitives::identity::{derived_hash, hex};

/// Maximum length of a delta id, an author and the like, in characters.
pub const LABEL_MAX_CHARS: usize = 256;

/// Maximum operations of a delta.
pub const OPERATIONS_MAX: usize = 1_000_000;

/// The engine's own verbs. Their deltas have ids of the form `verb:` and 20 hex digits, which callers cannot use.
const VERBS: [&str; 6] = [
    "undo",
    "feedback",
    "clear",
    "adopt",
    "rebase",
    "consolidate",
];

/// Digits of a derived id.
const DIGITS: usize = 20;

/// The id of the creation of a memory in its history.
const CREATION: &str = "d_creation";

/// The id of a delta, given by the caller or generated: 1 to 256 characters, none of them a control character.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeltaId(String);

impl DeltaId {
    /// Checks an id that a caller gives to a new delta. Ids of the engine's own verbs are refused, so that such an id
    /// proves the verb.
    pub fn parse(raw: &str) -> Result<Self, String> {
        let id = Self::known(raw)?;
        if id.is_reserved() {
            Err(format!(
                "the delta id `{id}` has a form that is reserved for the engine; give another one"
            ))
        } else {
            Ok(id)
        }
    }

    /// Checks the id of an existing delta, which may be one of the engine's own.
    pub fn known(raw: &str) -> Result<Self, String> {
        let id = raw.trim();
        if id.is_empty() || id.chars().count() > LABEL_MAX_CHARS || id.chars().any(char::is_control)
        {
            return Err(format!(
                "a delta id has 1 to {LABEL_MAX_CHARS} characters and no control characters"
            ));
        }
        Ok(Self(id.to_owned()))
    }

    /// Derives an id from parts: `d_` and 20 hex digits.
    pub fn derive(parts: &[&str]) -> Self {
        Self(format!("d_{}", hex(&derived_hash(parts)[..10])))
    }

    /// Derives the id of a delta by one of the engine's own verbs, which no caller can use.
    pub fn from_verb(verb: &str, parts: &[&str]) -> Self {
        debug_assert!(VERBS.contains(&verb));
        let all: Vec<&str> = [verb].into_iter().chain(parts.iter().copied()).collect();
        Self(format!("{verb}:{}", hex(&derived_hash(&all)[..10])))
    }

    /// Derives the id of an import: the same file into the same memory is the same delta.
    pub fn from_import(file: &[u8], format: &str, key: &MemoryKey) -> Self {
        Self::derive(&[
            "import",
            &hex(&Sha256::digest(file)),
            format,
            &key.derived(),
        ])
    }

    /// Derives the id of the `number`-th repetition of an import, whose first import has this id and number 0.
    pub fn again(&self, number: u32) -> Self {
        match number {
            0 => self.clone(),
            _ => Self::derive(&["again", &self.0, &number.to_string()]),
        }
    }

    /// Derives the id of an undo of this delta. It has a number, since a delta can be redone and undone again.
    pub fn undo(&self, key: &MemoryKey, number: u32) -> Self {
        Self::from_verb("undo", &[&key.derived(), &self.0, &number.to_string()])
    }

    /// Derives the id that an undo of this delta has in the oldest histories, where callers could use it too.
    pub fn first_undo(&self, key: &MemoryKey) -> Self {
        Self::derive(&["undo", &key.derived(), &self.0])
    }

    /// Returns the id of the creation of a memory in its history.
    pub fn creation() -> Self {
        Self(CREATION.to_owned())
    }

    /// Returns true if only the engine can give this id.
    pub fn is_reserved(&self) -> bool {
        let is_digits =
            |text: &str| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let of_verb = self.0.split_once(':');
        self.0 == CREATION
            || of_verb.is_some_and(|(verb, digits)| VERBS.contains(&verb) && is_digits(digits))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DeltaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The author and origin of a delta; for audit only, read by no decision.
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
    /// Identity: a delta with a known id is not applied again.
    pub id: DeltaId,
    /// Its author and origin.
    pub origin: Origin,
    /// Why it was sent.
    pub reasoning: Option<String>,
    /// Revision that the memory must have.
    pub expected_revision: Option<u64>,
    /// Whether operations that cannot be applied are reported instead of refusing the delta.
    pub lenient: bool,
    /// Whether it comes from a file: then it is refused, not pruned, if it exceeds the limit of the memory.
    pub import: bool,
    /// Whether it restores an earlier state: then it is refused as a whole if any part of it cannot be applied,
    /// and nothing is refined or expired.
    pub undo: bool,
    /// The delta that this one undoes.
    pub undoes: Option<DeltaId>,
    /// How an import treats bullets that the memory already has.
    pub meets: Meets,
    /// The file that it comes from, for an import of one.
    pub file: Option<ImportedFile>,
    /// The operations, applied in order.
    pub operations: Vec<Operation>,
}

/// The file that an import comes from; for the history and for later imports of the same file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedFile {
    /// Its name, by which the caller distinguishes files.
    pub name: String,
    /// Whether the import archives the bullets of an earlier import that the file no longer holds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sync: bool,
}

/// How an import treats bullets that the memory already has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meets {
    /// Votes add up, even for an equal id; records are not checked. Bullets that were inserted by hand come so.
    #[default]
    Sums,
    /// A record with a known id is that bullet: the larger votes win. Votes of equal texts with other ids add up.
    /// Records are checked as in ADD.
    KnownIds,
    /// As `KnownIds`, but equal texts count as the same bullet too: the file was imported before.
    KnownTexts,
}

impl Meets {
    fn is_default(&self) -> bool {
        *self == Self::Sums
    }
}

impl Delta {
    /// Creates a strict delta of `operations`.
    pub fn new(id: DeltaId, operations: Vec<Operation>) -> Self {
        Self {
            id,
            origin: Origin::default(),
            reasoning: None,
            expected_revision: None,
            lenient: false,
            import: false,
            undo: false,
            undoes: None,
            meets: Meets::default(),
            file: None,
            operations,
        }
    }

    /// Returns the parts that make two deltas the same request: all but id, origin and expected revision.
    pub fn body(&self) -> DeltaBody<'_> {
        DeltaBody {
            reasoning: self.reasoning.as_deref().map(Cow::Borrowed),
            lenient: self.lenient,
            import: self.import,
            undo: self.undo,
            undoes: self.undoes.clone(),
            meets: self.meets,
            file: self.file.clone(),
            operations: Cow::Borrowed(&self.operations),
        }
    }
}

/// The stored part of a delta.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaBody<'d> {
    /// Why it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Cow<'d, str>>,
    /// Whether operations that cannot be applied are reported instead of refusing the delta.
    #[serde(default)]
    pub lenient: bool,
    /// Whether it is refused, not pruned, if it exceeds the limit of the memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub import: bool,
    /// Whether it restores an earlier state, without refining.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undo: bool,
    /// The delta that this one undoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<DeltaId>,
    /// How an import treats bullets that the memory already has.
    #[serde(default, skip_serializing_if = "Meets::is_default")]
    pub meets: Meets,
    /// The file that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<ImportedFile>,
    /// The operations, applied in order.
    pub operations: Cow<'d, [Operation]>,
}

/// Estimated bytes of an operation in JSON, without its content.
const OPERATION_BYTES: usize = 192;

impl DeltaBody<'_> {
    /// Returns the canonical JSON text of the body, whose digest identifies the request.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let bytes = |operation: &Operation| match operation {
            Operation::Add(new) => OPERATION_BYTES + new.content.len(),
            _ => OPERATION_BYTES,
        };
        // Reserved up front: a large text that grows is copied many times.
        let mut json = Vec::with_capacity(self.operations.iter().map(bytes).sum());
        serde_json::to_writer(&mut json, self)?;
        String::from_utf8(json).map_err(serde::ser::Error::custom)
    }
}

/// Returns the SHA-256 of a stored body in hex.
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
            undoes: None,
            meets: Meets::default(),
            file: None,
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
    fn an_id_of_a_verb_cannot_be_given_by_a_caller() {
        let undo = DeltaId::from_verb("undo", &["d1"]);
        for own in [&undo, &DeltaId::creation()] {
            assert!(DeltaId::parse(own.as_str()).is_err(), "{own}");
            assert_eq!(DeltaId::known(own.as_str()).as_ref(), Ok(own));
        }
        for free in [
            "undo",
            "undo:d1",
            "undo_0123456789abcdef0123",
            "redo:0123456789abcdef0123",
        ] {
            assert!(DeltaId::parse(free).is_ok(), "{free}");
        }
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
