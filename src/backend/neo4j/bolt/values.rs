//! Conversions of values to parameters, and the keys derived from names.
//!
//! An enum is its word, a missing value a missing property. Derived keys consist of
//! hexadecimal digits only: the server stores such short texts inline in the node's record.

use neo4rs::{BoltList, BoltMap, BoltType, DeError};
use serde::de::DeserializeOwned;

use super::times;
use crate::error::{Failure, Result};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::{derived_hash, hex};

/// Bytes of a hash in a key: enough that no two names with the same key can be found.
const KEY_BYTES: usize = 16;

/// Named values: parameters, or the properties of a node or relationship.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map(BoltMap);

impl Map {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a value; null is left out.
    pub(crate) fn with(mut self, name: &str, value: impl Into<BoltType>) -> Self {
        let value = value.into();
        if !matches!(value, BoltType::Null(_)) {
            self.0.put(name.into(), value);
        }
        self
    }

    /// Adds a value that a statement reads, as null if it is missing: an unset parameter would be an error.
    pub(crate) fn with_optional(mut self, name: &str, value: Option<impl Into<BoltType>>) -> Self {
        self.0.put(name.into(), value.into());
        self
    }

    /// Adds a number; values above `i64::MAX` are refused, since the server's integers are signed.
    pub(crate) fn whole(self, name: &str, value: u64) -> Result<Self> {
        Ok(self.with(name, signed(value)?))
    }

    /// Adds a flag only when it is set.
    pub(crate) fn flag(self, name: &str, value: bool) -> Self {
        if value { self.with(name, true) } else { self }
    }

    /// Adds a list of maps.
    pub(crate) fn list(self, name: &str, values: Vec<Map>) -> Self {
        self.with(name, list_of(values))
    }

    /// The values with their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &BoltType)> {
        let all = self.0.value.iter();
        all.map(|(name, value)| (name.value.as_str(), value))
    }

    /// Bytes on the wire.
    pub(crate) fn packed_bytes(&self) -> usize {
        packed_map(&self.0)
    }

    /// Adds a list of texts.
    pub(crate) fn texts(self, name: &str, values: impl IntoIterator<Item = String>) -> Self {
        self.with(name, list_of(values))
    }
}

/// Reads a value outside a map.
pub(crate) fn read<T: DeserializeOwned>(value: BoltType) -> Result<T, DeError> {
    let mut alone = BoltMap::with_capacity(1);
    alone.put("value".into(), value);
    alone.get("value")
}

/// A list of values.
pub(crate) fn list_of(values: impl IntoIterator<Item = impl Into<BoltType>>) -> BoltType {
    let values: Vec<BoltType> = values.into_iter().map(Into::into).collect();
    BoltType::List(BoltList::from(values))
}

impl From<BoltMap> for Map {
    fn from(map: BoltMap) -> Self {
        Self(map)
    }
}

impl From<Map> for BoltMap {
    fn from(map: Map) -> Self {
        map.0
    }
}

impl From<Map> for BoltType {
    fn from(map: Map) -> Self {
        Self::Map(map.0)
    }
}

/// Bytes of the marker of a text, a list or a map of this length on the wire (PackStream).
pub(super) fn packed_header(len: usize) -> usize {
    match len {
        0..16 => 1,
        16..256 => 2,
        256..65_536 => 3,
        _ => 5,
    }
}

/// Bytes of a text on the wire.
pub(super) fn packed_text(text: &str) -> usize {
    packed_header(text.len()) + text.len()
}

fn packed_map(map: &BoltMap) -> usize {
    let entries = map.value.iter();
    let entries = entries.map(|(name, value)| packed_text(&name.value) + packed_bytes(value));
    packed_header(map.value.len()) + entries.sum::<usize>()
}

fn packed_integer(number: i64) -> usize {
    match number {
        -16..128 => 1,
        -128..-16 => 2,
        -32_768..32_768 => 3,
        -2_147_483_648..2_147_483_648 => 5,
        _ => 9,
    }
}

/// Bytes of a value on the wire.
fn packed_bytes(value: &BoltType) -> usize {
    match value {
        BoltType::Null(_) | BoltType::Boolean(_) => 1,
        BoltType::Integer(number) => packed_integer(number.value),
        BoltType::String(value) => packed_text(&value.value),
        BoltType::List(values) => {
            packed_header(values.len()) + values.iter().map(packed_bytes).sum::<usize>()
        }
        BoltType::Map(map) => packed_map(map),
        BoltType::DateTime(_) => times::parts(value).map_or(9, |(seconds, nanoseconds)| {
            // The marker, the kind, and the offset, which is always 0.
            3 + packed_integer(seconds) + packed_integer(nanoseconds)
        }),
        // Numbers with a point; nothing else is ever sent.
        _ => 9,
    }
}

/// A number as a signed integer; refused above `i64::MAX`.
pub(crate) fn signed(value: u64) -> Result<i64> {
    i64::try_from(value)
        .map_err(|_| Failure::Refused(format!("{value} is above {}; no number is", i64::MAX)))
}

/// An upper bound as a signed integer; nothing stored exceeds `i64::MAX`.
pub(crate) fn bound(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A limit as a signed integer.
pub(crate) fn count(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The key of a learner.
pub(crate) fn owner_key(tenant: &str, learner: &str) -> String {
    short(&["learner", tenant, learner])
}

/// The key of a memory.
pub(crate) fn memory_key(key: &MemoryKey) -> String {
    short(&["memory", key.tenant(), key.learner(), key.scope()])
}

/// Tenant, learner and scope of a memory, as properties.
pub(crate) fn memory_names(key: &MemoryKey) -> Map {
    Map::new()
        .with("tenant", key.tenant())
        .with("learner", key.learner())
        .with("scope", key.scope())
}

/// The key of a bullet: its memory's key, then the digits of its id.
pub(crate) fn bullet_key(memory: &str, id: BulletId) -> String {
    format!("{memory}{}", hex(&id.0))
}

/// The key of a part of a memory, from the part's name.
pub(crate) fn part_key(memory: &str, part: &str) -> String {
    short(&[memory, part])
}

fn short(parts: &[&str]) -> String {
    hex(&derived_hash(parts)[..KEY_BYTES])
}

/// The first words of a text, for captions.
pub(crate) fn title(text: &str) -> String {
    const CHARS: usize = 60;
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}
