//! Bullets as nodes: every field is a property of its own and comes back bit for bit.

use std::collections::BTreeSet;

use neo4rs::BoltType;
use serde::Deserialize;

use crate::bolt::numbers::{count, fraction};
use crate::bolt::times::{Moment, date};
use crate::bolt::values::{
    Map, bullet_key, list_of, memory_names, owner_key, part_key, signed, title,
};
use crate::error::{Failure, Result};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Counts};
use hindlore_domain::memory::content::{Content, ContentHash};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;

/// The properties of a bullet's node that are its fields.
#[derive(Deserialize)]
pub(crate) struct BulletProperties {
    pub(crate) id: String,
    pub(crate) content: String,
    pub(crate) content_hash: String,
    #[serde(rename = "hindlore_hash_key")]
    hash_key: Option<String>,
    legacy_id: Option<String>,
    pub(crate) memory_type: String,
    pub(crate) kind: String,
    pub(crate) status: String,
    pinned: bool,
    #[serde(deserialize_with = "count")]
    helpful: u64,
    #[serde(deserialize_with = "count")]
    harmful: u64,
    #[serde(deserialize_with = "count")]
    neutral: u64,
    #[serde(deserialize_with = "fraction")]
    strength: f64,
    access_index: Option<u64>,
    last_access: Option<Moment>,
    last_used: Option<Moment>,
    created_at: Moment,
    created_tick: u64,
    changed_tick: u64,
    position: u64,
    #[serde(default)]
    tags: Vec<String>,
    section: Option<String>,
    topic: Option<String>,
    concept: Option<String>,
    ttl_days: Option<u32>,
    #[serde(deserialize_with = "fraction")]
    importance: f64,
    pub(crate) source: String,
    pub(crate) merged_into: Option<String>,
    embedding: Option<Vec<f32>>,
}

impl BulletProperties {
    pub(crate) fn into_bullet(self) -> Result<Bullet> {
        let id = parsed(&self.id)?;
        self.with_id(id).map_err(|failure| match failure {
            Failure::Damaged(what) => Failure::Damaged(format!("{what}, in the bullet `{id}`")),
            failure => failure,
        })
    }

