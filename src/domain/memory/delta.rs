//! The delta: an ordered list of operations that changes one memory, all or nothing, exactly once.
//!
//! The serialised form of an operation is the stored form of its event, so a history can be decided
//! again from it; other input shapes are translated into this one at the surfaces.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::bullet::{BulletId, Counts, Kind, MemoryType, Source};
use super::key::{MemoryKey, derived_hash, hex};
use super::link::LinkKind;
use super::record::BulletRecord;
use crate::domain::timestamp::Timestamp;

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
            operations,
        }
    }

    /// What makes two deltas the same request: operations, leniency and reasoning.
    pub fn body(&self) -> DeltaBody {
        DeltaBody {
            reasoning: self.reasoning.clone(),
            lenient: self.lenient,
            operations: self.operations.clone(),
        }
    }
}

/// The stored part of a delta.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaBody {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Whether what cannot be applied is reported instead of refusing everything.
    #[serde(default)]
    pub lenient: bool,
    /// What to do, in order.
    pub operations: Vec<Operation>,
}

impl DeltaBody {
    /// The one JSON text of this body.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

/// SHA-256 hex of a stored body.
pub fn body_digest(json: &str) -> String {
    hex(&Sha256::digest(json))
}

/// How an operation names a bullet: `b_…`, another program's id, or `#N` for the bullet that
/// operation N of the same delta made or merged into.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BulletRef(pub String);

impl From<BulletId> for BulletRef {
    fn from(id: BulletId) -> Self {
        Self(id.to_string())
    }
}

impl fmt::Display for BulletRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "UPPERCASE")]
pub enum Operation {
    /// Merges into an equal or similar bullet, or adds a new one.
    Add(Box<NewBullet>),
    /// Changes the given fields; counts given here are set.
    Update(Box<Patch>),
    /// Adds to counts.
    Tag(TagCounts),
    /// Archives.
    Remove(Removal),
    /// Rejects: the same text cannot come back by learning.
    Reject(Removal),
    /// Exempts from prune and expiry, or not.
    Pin(PinChange),
    /// Changes the policy of the memory.
    Policy(PolicyChange),
    /// Takes back what an earlier delta did to one bullet; made by `undo` only.
    Restore(Box<Restoration>),
    /// Puts a whole bullet back as it was exported; made by `import` only.
    Insert(Box<Insertion>),
    /// Joins two bullets; made by `import` only.
    Link(LinkChange),
    /// Input that is not an operation; refused with its reason, kept so that numbers stay true.
    Malformed(Malformed),
}

/// Fields of ADD.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NewBullet {
    /// The text.
    pub content: String,
    /// Heading in a playbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Free tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Given, or inferred from kind, then from the words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_type: Option<MemoryType>,
    /// Given, or inferred from the memory type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Given, or inferred by the topic rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Given, or inferred by the concept rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concept: Option<String>,
    /// Days to live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_days: Option<u32>,
    /// 0..=1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
    /// Helpful votes that it brings.
    #[serde(alias = "helpful_count", skip_serializing_if = "is_zero")]
    pub helpful: u64,
    /// Harmful votes that it brings.
    #[serde(alias = "harmful_count", skip_serializing_if = "is_zero")]
    pub harmful: u64,
    /// Neutral votes that it brings.
    #[serde(alias = "neutral_count", skip_serializing_if = "is_zero")]
    pub neutral: u64,
    /// Who or what wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The bullet that was written just before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<BulletRef>,
    /// Moment of birth, where it is known from elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// Id in another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legacy_id: Option<String>,
    /// Keeps it out of prune and expiry.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// Optional embedding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f32>>,
}

impl NewBullet {
    /// The votes that it brings.
    pub fn counts(&self) -> Counts {
        Counts {
            helpful: self.helpful,
            harmful: self.harmful,
            neutral: self.neutral,
        }
    }
}

/// Fields of UPDATE: absent ones stay as they are; an empty topic, concept or section is cleared.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub struct Patch {
    #[serde(alias = "bullet_id")]
    pub id: BulletRef,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concept: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_days: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<f64>,
    #[serde(
        default,
        alias = "helpful_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub helpful: Option<u64>,
    #[serde(
        default,
        alias = "harmful_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub harmful: Option<u64>,
    #[serde(
        default,
        alias = "neutral_count",
        skip_serializing_if = "Option::is_none"
    )]
    pub neutral: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f32>>,
}

impl Patch {
    /// A patch of `id` that changes nothing yet.
    pub fn of(id: impl Into<BulletRef>) -> Self {
        Self {
            id: id.into(),
            content: None,
            section: None,
            tags: None,
            memory_type: None,
            kind: None,
            topic: None,
            concept: None,
            ttl_days: None,
            importance: None,
            helpful: None,
            harmful: None,
            neutral: None,
            source: None,
            embedding: None,
        }
    }
}

