//! The operations of a delta, in their stored form.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bullet::{BulletId, Counts, Kind, MemoryType, Source};
use super::count_change::CountChange;
use super::link::LinkKind;
use super::record::BulletRecord;
use crate::timestamp::Timestamp;

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
    /// Brings the memory to newer rules; made by the engine only.
    Upgrade(RulesChange),
    /// Takes back what an earlier delta did to one bullet; made by `undo` only.
    Restore(Box<Restoration>),
    /// Puts a whole bullet back as it was exported; made by `import` only.
    Insert(Box<Insertion>),
    /// Joins two bullets; made by `import` and `undo` only.
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
    pub fn new(id: impl Into<BulletRef>) -> Self {
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

/// What an upgrade changes in the policy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesChange {
    /// The version of the rules from now on.
    pub rules: u32,
    /// SHA-256 of the guard's word tables from now on.
    pub guard_tables: String,
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
    /// Strength and access are put back as well, as the fields have them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
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
    /// True: the two are parted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
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
