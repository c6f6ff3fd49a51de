//! Answers of the doctor: checks, differences from the events, and adoptions.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::DeltaApplied;
use crate::problem::Problem;
use crate::schema::Id;
use hindlore::{Difference, Verified};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::ids::LessonId;

/// All checks of settings, store, and memories.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CheckResponse {
    /// True if no check found an error.
    pub sound: bool,
    /// Number of errors.
    pub errors: usize,
    /// The checks.
    pub checks: Vec<Looked>,
}

impl CheckResponse {
    /// Counts the errors among checks.
    pub fn new(checks: Vec<Looked>) -> Self {
        let errors = checks.iter().filter(|one| one.state == "error").count();
        Self {
            sound: errors == 0,
            errors,
            checks,
        }
    }
}

/// A check: its subject, its state, and the remedy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Looked {
    /// Its subject.
    pub subject: String,
    /// `ok`, `note` or `error`.
    pub state: &'static str,
    /// The finding and the remedy.
    pub message: String,
}

impl Looked {
    /// As it should be.
    pub fn ok(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "ok", message)
    }

    /// Works, but needs attention.
    pub fn note(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "note", message)
    }

    /// Does not work, or will lose data.
    pub fn error(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "error", message)
    }

    fn new(subject: &str, state: &'static str, message: impl Into<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            state,
            message: message.into(),
        }
    }
}

/// Memories compared with a replay of their events.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct VerificationResponse {
    /// True if none differs.
    pub sound: bool,
    /// The memories.
    pub memories: Vec<MemoryFinding>,
    /// Faults in the lessons of their learners, such as a status that was changed by hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<String>,
}

/// A memory compared with a replay of its events.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct MemoryFinding {
    /// Tenant, learner, and scope, separated by `/`.
    pub memory: String,
    /// True if nothing differs.
    pub sound: bool,
    /// Events replayed.
    pub events: u64,
    /// State digest of the store.
    pub stored_digest: String,
    /// State digest of the replay.
    pub replayed_digest: String,
    /// Events whose decision differs from their receipts.
    pub mismatches: Vec<String>,
    /// Differing bullets.
    pub differences: Vec<BulletFinding>,
    /// Policy fields that differ, by name, with their stored values.
    pub policy: Map<String, Value>,
    /// Links between bullets that differ.
    pub links: Vec<String>,
    /// Faults in the form of the memory that contradict its contents, such as a missing relationship.
    pub shape: Vec<String>,
    /// The remedy if no delta could adopt the differences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Why it could not be verified at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

impl MemoryFinding {
    /// The finding for a memory, without a remedy: the surface words that.
    pub fn from_verified(key: &MemoryKey, verified: &Verified) -> Self {
        let mismatches = verified.mismatches.iter().map(|mismatch| {
            let delta = mismatch.delta.as_ref();
            let delta = delta.map(|delta| format!(" ({delta})"));
            let (tick, reason) = (mismatch.tick, &mismatch.reason);
            format!("tick {tick}{}: {reason}", delta.unwrap_or_default())
        });
        Self {
            memory: key.to_string(),
            sound: verified.is_sound,
            events: verified.events,
            mismatches: mismatches.collect(),
            remedy: None,
            differences: verified.differences.iter().map(Into::into).collect(),
            policy: verified.policy.clone(),
            links: verified.links.iter().map(ToString::to_string).collect(),
            shape: verified
                .shape
                .iter()
                .map(|one| one.message.clone())
                .collect(),
            stored_digest: verified.stored_digest.clone(),
            replayed_digest: verified.replayed_digest.clone(),
            unreadable: None,
        }
    }

    /// A memory that could not be verified.
    pub fn unreadable(key: &MemoryKey, problem: &Problem) -> Self {
        Self {
            memory: key.to_string(),
            sound: false,
            events: 0,
            stored_digest: String::new(),
            replayed_digest: String::new(),
            mismatches: Vec::new(),
            differences: Vec::new(),
            policy: Map::new(),
            links: Vec::new(),
            shape: Vec::new(),
            remedy: None,
            unreadable: Some(problem.to_string()),
        }
    }
}

/// A bullet that differs from the one its events made.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletFinding {
    /// The bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// `changed`, `missing` from the store, or `unknown` to the history.
    pub what: &'static str,
    /// Differing fields; all fields if one side is missing.
    pub fields: Vec<FieldFinding>,
}