/// Fields of TAG: added to the counts; negative values take away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub struct TagCounts {
    #[serde(alias = "bullet_id")]
    pub id: BulletRef,
    #[serde(default, skip_serializing_if = "is_zero_i")]
    pub helpful: i64,
    #[serde(default, skip_serializing_if = "is_zero_i")]
    pub harmful: i64,
    #[serde(default, skip_serializing_if = "is_zero_i")]
    pub neutral: i64,
}

/// Fields of REMOVE and REJECT.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub struct Removal {
    #[serde(alias = "bullet_id")]
    pub id: BulletRef,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Fields of PIN.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub struct PinChange {
    #[serde(alias = "bullet_id")]
    pub id: BulletRef,
    #[serde(default = "yes")]
    pub on: bool,
}

/// Fields of POLICY: any of the policy's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PolicyChange {
    /// The fields to replace.
    pub fields: Map<String, Value>,
}

/// What an undo does to one bullet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restoration {
    /// The bullet.
    pub id: BulletId,
    /// Added to the counts.
    #[serde(default)]
    pub counts: CountChange,
    /// Put back: the bullet's earlier fields. Absent: only counts change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Box<BulletRecord>>,
    /// The bullet did not exist before: it is archived.
    #[serde(default)]
    pub archive: bool,
    /// Links that the undone delta made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlink: Vec<LinkChange>,
}

/// A change of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs, reason = "the fields are those of Counts")]
pub struct CountChange {
    pub helpful: i64,
    pub harmful: i64,
    pub neutral: i64,
}

impl CountChange {
    /// The change that leads from `before` to `after`.
    pub fn between(before: Counts, after: Counts) -> Self {
        let step = |b: u64, a: u64| {
            let signed = |v: u64| i64::try_from(v).unwrap_or(i64::MAX);
            signed(a) - signed(b)
        };
        Self {
            helpful: step(before.helpful, after.helpful),
            harmful: step(before.harmful, after.harmful),
            neutral: step(before.neutral, after.neutral),
        }
    }

    /// The opposite change.
    pub fn negated(self) -> Self {
        Self {
            helpful: -self.helpful,
            harmful: -self.harmful,
            neutral: -self.neutral,
        }
    }

    /// True when nothing changes.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// The counts after this change; `Err` names the first that would leave its range.
    pub fn apply(self, counts: Counts) -> Result<Counts, String> {
        let step = |name: &str, count: u64, change: i64| {
            let sum = i128::from(count) + i128::from(change);
            u64::try_from(sum)
                .ok()
                .filter(|sum| *sum <= super::bullet::COUNT_MAX)
                .ok_or_else(|| format!("the {name} count would become {sum}"))
        };
        Ok(Counts {
            helpful: step("helpful", counts.helpful, self.helpful)?,
            harmful: step("harmful", counts.harmful, self.harmful)?,
            neutral: step("neutral", counts.neutral, self.neutral)?,
        })
    }

    /// The counts after this change, each clamped to its range.
    pub fn apply_clamped(self, counts: Counts) -> Counts {
        let step = |count: u64, change: i64| {
            count
                .saturating_add_signed(change)
                .min(super::bullet::COUNT_MAX)
        };
        Counts {
            helpful: step(counts.helpful, self.helpful),
            harmful: step(counts.harmful, self.harmful),
            neutral: step(counts.neutral, self.neutral),
        }
    }
}

/// A whole bullet from an export.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Insertion {
    /// The bullet as it was exported.
    pub bullet: BulletRecord,
    /// The clock of the memory that it was exported from; its indices are relative to it.
    pub clock: u64,
}

/// Two bullets to be joined or parted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkChange {
    /// What the link says.
    pub kind: LinkKind,
    /// Where it begins.
    pub from: BulletRef,
    /// Where it ends.
    pub to: BulletRef,
    /// Why it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How alike the two texts are, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
}

/// Input that could not be read as an operation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Malformed {
    /// Why.
    pub reason: String,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_zero_i(count: &i64) -> bool {
    *count == 0
}

fn yes() -> bool {
    true
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
            operations: vec![Operation::Add(Box::new(add))],
        };
        let json = body.to_json().unwrap();
        assert_eq!(
            json,
            r#"{"lenient":false,"operations":[{"op":"ADD","content":"read first","helpful":2}]}"#
        );
        assert_eq!(serde_json::from_str::<DeltaBody>(&json).unwrap(), body);
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

    #[test]
    fn a_count_never_leaves_its_range() {
        let counts = Counts {
            helpful: 1,
            ..Counts::default()
        };
        let change = CountChange {
            helpful: -9,
            ..CountChange::default()
        };
        assert_eq!(
            change.apply(counts).unwrap_err(),
            "the helpful count would become -8"
        );
        assert_eq!(change.apply_clamped(counts).helpful, 0);
    }
}
