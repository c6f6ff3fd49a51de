//! Bullets as nodes: every field is a property of its own and comes back bit for bit.

use std::collections::BTreeSet;

use neo4rs::BoltType;
use serde::Deserialize;

use super::error::{Failure, Work};
use super::values::{Map, bullet_key, list_of, owner_key, part_key, title};
use crate::domain::memory::bullet::{Bullet, BulletId, Counts};
use crate::domain::memory::content::{Content, ContentHash};
use crate::domain::memory::key::MemoryKey;
use crate::domain::timestamp::Timestamp;

/// The properties of a bullet that are fields of it.
#[derive(Deserialize)]
pub(super) struct BulletProperties {
    id: String,
    content: String,
    content_hash: String,
    hash_key: Option<String>,
    legacy_id: Option<String>,
    memory_type: String,
    kind: String,
    status: String,
    pinned: bool,
    helpful: u64,
    harmful: u64,
    neutral: u64,
    strength: f64,
    access_index: Option<u64>,
    last_access: Option<i64>,
    last_used: Option<i64>,
    created_at: i64,
    created_tick: u64,
    changed_tick: u64,
    position: u64,
    tags: Vec<String>,
    section: Option<String>,
    topic: Option<String>,
    concept: Option<String>,
    ttl_days: Option<u32>,
    importance: f64,
    source: String,
    merged_into: Option<String>,
    embedding: Option<Vec<f32>>,
}

impl BulletProperties {
    pub(super) fn into_bullet(self) -> Work<Bullet> {
        let moment = Timestamp::from_millis;
        Ok(Bullet {
            id: parsed(&self.id)?,
            content_hash: hash_of(&self.content_hash)?,
            content: Content::parse(&self.content, u32::MAX)
                .map_err(|error| Failure::Damaged(format!("a bullet where {error}")))?,
            holds_hash: self.hash_key.is_some(),
            legacy_id: self.legacy_id,
            memory_type: parsed(&self.memory_type)?,
            kind: parsed(&self.kind)?,
            status: parsed(&self.status)?,
            pinned: self.pinned,
            counts: Counts {
                helpful: self.helpful,
                harmful: self.harmful,
                neutral: self.neutral,
            },
            strength: self.strength,
            access_index: self.access_index,
            last_access: self.last_access.map(moment),
            last_used: self.last_used.map(moment),
            created_at: moment(self.created_at),
            created_tick: self.created_tick,
            changed_tick: self.changed_tick,
            position: self.position,
            tags: self.tags,
            section: self.section,
            topic: self.topic,
            concept: self.concept,
            ttl_days: self.ttl_days,
            importance: self.importance,
            source: parsed(&self.source)?,
            merged_into: self.merged_into.as_deref().map(parsed).transpose()?,
            embedding: self.embedding,
        })
    }
}

/// Bullets in the order of the contract.
pub(super) fn in_order(found: impl IntoIterator<Item = BulletProperties>) -> Work<Vec<Bullet>> {
    let bullets = found.into_iter().map(BulletProperties::into_bullet);
    let mut bullets = bullets.collect::<Work<Vec<_>>>()?;
    bullets.sort_by_key(|bullet| bullet.position);
    Ok(bullets)
}

/// Reads a word or an id.
pub(super) fn parsed<T: std::str::FromStr<Err = String>>(text: &str) -> Work<T> {
    text.parse()
        .map_err(|error| Failure::Damaged(format!("a word that cannot be: {error}")))
}

fn hash_of(digits: &str) -> Work<ContentHash> {
    let mut hash = [0; 32];
    let pairs = digits.as_bytes().chunks(2);
    let is_whole = pairs.len() == hash.len() && digits.len() == 64 && digits.is_ascii();
    for (byte, pair) in hash.iter_mut().zip(pairs) {
        let value = std::str::from_utf8(pair)
            .ok()
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        *byte = value
            .filter(|_| is_whole)
            .ok_or_else(|| Failure::Damaged(format!("`{digits}` as a content hash")))?;
    }
    Ok(ContentHash(hash))
}

