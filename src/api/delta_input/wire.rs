//! The operations of a delta in their wire form: one schema, shown to callers and enforced by the reader.
//!
//! Each type mirrors one of the domain and reads into it, so that a field of one that the other lacks does not
//! compile.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use crate::patterns::NOT_BLANK;
use crate::schema::{Time, Word};
use hindlore_domain::memory::bullet::{COUNT_MAX, Kind, MemoryType, Source};
use hindlore_domain::memory::delta::{
    BulletRef, NewBullet, Operation, Patch, PinChange, PolicyChange, Removal, TagCounts,
};
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;

/// Largest change of a count.
const CHANGE_MAX: i64 = COUNT_MAX.cast_signed();
/// Smallest change of a count.
const CHANGE_MIN: i64 = -CHANGE_MAX;

/// One operation on the bullets of a memory, or on its policy.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "Operation", tag = "op", rename_all = "UPPERCASE")]
pub(super) enum SentOperation {
    /// Adds a bullet, or merges it into an equal or similar one.
    Add(
        #[serde(deserialize_with = "added")]
        #[schemars(with = "Added")]
        Box<NewBullet>,
    ),
    /// Sets the given fields of a bullet; the others stay.
    Update(
        #[serde(deserialize_with = "updated")]
        #[schemars(with = "Updated")]
        Box<Patch>,
    ),
    /// Adds to the votes of a bullet.
    Tag(#[serde(with = "Tagged")] TagCounts),
    /// Archives a bullet; a repetition of its text restores it.
    Remove(#[serde(with = "Removed")] Removal),
    /// Rejects a bullet: its text cannot come back by learning.
    Reject(#[serde(with = "Removed")] Removal),
    /// Pins or unpins a bullet: a pinned one is never pruned and never expires.
    Pin(#[serde(with = "Pinned")] PinChange),
    /// Changes the given fields of the policy of the memory; the others stay.
    Policy(#[schemars(with = "PolicyFields")] PolicyChange),
}

/// Fields of ADD.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "NewBullet", deny_unknown_fields)]
struct Added {
    /// The text: a rule, a fact, or an experience.
    content: String,
    /// Heading of the text; it is searched like the text.
    #[serde(default)]
    section: Option<String>,
    /// Free tags, by which a retrieval can choose.
    #[serde(default)]
    tags: Vec<String>,
    /// How fast it fades; by default derived from the kind, then from the words.
    #[serde(default)]
    #[schemars(with = "Option<Word<MemoryType>>")]
    memory_type: Option<MemoryType>,
    /// Kind of the bullet; by default derived from the memory type.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    kind: Option<Kind>,
    /// Topic; bullets of different topics never merge. By default derived from the words.
    #[serde(default)]
    topic: Option<String>,
    /// Concept; by default derived from the words.
    #[serde(default)]
    concept: Option<String>,
    /// Days until it expires; by default never.
    #[serde(default)]
    #[schemars(range(max = u32::MAX))]
    ttl_days: Option<u32>,
    /// Importance in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    importance: Option<f64>,
    /// Helpful votes that it brings.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    helpful: u64,
    /// Harmful votes that it brings.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    harmful: u64,
    /// Neutral votes that it brings.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    neutral: u64,
    /// Kind of its author.
    #[serde(default)]
    #[schemars(with = "Option<Word<Source>>")]
    source: Option<Source>,
    /// The bullet that was written just before this one: its id, its id in another program, or `#N` for the bullet
    /// of operation N of the same delta, counted from 0.
    #[serde(default)]
    #[schemars(with = "Option<String>", regex(pattern = NOT_BLANK))]
    follows: Option<BulletRef>,
    /// Time of birth in RFC 3339; by default the time of the delta.
    #[serde(default)]
    #[schemars(with = "Option<Time>")]
    created_at: Option<Timestamp>,
    /// Time of its last use in RFC 3339; by default the time of the delta.
    #[serde(default)]
    #[schemars(with = "Option<Time>")]
    last_used: Option<Timestamp>,
    /// Its id in another program, by which it can be named later.
    #[serde(default)]
    legacy_id: Option<String>,
    /// Whether it is exempt from pruning and expiry.
    #[serde(default)]
    pinned: bool,
    /// A vector of the text, which is kept and not ranked by.
    #[serde(default)]
    embedding: Option<Vec<f32>>,
}

/// Fields of UPDATE.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "Patch", deny_unknown_fields)]
struct Updated {
    /// The bullet: its id, its id in another program, or `#N` for the bullet of operation N of the same delta.
    #[schemars(with = "String", regex(pattern = NOT_BLANK))]
    id: BulletRef,
    /// The new text.
    #[serde(default)]
    content: Option<String>,
    /// The new heading; an empty one clears it.
    #[serde(default)]
    section: Option<String>,
    /// All tags that it is to have, instead of its own.
    #[serde(default)]
    tags: Option<Vec<String>>,
    /// How fast it fades.
    #[serde(default)]
    #[schemars(with = "Option<Word<MemoryType>>")]
    memory_type: Option<MemoryType>,
    /// Kind of the bullet.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    kind: Option<Kind>,
    /// The new topic; an empty one clears it.
    #[serde(default)]
    topic: Option<String>,
    /// The new concept; an empty one clears it.
    #[serde(default)]
    concept: Option<String>,
    /// Days from its birth until it expires.
    #[serde(default)]
    #[schemars(range(max = u32::MAX))]
    ttl_days: Option<u32>,
    /// Importance in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    importance: Option<f64>,
    /// The number of helpful votes that it is to have.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    helpful: Option<u64>,
    /// The number of harmful votes that it is to have.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    harmful: Option<u64>,
    /// The number of neutral votes that it is to have.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    neutral: Option<u64>,
    /// Kind of its author.
    #[serde(default)]
    #[schemars(with = "Option<Word<Source>>")]
    source: Option<Source>,
    /// The new vector of the text.
    #[serde(default)]
    embedding: Option<Vec<f32>>,
}

/// Fields of TAG.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "TagCounts", deny_unknown_fields)]
struct Tagged {
    /// The bullet: its id, its id in another program, or `#N` for the bullet of operation N of the same delta.
    #[schemars(with = "String", regex(pattern = NOT_BLANK))]
    id: BulletRef,
    /// Helpful votes to add; negative ones are taken away.
    #[serde(default)]
    #[schemars(range(min = CHANGE_MIN, max = CHANGE_MAX))]
    helpful: i64,
    /// Harmful votes to add; negative ones are taken away.
    #[serde(default)]
    #[schemars(range(min = CHANGE_MIN, max = CHANGE_MAX))]
    harmful: i64,
    /// Neutral votes to add; negative ones are taken away.
    #[serde(default)]
    #[schemars(range(min = CHANGE_MIN, max = CHANGE_MAX))]
    neutral: i64,
}

/// Fields of REMOVE and REJECT.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "Removal", deny_unknown_fields)]
struct Removed {
    /// The bullet: its id, its id in another program, or `#N` for the bullet of operation N of the same delta.
    #[schemars(with = "String", regex(pattern = NOT_BLANK))]
    id: BulletRef,
    /// Why, for the history.
    #[serde(default)]
    reason: Option<String>,
}

/// Fields of PIN.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "PinChange", deny_unknown_fields)]
struct Pinned {
    /// The bullet: its id, its id in another program, or `#N` for the bullet of operation N of the same delta.
    #[schemars(with = "String", regex(pattern = NOT_BLANK))]
    id: BulletRef,
    /// True pins it, false unpins it.
    #[serde(default = "yes")]
    on: bool,
}

/// Fields of POLICY. Their values are checked where the policy is known.
struct PolicyFields;

impl JsonSchema for PolicyFields {
    fn schema_name() -> Cow<'static, str> {
        "PolicyFields".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let fields = Policy::default().fields().unwrap_or_default().into_iter();
        let fields: Map<String, Value> = fields
            .map(|(name, value)| (name, json!({ "examples": [value] })))
            .collect();
        json_schema!({ "type": "object", "properties": fields, "additionalProperties": false })
    }
}

fn added<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<NewBullet>, D::Error> {
    Added::deserialize(deserializer).map(Box::new)
}

fn updated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Patch>, D::Error> {
    Updated::deserialize(deserializer).map(Box::new)
}

fn yes() -> bool {
    true
}
