//! The bullet: one strategy, fact or experience that can be put into a prompt.
//!
//! A bullet has exactly one memory type, so it has one strength and one access index; the three columns of the
//! exchange formats are views of them.

pub(super) mod bullet_arena;
pub mod bullet_kind;
pub mod classify;
pub(super) mod counts;
pub(super) mod fields;
pub(super) mod header;
mod packed;
mod string_interner;
mod type_words;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use self::bullet_kind::{Kind, MemoryType, Source, Status};
pub use self::counts::{COUNT_MAX, Counts};
use self::header::BulletHeader;
use super::content::{Content, ContentHash, Identity};
use super::key::MemoryKey;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

const DAY_MS: i64 = 86_400_000;

/// Importance from which on a bullet counts as stored on purpose; that of a text which a person adds.
pub const IMPORTANCE_STORED: f64 = 0.8;

/// The public id of a bullet: `b_` and 20 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BulletId(pub [u8; 10]);

impl BulletId {
    /// Returns the id of the bullet that operation `ordinal` of a delta adds to a memory: the first 80 bits of
    /// SHA-256 over the three, so that it never depends on the content.
    pub fn derive(key: &MemoryKey, delta: &str, ordinal: u64) -> Self {
        let hash = derived_hash(&[&key.derived(), delta, &ordinal.to_string()]);
        let mut id = [0; 10];
        id.copy_from_slice(&hash[..10]);
        Self(id)
    }
}

impl fmt::Display for BulletId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b_{}", hex(&self.0))
    }
}

impl fmt::Debug for BulletId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BulletId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a bullet id (b_ and 20 hex digits)");
        let digits = text
            .strip_prefix("b_")
            .filter(|d| d.len() == 20)
            .ok_or_else(wrong)?;
        let mut id = [0; 10];
        for (byte, pair) in id.iter_mut().zip(digits.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            if pair.contains(|c: char| !matches!(c, '0'..='9' | 'a'..='f')) {
                return Err(wrong());
            }
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(id))
    }
}

impl Serialize for BulletId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BulletId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// One strategy, fact or experience, with all that later decisions read.
#[derive(Clone, PartialEq, Debug)]
pub struct Bullet {
    /// Public id, stable under changes of the content.
    pub id: BulletId,
    /// The text.
    pub content: Content,
    /// Content hash, if it is not that of the text: in a memory that folds case everywhere, or in a store where
    /// one of the two was edited by hand.
    pub other_hash: Option<ContentHash>,
    /// Whether a look-up of its hash finds this bullet; an archived bullet may have released its hash.
    pub holds_hash: bool,
    /// Id of this bullet in another program.
    pub legacy_id: Option<String>,
    /// Memory type, which decides the decay rate.
    pub memory_type: MemoryType,
    /// Its kind: a strategy, a fact and so on.
    pub kind: Kind,
    /// Whether it takes part in retrieval and learning.
    pub status: Status,
    /// Exempt from pruning and expiry.
    pub pinned: bool,
    /// Votes.
    pub counts: Counts,
    /// Strength at the access index, 0 or more; decays from there on.
    pub strength: f64,
    /// Tick of the last touch; `None` if it has not begun to decay.
    pub access_index: Option<u64>,
    /// Time of the last touch.
    pub last_access: Option<Timestamp>,
    /// Time of the last use.
    pub last_used: Option<Timestamp>,
    /// Time of birth, from which the lifetime counts.
    pub created_at: Timestamp,
    /// Tick of the event that added it; 0 for a seed.
    pub created_tick: u64,
    /// Tick of the last event that changed or touched it.
    pub changed_tick: u64,
    /// Rank in the insertion order of its memory, unique there.
    pub position: u64,
    /// Free tags, without names of memory types.
    pub tags: Vec<String>,
    /// Heading in a playbook.
    pub section: Option<String>,
    /// Topic; bullets of different topics never merge.
    pub topic: Option<String>,
    /// Concept within the topic.
    pub concept: Option<String>,
    /// Lifetime in days from birth, after which it expires.
    pub ttl_days: Option<u32>,
    /// Importance, 0..=1.
    pub importance: f64,
    /// Its author.
    pub source: Source,
    /// The bullet that this one was merged into.
    pub merged_into: Option<BulletId>,
    /// Embedding, stored for callers that bring one; no rule reads it.
    pub embedding: Option<Vec<f32>>,
}