/// All properties of a bullet of a memory.
pub(super) fn properties(key: &MemoryKey, memory: &str, bullet: &Bullet) -> Work<Map> {
    let millis = |moment: Option<Timestamp>| moment.map(Timestamp::millis);
    let held = || part_key(memory, &bullet.content_hash.to_hex());
    let map = Map::new()
        .with("key", bullet_key(memory, bullet.id))
        .with("memory", memory)
        .with("hash_key", bullet.holds_hash.then(held))
        .with("tenant", key.tenant())
        .with("learner", key.learner())
        .with("scope", key.scope())
        .with("title", title(bullet.content.as_str()))
        .with("id", bullet.id.to_string())
        .with("content", bullet.content.as_str())
        .with("content_hash", bullet.content_hash.to_hex())
        .with("legacy_id", bullet.legacy_id.clone())
        .with("memory_type", bullet.memory_type.word())
        .with("kind", bullet.kind.word())
        .with("status", bullet.status.word())
        .with("pinned", bullet.pinned)
        .whole("helpful", bullet.counts.helpful)?
        .whole("harmful", bullet.counts.harmful)?
        .whole("neutral", bullet.counts.neutral)?
        .with("strength", bullet.strength)
        .with("last_access", millis(bullet.last_access))
        .with("last_used", millis(bullet.last_used))
        .with("created_at", bullet.created_at.millis())
        .whole("created_tick", bullet.created_tick)?
        .whole("changed_tick", bullet.changed_tick)?
        .whole("position", bullet.position)?
        .texts("tags", bullet.tags.iter().cloned())
        .with("section", bullet.section.clone())
        .with("topic", bullet.topic.clone())
        .with("concept", bullet.concept.clone())
        .with("ttl_days", bullet.ttl_days.map(i64::from))
        .with("importance", bullet.importance)
        .with("source", bullet.source.word())
        .with("merged_into", bullet.merged_into.map(|id| id.to_string()))
        .with("embedding", bullet.embedding.as_deref().map(floats));
    match bullet.access_index {
        Some(index) => map.whole("access_index", index),
        None => Ok(map),
    }
}

/// An embedding as 64-bit numbers, which hold every 32-bit one exactly.
fn floats(numbers: &[f32]) -> BoltType {
    list_of(numbers.iter().map(|number| f64::from(*number)))
}

/// The tags, the topic and the concept of a bullet as what it is tied to.
pub(super) fn labels(key: &MemoryKey, memory: &str, bullet: &Bullet) -> Map {
    let owner = owner_key(key.tenant(), key.learner());
    let list = |sort: &str, names: &[String]| {
        let named = names.iter().map(|name| named(key, &owner, (sort, name)));
        named.collect()
    };
    Map::new()
        .with("key", bullet_key(memory, bullet.id))
        .list("tags", list("tag", &bullet.tags))
        .list("topics", list("topic", bullet.topic.as_slice()))
        .list("concepts", list("concept", bullet.concept.as_slice()))
}

/// The tags, topics and concepts of some bullets, each once.
pub(super) fn names(key: &MemoryKey, bullets: &[&Bullet]) -> Map {
    let owner = owner_key(key.tenant(), key.learner());
    let list = |sort: &str, names: BTreeSet<&String>| {
        let named = names.iter().map(|name| named(key, &owner, (sort, name)));
        named.collect()
    };
    let each = || bullets.iter();
    Map::new()
        .list("tags", list("tag", each().flat_map(|b| &b.tags).collect()))
        .list(
            "topics",
            list("topic", each().flat_map(|b| &b.topic).collect()),
        )
        .list(
            "concepts",
            list("concept", each().flat_map(|b| &b.concept).collect()),
        )
}

/// The keys of the tags, the topic and the concept of a bullet.
pub(super) fn tied(key: &MemoryKey, bullet: &Bullet) -> Map {
    let owner = owner_key(key.tenant(), key.learner());
    let keys = |sort: &'static str, names: &[String]| -> Vec<String> {
        names
            .iter()
            .map(|name| name_key(&owner, sort, name))
            .collect()
    };
    Map::new()
        .texts("tags", keys("tag", &bullet.tags))
        .texts("topics", keys("topic", bullet.topic.as_slice()))
        .texts("concepts", keys("concept", bullet.concept.as_slice()))
}

/// All properties of a tag, a topic or a concept of a learner.
pub(super) fn named(key: &MemoryKey, owner: &str, (sort, name): (&str, &str)) -> Map {
    Map::new()
        .with("key", name_key(owner, sort, name))
        .with("owner", owner)
        .with("tenant", key.tenant())
        .with("learner", key.learner())
        .with("name", name)
        .with("title", title(name))
}

/// The key of a tag, a topic or a concept of a learner.
pub(super) fn name_key(owner: &str, sort: &str, name: &str) -> String {
    part_key(owner, &format!("{sort}:{name}"))
}

/// True when a bullet is tied to anything.
pub(super) fn has_labels(bullet: &Bullet) -> bool {
    !bullet.tags.is_empty() || bullet.topic.is_some() || bullet.concept.is_some()
}

/// Keys of bullets, each once and in order.
pub(super) fn keys(memory: &str, bullets: &[BulletId]) -> Vec<String> {
    let mut keys: Vec<String> = bullets.iter().map(|id| bullet_key(memory, *id)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}
