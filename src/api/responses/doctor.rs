//! What the doctor answers: what was looked at, what differs from the events, and what was adopted.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::DeltaApplied;
use crate::api::problem::Problem;
use crate::api::schema::Id;
use crate::domain::lesson::ids::LessonId;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::MemoryKey;
use crate::engine::{Difference, Verified};

/// Settings, store and memories in one look.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CheckResponse {
    /// True when nothing that was looked at is an error.
    pub sound: bool,
    /// Number of errors.
    pub errors: usize,
    /// What was looked at.
    pub checks: Vec<Looked>,
}

impl CheckResponse {
    /// Counts the errors among what was looked at.
    pub fn of(checks: Vec<Looked>) -> Self {
        let errors = checks.iter().filter(|one| one.state == "error").count();
        Self {
            sound: errors == 0,
            errors,
            checks,
        }
    }
}

/// Something that was looked at: its name, how it stands, and what to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Looked {
    /// What was looked at.
    pub subject: String,
    /// `ok`, `note` or `error`.
    pub state: &'static str,
    /// What was seen, and what to do.
    pub message: String,
}

impl Looked {
    /// As it should be.
    pub fn ok(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "ok", message)
    }

    /// Works, and somebody should know or mend it.
    pub fn note(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "note", message)
    }

    /// Does not work, or will lose something.
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

/// Memories beside what their events made of them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct VerificationResponse {
    /// True when nothing differs in any of them.
    pub sound: bool,
    /// The memories.
    pub memories: Vec<MemoryFinding>,
}

/// One memory beside what its events made of it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct MemoryFinding {
    /// Tenant, learner and scope, parted by `/`.
    pub memory: String,
    /// True when nothing differs.
    pub sound: bool,
    /// Events that were replayed.
    pub events: u64,
    /// State digest of the store.
    pub stored_digest: String,
    /// State digest of the replay.
    pub replayed_digest: String,
    /// Events that came to something else than their receipts say.
    pub mismatches: Vec<String>,
    /// Bullets that differ.
    pub differences: Vec<BulletFinding>,
    /// What to do where no delta could adopt what differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Why it could not be verified at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

impl MemoryFinding {
    /// What was found in a memory, without a remedy, which is the surface's to word.
    pub fn of(key: &MemoryKey, verified: &Verified) -> Self {
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
            remedy: None,
            unreadable: Some(problem.to_string()),
        }
    }
}

/// A bullet that is not what the events made of it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletFinding {
    /// The bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// `changed`, `missing` from the store, or `unknown` to the history.
    pub what: &'static str,
    /// What differs, field by field; all fields when one side is missing.
    pub fields: Vec<FieldFinding>,
}

/// A field that differs.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FieldFinding {
    /// Its name.
    pub field: String,
    /// As the events made it.
    pub expected: Value,
    /// As the store has it.
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

/// The field of a bullet that a difference names.
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
        "strength" => json!(bullet.strength),
        "access_index" => json!(bullet.access_index),
        "created_tick" => json!(bullet.created_tick),
        "changed_tick" => json!(bullet.changed_tick),
        "tags" => json!(bullet.tags),
        "section" => json!(bullet.section),
        "topic" => json!(bullet.topic),
        "concept" => json!(bullet.concept),
        "ttl_days" => json!(bullet.ttl_days),
        "importance" => json!(bullet.importance),
        "source" => json!(bullet.source),
        "merged_into" => json!(bullet.merged_into),
        "created_at" => json!(bullet.created_at),
        "last_used" => json!(bullet.last_used),
        "legacy_id" => json!(bullet.legacy_id),
        _ => Value::Null,
    }
}

/// What was done by hand and is history now.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct AdoptedResponse {
    /// Bullets that differed.
    pub adopted: Vec<BulletFinding>,
    /// The delta that adopts them; null where there was nothing that a delta can say.
    pub receipt: Option<DeltaApplied>,
    /// Lessons that are taken as they stand.
    #[schemars(with = "Vec<Id>")]
    pub lessons: Vec<LessonId>,
    /// True when replays start from the stored state now.
    pub rebased: bool,
    /// What could not be replayed before; null where all could.
    pub unreplayable: Option<String>,
}
