//! The bullet: one strategy, fact or experience that can be put into a prompt.
//!
//! Exactly one memory type is active, so a bullet has one strength and one access index; the three
//! columns of the exchange formats are views of them.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use super::bullet_kind::{Kind, MemoryType, Source, Status};
use super::content::{Content, ContentHash, Identity};
pub use super::counts::{COUNT_MAX, Counts};
use super::header::BulletHeader;
use super::key::MemoryKey;
use crate::identity::{derived_hash, hex};
use crate::timestamp::Timestamp;

const DAY_MS: i64 = 86_400_000;

/// The public id of a bullet: `b_` and 20 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BulletId(pub [u8; 10]);

impl BulletId {
    /// The id of the bullet that operation `ordinal` of a delta makes in a memory: the first 80 bits
    /// of SHA-256 over the three, so that it never depends on the content.
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

/// One strategy, fact or experience, with everything that later decisions read.
#[derive(Clone, PartialEq, Debug)]
pub struct Bullet {
    /// Public id; stable under later changes of the content.
    pub id: BulletId,
    /// The text.
    pub content: Content,
    /// Hash that is kept in place of the text's own: by a memory that folds case everywhere, or by a store
    /// in which a hand changed one of the two.
    pub other_hash: Option<ContentHash>,
    /// True while this bullet is the one that its hash leads to; an archived bullet can have given
    /// it up.
    pub holds_hash: bool,
    /// Id under which another program knew this bullet.
    pub legacy_id: Option<String>,
    /// Decides how fast it fades.
    pub memory_type: MemoryType,
    /// What sort of advice it is.
    pub kind: Kind,
    /// Whether it takes part.
    pub status: Status,
    /// Exempt from prune and expiry.
    pub pinned: bool,
    /// How it was judged.
    pub counts: Counts,
    /// Own strength of the active memory type, 0 or more; fades from the access index on.
    pub strength: f64,
    /// Tick of the last touch; absent: has not begun to fade.
    pub access_index: Option<u64>,
    /// Moment of the last touch of the active memory type.
    pub last_access: Option<Timestamp>,
    /// Moment of the last use.
    pub last_used: Option<Timestamp>,
    /// Moment of birth.
    pub created_at: Timestamp,
    /// Tick of the event that made it; 0 for a seed.
    pub created_tick: u64,
    /// Tick of the last event that changed or touched it.
    pub changed_tick: u64,
    /// Place in the insertion order of its memory, unique there.
    pub position: u64,
    /// Free tags, without the words for memory types.
    pub tags: Vec<String>,
    /// Heading under which it stands in a playbook.
    pub section: Option<String>,
    /// Subject; bullets of different subjects are kept apart.
    pub topic: Option<String>,
    /// Concept inside the subject.
    pub concept: Option<String>,
    /// Days after which it is never returned again.
    pub ttl_days: Option<u32>,
    /// 0..=1.
    pub importance: f64,
    /// Who or what wrote it.
    pub source: Source,
    /// The bullet that this one was merged into.
    pub merged_into: Option<BulletId>,
    /// Optional embedding, kept for those who bring one.
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

    /// True for a bullet that takes part in retrieval and learning.
    pub fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// The hash that it is found by: its text's, unless the store keeps another.
    pub fn content_hash(&self) -> ContentHash {
        self.other_hash.unwrap_or_else(|| self.content.hash())
    }

    /// The bullet with the hash that its text has in a memory of this identity.
    #[must_use]
    pub fn identified(self, identity: Identity) -> Self {
        let other_hash = self.content.hash_by(identity);
        Self { other_hash, ..self }
    }

    /// True when its time to live ended at or before `now`; pinned bullets never expire.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.header().is_expired(now)
    }

    /// True for general advice, which is neither pruned nor counted against the limit.
    pub fn is_meta_strategy(&self) -> bool {
        self.kind == Kind::MetaStrategy
    }

    /// Tells whether the bullet is a seed: general advice that came with the memory. Answers list seeds
    /// apart from the ranking.
    pub fn is_seed(&self) -> bool {
        self.header().is_seed()
    }

    /// The tags as prompts and the classic export show them: the memory type first.
    pub fn tags_with_type(&self) -> Vec<String> {
        let mut tags = vec![self.memory_type.word().to_owned()];
        tags.extend(self.tags.iter().cloned());
        tags
    }
}

/// The days after its birth that a bullet lives when it takes another in: for ever when either does, else
/// until the later of the two ends, to the nearest day.
pub(super) fn longer_life(keep: &Bullet, drop: &Bullet) -> Option<u32> {
    let (own, other) = (keep.ttl_days?, drop.ttl_days?);
    let end = drop.created_at.plus_days(other).millis();
    let lives = end.saturating_sub(keep.created_at.millis()).max(0);
    let days = (lives + DAY_MS / 2) / DAY_MS;
    Some(own.max(u32::try_from(days).unwrap_or(u32::MAX)))
}

/// Brings tags into their one form: trimmed, unique without regard to case, in order of first
/// appearance, without the words for memory types.
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
