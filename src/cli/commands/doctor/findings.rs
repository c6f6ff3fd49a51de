//! What a verification found, for programs and for people.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::api::problem::Problem;
use crate::cli::output::words::plural;
use crate::cli::output::{Page, Tone};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::MemoryKey;
use crate::engine::{Difference, Verified};

/// Differences of one memory that are shown to people.
const SHOWN_MAX: usize = 50;

/// One memory beside what its events made of it.
#[derive(Debug, Serialize)]
pub(super) struct MemoryFinding {
    /// Whose.
    pub(super) memory: String,
    /// True when nothing differs.
    pub(super) sound: bool,
    /// Events that were replayed.
    pub(super) events: u64,
    /// State digest of the store.
    pub(super) stored_digest: String,
    /// State digest of the replay.
    pub(super) replayed_digest: String,
    /// Events that came to something else than their receipts say.
    pub(super) mismatches: Vec<String>,
    /// Bullets that differ.
    pub(super) differences: Vec<BulletFinding>,
    /// What to do where no delta could adopt what differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<String>,
    /// Why it could not be verified at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unreadable: Option<String>,
}

/// A bullet that is not what the events made of it.
#[derive(Debug, Serialize)]
pub(super) struct BulletFinding {
    /// The bullet.
    pub(super) id: BulletId,
    /// `changed`, `missing` from the store, or `unknown` to the history.
    pub(super) what: &'static str,
    /// What differs, field by field; all fields when one side is missing.
    pub(super) fields: Vec<FieldFinding>,
}

/// A field that differs.
#[derive(Debug, Serialize)]
pub(super) struct FieldFinding {
    /// Its name.
    pub(super) field: String,
    /// As the events made it.
    pub(super) expected: Value,
    /// As the store has it.
    pub(super) stored: Value,
}

/// What to do about a memory whose events do not lead to it.
pub(super) fn remedy(key: &MemoryKey, what: &str) -> String {
    let name = |name: &str| name.replace('\'', "'\\''");
    format!(
        "{what}; if the stored memory is right, `mnemograph doctor adopt --learner '{}' --scope '{}' --rebase \
         --reason WHY --yes` makes it the state from which replays start",
        name(key.learner()),
        name(key.scope())
    )
}

impl MemoryFinding {
    /// What was found in a memory.
    pub(super) fn of(key: &MemoryKey, verified: Verified) -> Self {
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
            remedy: verified.unreplayable().map(|what| remedy(key, &what)),
            differences: verified.differences.iter().map(BulletFinding::of).collect(),
            stored_digest: verified.stored_digest,
            replayed_digest: verified.replayed_digest,
            unreadable: None,
        }
    }

    /// A memory that could not be verified.
    pub(super) fn unreadable(key: &MemoryKey, problem: &Problem) -> Self {
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

    /// Writes it for people.
    pub(super) fn write(&self, page: &mut Page) {
        if self.sound {
            let (memory, events) = (&self.memory, self.events);
            page.line(
                Tone::Good,
                format_args!("{memory}: sound, {} replayed", plural(events, "event")),
            );
            return;
        }
        if let Some(what) = &self.unreadable {
            page.line(Tone::Bad, format_args!("{}: NOT sound", self.memory));
            page.prose(Tone::Bad, 2, what);
            return;
        }
        let count = self.differences.len();
        page.line(
            Tone::Bad,
            format_args!(
                "{}: NOT sound, {} not as the events made them",
                self.memory,
                plural(count, "bullet")
            ),
        );
        page.field("stored", &self.stored_digest);
        page.field("replayed", &self.replayed_digest);
        for mismatch in self.mismatches.iter().take(SHOWN_MAX) {
            page.prose(Tone::Bad, 2, mismatch);
        }
        if let Some(remedy) = &self.remedy {
            page.prose(Tone::Bad, 2, remedy);
        }
        for difference in self.differences.iter().take(SHOWN_MAX) {
            difference.write(page);
        }
        if count > SHOWN_MAX {
            let more = count - SHOWN_MAX;
            page.line(
                Tone::Faint,
                format_args!("  and {more} more; --json has all"),
            );
        }
        if count == 0 && self.mismatches.is_empty() {
            let text = "clock, revision or policy of the memory differ, no bullet does";
            page.line(Tone::Bad, format_args!("  {text}"));
        }
    }
}

impl BulletFinding {
    /// What was found in a bullet.
    pub(super) fn of(difference: &Difference) -> Self {
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

    /// Writes it for people.
    pub(super) fn write(&self, page: &mut Page) {
        let what = match self.what {
            "missing" => "is missing from the store",
            "unknown" => "was made by no event",
            _ => "was changed",
        };
        page.line(Tone::Heading, format_args!("  {} {what}", self.id));
        for field in &self.fields {
            page.line(Tone::Plain, format_args!("    {}", field.field));
            page.hanging(Tone::Good, "      expected  ", &words(&field.expected));
            page.hanging(Tone::Bad, "      stored    ", &words(&field.stored));
        }
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(nothing)".to_owned(),
        other => other.to_string(),
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
