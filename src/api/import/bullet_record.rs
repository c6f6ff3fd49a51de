//! One record of a JSON playbook, under any program's field names.

use serde_json::{Map, Value};

use super::record::{Out, Unknown, fields, kind_or_tag, label, own_or_key, tags, text, time};
use crate::fields::{Shape, Table};
use crate::json::Member;
use hindlore_domain::memory::bullet::{Kind, MemoryType, Source};
use hindlore_domain::memory::delta::NewBullet;

/// All fields that are taken, or known not to describe a bullet.
const RECORD: Table = &[
    ("id", Shape::Any),
    ("title", Shape::Text),
    ("content", Shape::Text),
    ("text", Shape::Text),
    ("issue", Shape::Text),
    ("insight", Shape::Text),
    ("section", Shape::Text),
    ("category", Shape::Text),
    ("tags", Shape::Texts),
    ("tags_str", Shape::Any),
    ("keywords", Shape::Texts),
    ("categories", Shape::Texts),
    ("metadata", Shape::Any),
    ("helpful", Shape::Count),
    ("harmful", Shape::Count),
    ("neutral", Shape::Count),
    ("helpful_count", Shape::Count),
    ("harmful_count", Shape::Count),
    ("neutral_count", Shape::Count),
    ("used_count", Shape::Any),
    ("created_at", Shape::Time),
    ("created", Shape::Time),
    ("created_at_iso", Shape::Any),
    ("timestamp", Shape::Any),
    ("updated_at", Shape::Any),
    ("updated_at_iso", Shape::Any),
    ("content_hash", Shape::Any),
    ("last_updated", Shape::Any),
    ("last_used", Shape::Any),
    ("embedding", Shape::Vector),
    ("memory_type", Shape::Text),
    ("kind", Shape::Text),
    ("type", Shape::Any),
    ("topic", Shape::Text),
    ("concept", Shape::Text),
    ("importance", Shape::Share),
    ("ttl_days", Shape::Days),
    ("pinned", Shape::Flag),
    ("status", Shape::Text),
    ("active", Shape::Flag),
    ("archived", Shape::Flag),
    ("justification", Shape::Any),
    ("evidence", Shape::Any),
    ("sources", Shape::Any),
    ("occurrences", Shape::Any),
];

/// Words of a status in which a record is not in use.
const OUT_OF_USE: [&str; 7] = [
    "archived",
    "deleted",
    "deprecated",
    "disabled",
    "inactive",
    "invalid",
    "removed",
];

/// Reads a record.
pub(super) fn new_bullet(member: &Member<'_>, unknown: &mut Unknown) -> Result<NewBullet, Out> {
    let object = fields(member, RECORD, unknown)?;
    if let Some(reason) = out_of_use(&object) {
        return Err(Out::Left(reason));
    }
    let count = |name: &str, other: &str| {
        let found = object.get(name).or_else(|| object.get(other));
        found.and_then(Value::as_u64).unwrap_or_default()
    };
    let mut tags = tags(&object);
    let kind = word(&object, "kind").and_then(|word| Kind::from_word(&word));
    let kind = kind.or_else(|| kind_or_tag(&object, &mut tags));
    let times = ["created_at", "created", "created_at_iso", "timestamp"];
    Ok(NewBullet {
        content: said(&object)?,
        section: label(&object, "section").or_else(|| label(&object, "category")),
        tags,
        memory_type: word(&object, "memory_type").and_then(|word| MemoryType::from_word(&word)),
        kind,
        topic: label(&object, "topic"),
        concept: label(&object, "concept"),
        ttl_days: object
            .get("ttl_days")
            .and_then(Value::as_u64)
            .and_then(|n| u32::try_from(n).ok()),
        importance: object.get("importance").and_then(Value::as_f64),
        helpful: count("helpful", "helpful_count"),
        harmful: count("harmful", "harmful_count"),
        neutral: count("neutral", "neutral_count"),
        source: Some(Source::Import),
        created_at: times.iter().find_map(|name| time(&object, name)),
        last_used: time(&object, "last_used"),
        legacy_id: own_or_key(&object, member),
        pinned: object
            .get("pinned")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
        embedding: object
            .get("embedding")
            .and_then(|list| serde_json::from_value(list.clone()).ok()),
        ..NewBullet::default()
    })
}

fn word(object: &Map<String, Value>, name: &str) -> Option<String> {
    label(object, name).map(|word| word.to_lowercase())
}

fn out_of_use(object: &Map<String, Value>) -> Option<String> {
    let flag = |name: &str| object.get(name).and_then(Value::as_bool);
    if let Some(status) = word(object, "status").filter(|word| OUT_OF_USE.contains(&word.as_str()))
    {
        return Some(format!("it is {status} there"));
    }
    match (flag("archived"), flag("active")) {
        (Some(true), _) => Some("it is archived there".to_owned()),
        (_, Some(false)) => Some("it is inactive there".to_owned()),
        _ => None,
    }
}

/// The text of a record: a title or an issue comes before it.
fn said(object: &Map<String, Value>) -> Result<String, String> {
    let said = text(object, "content")
        .or_else(|| text(object, "text"))
        .or_else(|| text(object, "insight"))
        .or_else(|| text(object, "issue"));
    let said = said.ok_or("`content` is missing")?;
    if said.trim().is_empty() {
        return Err("the content is empty".to_owned());
    }
    let before = label(object, "title").or_else(|| label(object, "issue"));
    Ok(titled(before.as_deref(), &said))
}

/// A text with its title before it, unless it begins with it.
pub(super) fn titled(title: Option<&str>, text: &str) -> String {
    let title = title.map(|title| title.trim().trim_end_matches(['.', ':']).trim_end());
    match title.filter(|title| !title.is_empty() && !text.trim_start().starts_with(title)) {
        Some(title) => format!("{title}: {text}"),
        None => text.to_owned(),
    }
}