impl Bullet {
    /// Returns the fields that decisions over many bullets read.
    pub(super) fn header(&self) -> BulletHeader {
        BulletHeader {
            memory_type: self.memory_type,
            kind: self.kind,
            source: self.source,
            status: self.status,
            pinned: self.pinned,
            holds_hash: self.holds_hash,
            counts: self.counts,
            strength: self.strength,
            access_index: self.access_index,
            created_at: self.created_at,
            created_tick: self.created_tick,
            position: self.position,
            ttl_days: self.ttl_days,
        }
    }

    /// Returns true if the bullet takes part in retrieval and learning.
    pub fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// Returns the hash that look-ups use: that of the text, unless the bullet has another.
    pub fn content_hash(&self) -> ContentHash {
        self.other_hash.unwrap_or_else(|| self.content.hash())
    }

    /// Sets the content hash to that of the text in a memory with this identity.
    #[must_use]
    pub fn with_identity(self, identity: Identity) -> Self {
        let other_hash = self.content.hash_by(identity);
        Self { other_hash, ..self }
    }

    /// Returns true if the bullet's lifetime ended at or before `now`. Pinned bullets never expire.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.header().is_expired(now)
    }

    /// Returns true if the bullet is general advice, which is neither pruned nor counted against the limit.
    pub fn is_meta_strategy(&self) -> bool {
        self.kind == Kind::MetaStrategy
    }

    /// Returns true if the bullet is a seed: general advice that came with the memory. Answers list seeds
    /// apart from the ranking.
    pub fn is_seed(&self) -> bool {
        self.header().is_seed()
    }

    /// Returns true if the bullet was stored on purpose, by a person or with the importance of a person's notes. Such a
    /// bullet needs no votes to be shown at the start of a session.
    pub fn is_stored(&self) -> bool {
        self.source == Source::Person || self.importance >= IMPORTANCE_STORED
    }

    /// Returns the tags with the memory type first, as in prompts and the classic export.
    pub fn tags_with_type(&self) -> Vec<String> {
        let mut tags = vec![self.memory_type.word().to_owned()];
        tags.extend(self.tags.iter().cloned());
        tags
    }
}

/// Returns the lifetime, in days from its birth, of a bullet that absorbs another: unlimited if either is, else
/// until the later of the two ends, rounded to a day.
pub(super) fn merged_lifetime(keep: &Bullet, drop: &Bullet) -> Option<u32> {
    let (own, other) = (keep.ttl_days?, drop.ttl_days?);
    let end = drop.created_at.plus_days(other).millis();
    let lifetime_ms = end.saturating_sub(keep.created_at.millis()).max(0);
    let days = (lifetime_ms + DAY_MS / 2) / DAY_MS;
    Some(own.max(u32::try_from(days).unwrap_or(u32::MAX)))
}

/// Normalises tags: trimmed, unique regardless of case, in order of first appearance, without names of memory
/// types.
pub fn normal_tags<S: AsRef<str>>(raw: impl IntoIterator<Item = S>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for tag in raw {
        let tag = tag.as_ref().trim();
        let folded = tag.to_lowercase();
        let is_new = !tag.is_empty() && MemoryType::from_word(&folded).is_none();
        if is_new && seen.insert(folded) {
            tags.push(tag.to_owned());
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_stable_and_written_as_b_and_hex() {
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let id = BulletId::derive(&key, "d_1", 0);
        assert_eq!(id, BulletId::derive(&key, "d_1", 0));
        assert_ne!(id, BulletId::derive(&key, "d_1", 1));
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in [
            "b_12",
            "x_00000000000000000000",
            "b_0000000000000000000G",
            "b_+0000000000000000000",
        ] {
            assert!(bad.parse::<BulletId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn tags_are_unique_without_case_and_never_name_a_type() {
        let tags = normal_tags([" API ", "api", "Semantic", "", "csv", "procedural", "Csv"]);
        assert_eq!(tags, ["API", "csv"]);
    }
}