/// A field that differs.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FieldFinding {
    /// Its name.
    pub field: String,
    /// As the events made it.
    pub expected: Value,
    /// As stored.
    pub stored: Value,
}

impl From<&Difference> for BulletFinding {
    fn from(difference: &Difference) -> Self {
        let (expected, stored) = (difference.expected.as_ref(), difference.stored.as_ref());
        let what = match (expected, stored) {
            (_, None) => "missing",
            (None, _) => "unknown",
            _ => "changed",
        };
        let names: &[&str] = match what {
            "changed" => &difference.fields,
            _ => &["content", "status", "counts"],
        };
        let value = |bullet: Option<&Bullet>, name: &str| {
            bullet.map_or(Value::Null, |bullet| field(bullet, name))
        };
        let fields = names.iter().map(|name| FieldFinding {
            field: (*name).to_owned(),
            expected: value(expected, name),
            stored: value(stored, name),
        });
        Self {
            id: difference.bullet,
            what,
            fields: fields.collect(),
        }
    }
}

/// A number, or the name of a value that is none: JSON has no word for it.
fn number(number: f64) -> Value {
    if number.is_finite() {
        json!(number)
    } else {
        json!(number.to_string())
    }
}

/// The value of a bullet's field, by name.
fn field(bullet: &Bullet, name: &str) -> Value {
    let counts = || {
        let counts = bullet.counts;
        let mut map = Map::new();
        map.insert("helpful".to_owned(), json!(counts.helpful));
        map.insert("harmful".to_owned(), json!(counts.harmful));
        map.insert("neutral".to_owned(), json!(counts.neutral));
        Value::Object(map)
    };
    match name {
        "content" => json!(bullet.content.as_str()),
        "content_hash" => json!(bullet.content_hash().to_hex()),
        "counts" => counts(),
        "memory_type" => json!(bullet.memory_type),
        "kind" => json!(bullet.kind),
        "status" => json!(bullet.status),
        "pinned" => json!(bullet.pinned),
        "strength" => number(bullet.strength),
        "access_index" => json!(bullet.access_index),
        "created_tick" => json!(bullet.created_tick),
        "changed_tick" => json!(bullet.changed_tick),
        "tags" => json!(bullet.tags),
        "section" => json!(bullet.section),
        "topic" => json!(bullet.topic),
        "concept" => json!(bullet.concept),
        "ttl_days" => json!(bullet.ttl_days),
        "importance" => number(bullet.importance),
        "source" => json!(bullet.source),
        "merged_into" => json!(bullet.merged_into),
        "created_at" => json!(bullet.created_at),
        "last_used" => json!(bullet.last_used),
        "legacy_id" => json!(bullet.legacy_id),
        _ => Value::Null,
    }
}

/// The size of a learner's data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CostsResponse {
    /// The tenant.
    pub tenant: String,
    /// The learner.
    pub learner: String,
    /// Each kind of which there is something.
    pub costs: Vec<CostResponse>,
}

/// How much is kept of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CostResponse {
    /// The kind, such as `bullets`.
    pub kind: &'static str,
    /// Number kept.
    pub count: u64,
    /// Characters of their longest texts.
    pub characters: u64,
    /// True if nothing bounds it.
    pub grows: bool,
    /// Its bound, or the setting that bounds it.
    pub bound: String,
}

/// The result of a repair of a memory's form, done or planned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RepairedResponse {
    /// Tenant, learner, and scope, separated by `/`.
    pub memory: String,
    /// True if it was done; false for a dry run.
    pub repaired: bool,
    /// The repairs, done or planned.
    pub faults: Vec<String>,
    /// The faults that no repair fixes, each with its remedy.
    pub left: Vec<String>,
}

/// Manual edits that are part of the history now.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct AdoptedResponse {
    /// Bullets that differed.
    pub adopted: Vec<BulletFinding>,
    /// The delta that adopts them; null if none was needed.
    pub receipt: Option<DeltaApplied>,
    /// Lessons adopted as stored.
    #[schemars(with = "Vec<Id>")]
    pub lessons: Vec<LessonId>,
    /// True if replays start from the stored state now.
    pub rebased: bool,
    /// The events that could not be replayed before; null if all could.
    pub unreplayable: Option<String>,
}
