//! The operations of a delta, in their stored form.
//!
//! Histories are replayed from these forms, so a field may be added with a default, never renamed or removed.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::count_change::CountChange;
use crate::memory::bullet::{BulletId, Counts, Kind, MemoryType, Source};
use crate::memory::link::{Link, LinkKind};
use crate::memory::record::BulletRecord;
use hindlore_primitives::timestamp::Timestamp;

/// A reference to a bullet: `b_…`, another program's id, or `#N` for the bullet that operation N of the same
/// delta added or merged into.
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

/// One operation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "UPPERCASE")]
pub enum Operation {
    /// Merges into an equal or similar bullet, or adds a new one.
    Add(Box<NewBullet>),
    /// Sets the given fields, counts included.
    Update(Box<Patch>),
    /// Adds votes.
    Tag(TagCounts),
    /// Archives a bullet.
    Remove(Removal),
    /// Rejects a bullet: its text cannot come back by learning.
    Reject(Removal),
    /// Pins or unpins a bullet: a pinned one is exempt from pruning and expiry.
    Pin(PinChange),
    /// Changes the policy of the memory.
    Policy(PolicyChange),
    /// Reverts the change of an earlier delta to one bullet; sent by `undo` only.
    Restore(Box<Restoration>),
    /// Inserts a whole bullet as it was exported; sent by `import` only.
    Insert(Box<Insertion>),
    /// Links or unlinks two bullets; sent by `import`, `undo` and decisions about conflicts only.
    Link(LinkChange),
    /// Merges a bullet into another; sent by decisions about conflicts only.
    Merge(Merging),
    /// Makes one bullet of several similar ones; sent by a consolidation only.
    Consolidate(Box<Consolidation>),
    /// Input that is no operation: refused with its reason, and kept so that the numbers of the others stay.
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
    /// Lifetime in days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_days: Option<u32>,
    /// Importance, 0..=1.
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
    /// Its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The bullet that was written just before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<BulletRef>,
    /// Time of birth, if known from another program; else the time of the delta.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// Time of the last use, if known from another program; else the time of the delta.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used: Option<Timestamp>,
    /// Id in another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legacy_id: Option<String>,
    /// Exempts it from pruning and expiry.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// Embedding of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f32>>,
}

impl NewBullet {
    /// Returns the votes that it brings.
    pub fn counts(&self) -> Counts {
        Counts {
            helpful: self.helpful,
            harmful: self.harmful,
            neutral: self.neutral,
        }
    }
}

/// Fields of UPDATE: absent ones stay; an empty topic, concept or section clears the field.
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
    /// Creates a patch of `id` that changes nothing yet.
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

/// Fields of TAG: added to the counts, and may be negative.
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

/// Fields of POLICY: any fields of the policy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PolicyChange {
    /// The fields to replace, by name.
    pub fields: Map<String, Value>,
}

/// Fields of RESTORE: the reversal of a change to one bullet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restoration {
    /// The bullet.
    pub id: BulletId,
    /// Change of the counts.
    #[serde(default)]
    pub counts: CountChange,
    /// The earlier fields to restore; `None` if only counts change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Box<BulletRecord>>,
    /// Whether to archive the bullet, which the undone delta added.
    #[serde(default)]
    pub archive: bool,
    /// Whether to restore strength and access from the fields as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
}

/// A whole bullet from an export.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Insertion {
    /// The bullet as it was exported.
    pub bullet: BulletRecord,
    /// Clock of the memory that it was exported from, which its ticks are relative to.
    pub clock: u64,
}

/// Fields of LINK: two bullets to link or unlink.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkChange {
    /// The kind of the link.
    pub kind: LinkKind,
    /// Its first end.
    pub from: BulletRef,
    /// Its second end.
    pub to: BulletRef,
    /// Why it was added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Similarity of the two texts, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Whether the link is removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

impl LinkChange {
    /// The change that removes a link, or brings it back.
    pub fn of(link: &Link, removed: bool) -> Self {
        Self {
            kind: link.id.kind,
            from: link.id.from.into(),
            to: link.id.to.into(),
            reason: link.reason.clone(),
            similarity: link.similarity,
            removed,
        }
    }
}

/// Fields of MERGE.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Merging {
    /// The bullet that stays, with the votes of both.
    pub into: BulletRef,
    /// The bullet that is archived.
    pub from: BulletRef,
}

/// Fields of CONSOLIDATE: the group that a plan found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consolidation {
    /// The text of the new bullet.
    pub content: String,
    /// The bullets that it replaces, the canonical one first.
    pub from: Vec<ConsolidationSource>,
}

/// A bullet that a consolidation replaces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsolidationSource {
    /// The bullet.
    pub id: BulletId,
    /// Its state in the plan: 20 hex digits over its fields, without strength and ticks.
    pub seen: String,
}

/// Input that could not be read as an operation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Malformed {
    /// Why it could not be read.
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