    fn with_id(self, id: BulletId) -> Result<Bullet> {
        let content = Content::parse(&self.content, u32::MAX)
            .map_err(|error| Failure::Damaged(format!("a bullet where {error}")))?;
        Ok(Bullet {
            id,
            other_hash: content.other_hash(hash_of(&self.content_hash)?),
            content,
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
            last_access: self.last_access.map(|Moment(at)| at),
            last_used: self.last_used.map(|Moment(at)| at),
            created_at: self.created_at.0,
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

/// Converts bullets and sorts them by position.
pub(crate) fn in_order(found: impl IntoIterator<Item = BulletProperties>) -> Result<Vec<Bullet>> {
    let bullets = found.into_iter().map(BulletProperties::into_bullet);
    let mut bullets = bullets.collect::<Result<Vec<_>>>()?;
    bullets.sort_by_key(|bullet| bullet.position);
    Ok(bullets)
}

/// Parses a word or an id.
pub(crate) fn parsed<T: std::str::FromStr<Err = String>>(text: &str) -> Result<T> {
    text.parse()
        .map_err(|error| Failure::Damaged(format!("a word that cannot be: {error}")))
}

pub(crate) fn hash_of(digits: &str) -> Result<ContentHash> {
    ContentHash::from_hex(digits)
        .ok_or_else(|| Failure::Damaged(format!("`{digits}` as a content hash")))
}

/// All properties of a bullet's node.
pub(crate) fn properties(key: &MemoryKey, memory: &str, bullet: &Bullet) -> Result<Map> {
    let fields = fields(memory, bullet)?.into_iter();
    let shared = memory_names(key).with("hindlore_memory", memory);
    Ok(fields.fold(shared, |map, (name, value)| map.with(name, value)))
}

/// The key of a bullet and its hash key, which is null unless the bullet holds its text.
pub(super) fn hashes(memory: &str, bullet: &Bullet) -> Map {
    Map::new()
        .with("hindlore_key", bullet_key(memory, bullet.id))
        .with("hindlore_hash_key", hash_key(memory, bullet))
}

fn hash_key(memory: &str, bullet: &Bullet) -> Option<String> {
    bullet
        .holds_hash
        .then(|| part_key(memory, &bullet.content_hash().to_hex()))
}

/// The properties as a list, for the statement that takes them by index; without those that all bullets share.
pub(super) fn by_place(memory: &str, bullet: &Bullet) -> Result<BoltType> {
    let fields = fields(memory, bullet)?.into_iter();
    Ok(list_of(fields.map(|(_, value)| value)))
}

/// The properties that differ between bullets, in the order of `bullets/add`; missing ones are null.
fn fields(memory: &str, bullet: &Bullet) -> Result<[(&'static str, BoltType); 31]> {
    let moment = |at: Option<Timestamp>| at.map(date).into();
    let whole = |value: u64| Result::<_>::Ok(BoltType::from(signed(value)?));
    let counts = &bullet.counts;
    Ok([
        ("hindlore_key", bullet_key(memory, bullet.id).into()),
        ("hindlore_hash_key", hash_key(memory, bullet).into()),
        ("title", title(bullet.content.as_str()).into()),
        ("id", bullet.id.to_string().into()),
        ("content", bullet.content.as_str().into()),
        ("content_hash", bullet.content_hash().to_hex().into()),
        ("legacy_id", bullet.legacy_id.clone().into()),
        ("memory_type", bullet.memory_type.word().into()),
        ("kind", bullet.kind.word().into()),
        ("status", bullet.status.word().into()),
        ("pinned", bullet.pinned.into()),
        ("helpful", whole(counts.helpful)?),
        ("harmful", whole(counts.harmful)?),
        ("neutral", whole(counts.neutral)?),
        ("strength", bullet.strength.into()),
        (
            "access_index",
            bullet.access_index.map(whole).transpose()?.into(),
        ),
        ("last_access", moment(bullet.last_access)),
        ("last_used", moment(bullet.last_used)),
        ("created_at", date(bullet.created_at)),
        ("created_tick", whole(bullet.created_tick)?),
        ("changed_tick", whole(bullet.changed_tick)?),
        ("position", whole(bullet.position)?),
        ("tags", list_of(bullet.tags.iter().cloned())),
        ("section", bullet.section.clone().into()),
        ("topic", bullet.topic.clone().into()),
        ("concept", bullet.concept.clone().into()),
        ("ttl_days", bullet.ttl_days.map(i64::from).into()),
        ("importance", bullet.importance.into()),
        ("source", bullet.source.word().into()),
        (
            "merged_into",
            bullet.merged_into.map(|id| id.to_string()).into(),
        ),
        ("embedding", bullet.embedding.as_deref().map(floats).into()),
    ])
}

/// An embedding as 64-bit floats, which hold every 32-bit float exactly.
fn floats(numbers: &[f32]) -> BoltType {
    list_of(numbers.iter().map(|number| f64::from(*number)))
}

/// The tags, topic and concept of a bullet, as a row of `bullets/relabel`.
pub(crate) fn labels(key: &MemoryKey, memory: &str, bullet: &Bullet) -> Map {
    let owner = owner_key(key.tenant(), key.learner());
    let list = |sort: &str, names: &[String]| {
        let named = names.iter().map(|name| named(key, &owner, sort, name));
        named.collect()
    };
    Map::new()
        .with("hindlore_key", bullet_key(memory, bullet.id))
        .list("tags", list("tag", &bullet.tags))
        .list("topics", list("topic", bullet.topic.as_slice()))
        .list("concepts", list("concept", bullet.concept.as_slice()))
}

/// The sorted tags, topics and concepts of some bullets, which rows name by index.
pub(crate) struct Ties<'a> {
    tags: Vec<&'a str>,
    topics: Vec<&'a str>,
    concepts: Vec<&'a str>,
}

impl<'a> Ties<'a> {
    pub(crate) fn new(bullets: &[&'a Bullet]) -> Self {
        let sorted = |names: BTreeSet<&'a str>| names.into_iter().collect();
        let each = || bullets.iter();
        let tags = each().flat_map(|one| one.tags.iter().map(String::as_str));
        Self {
            tags: sorted(tags.collect()),
            topics: sorted(each().filter_map(|one| one.topic.as_deref()).collect()),
            concepts: sorted(each().filter_map(|one| one.concept.as_deref()).collect()),
        }
    }

    /// The nodes of each sort, with all properties.
    fn nodes(&self, key: &MemoryKey) -> [(&'static str, Vec<Map>); 3] {
        let owner = owner_key(key.tenant(), key.learner());
        let nodes = |sort: &str, names: &[&str]| {
            let named = names.iter().map(|name| named(key, &owner, sort, name));
            named.collect()
        };
        [
            ("tags", nodes("tag", &self.tags)),
            ("topics", nodes("topic", &self.topics)),
            ("concepts", nodes("concept", &self.concepts)),
        ]
    }

    /// Adds them with all properties to a request.
    pub(super) fn named(&self, map: Map, key: &MemoryKey) -> Map {
        let nodes = self.nodes(key).into_iter();
        nodes.fold(map, |map, (name, nodes)| map.list(name, nodes))
    }

    /// All of them, of every sort, with their properties.
    pub(crate) fn rows(&self, key: &MemoryKey) -> Vec<Map> {
        let nodes = self.nodes(key).into_iter();
        nodes.flat_map(|(_, nodes)| nodes).collect()
    }

    /// Adds only their keys to a request.
    pub(super) fn keys(&self, map: Map, key: &MemoryKey) -> Map {
        let owner = owner_key(key.tenant(), key.learner());
        let keys = |sort: &'static str, names: &[&str]| -> Vec<String> {
            let keys = names.iter().map(|name| name_key(&owner, sort, name));
            keys.collect()
        };
        map.texts("tags", keys("tag", &self.tags))
            .texts("topics", keys("topic", &self.topics))
            .texts("concepts", keys("concept", &self.concepts))
    }

    /// The indexes of a bullet's tags, topic and concept.
    pub(super) fn places(&self, bullet: &Bullet) -> [BoltType; 3] {
        let places = |names: &[&str], own: &[String]| {
            // The names are sorted, and the names of these bullets are all among them.
            let found = own.iter().map(|name| names.binary_search(&name.as_str()));
            list_of(found.filter_map(|place| i64::try_from(place.ok()?).ok()))
        };
        [
            places(&self.tags, &bullet.tags),
            places(&self.topics, bullet.topic.as_slice()),
            places(&self.concepts, bullet.concept.as_slice()),
        ]
    }
}

/// All properties of a learner's tag, topic or concept.
pub(super) fn named(key: &MemoryKey, owner: &str, sort: &str, name: &str) -> Map {
    Map::new()
        .with("hindlore_key", name_key(owner, sort, name))
        .with("hindlore_owner", owner)
        .with("tenant", key.tenant())
        .with("learner", key.learner())
        .with("name", name)
        .with("title", title(name))
}

/// The key of a learner's tag, topic or concept.
pub(super) fn name_key(owner: &str, sort: &str, name: &str) -> String {
    part_key(owner, &format!("{sort}:{name}"))
}

/// True when a bullet has a tag, a topic or a concept.
pub(super) fn has_labels(bullet: &Bullet) -> bool {
    !bullet.tags.is_empty() || bullet.topic.is_some() || bullet.concept.is_some()
}

/// Keys of bullets, sorted and without duplicates.
pub(super) fn keys(memory: &str, bullets: &[BulletId]) -> Vec<String> {
    let mut keys: Vec<String> = bullets.iter().map(|id| bullet_key(memory, *id)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bolt::values::read;
    use crate::statements::{ADD_BULLETS, CREATE_DELTAS};

    #[test]
    fn the_statements_take_each_property_from_its_place() {
        let texts = [
            ("id", "b_0123456789abcdef0123"),
            ("content", "a text"),
            ("memory_type", "semantic"),
            ("kind", "fact"),
            ("status", "active"),
            ("source", "agent"),
        ];
        let node = texts
            .iter()
            .fold(Map::new(), |map, (name, text)| map.with(name, *text))
            .with("content_hash", "00".repeat(32))
            .with("pinned", false)
            .with("strength", 1.0_f64)
            .with("importance", 0.5_f64);
        let numbers = [
            "helpful",
            "harmful",
            "neutral",
            "created_tick",
            "changed_tick",
            "position",
        ];
        let node = numbers.iter().fold(node, |map, name| map.with(name, 0_i64));
        let bullet: BulletProperties = read(
            node.with("created_at", date(Timestamp::from_millis(-1)))
                .into(),
        )
        .unwrap();
        let bullet = bullet.into_bullet().unwrap();
        let names = fields("", &bullet).unwrap().map(|(name, _)| name);
        for statement in [ADD_BULLETS, CREATE_DELTAS] {
            let body = statement.body();
            for (place, name) in names.iter().enumerate() {
                let taken = format!(" {name}: one[{place}]");
                let stands = [",", "}"].map(|end| body.contains(&format!("{taken}{end}")));
                assert_ne!(stands, [false; 2], "{taken} in {}", statement.name);
            }
            let taken = body.matches(": one[").count();
            assert_eq!(taken, names.len(), "{}", statement.name);
        }
    }
}
