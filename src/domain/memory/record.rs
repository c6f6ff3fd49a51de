//! The exchange form of a bullet: every field by the name that the seeds and exports use.
//!
//! History stores the earlier states of bullets in this form too, so that undo and `as_of` restore them
//! exactly.

use serde::{Deserialize, Serialize};

use super::bullet::fields::{check_embedding, check_name};
use super::bullet::{
    Bullet, BulletId, COUNT_MAX, Counts, Kind, MemoryType, Source, Status, normal_tags,
};
use super::content::{Content, ContentHash};
use hindlore_primitives::timestamp::Timestamp;

/// Maximum tags of a record: more than one ADD may have, since merges unite tags.
const TAGS_MAX: usize = 4_096;

/// All fields of a bullet. Of the three strengths, accesses and indices, those of its memory type are used; the
/// others are 0 or `None`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(
    missing_docs,
    reason = "the fields are those of a bullet under their exchange names"
)]
pub struct BulletRecord {
    pub id: BulletId,
    pub content: String,
    pub helpful_count: u64,
    pub harmful_count: u64,
    #[serde(default)]
    pub neutral_count: u64,
    pub created_at: Timestamp,
    #[serde(default)]
    pub last_used: Option<Timestamp>,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub semantic_strength: f64,
    #[serde(default)]
    pub episodic_strength: f64,
    #[serde(default)]
    pub procedural_strength: f64,
    #[serde(default)]
    pub semantic_last_access: Option<Timestamp>,
    #[serde(default)]
    pub episodic_last_access: Option<Timestamp>,
    #[serde(default)]
    pub procedural_last_access: Option<Timestamp>,
    #[serde(default)]
    pub semantic_access_index: Option<u64>,
    #[serde(default)]
    pub episodic_access_index: Option<u64>,
    #[serde(default)]
    pub procedural_access_index: Option<u64>,
    #[serde(default)]
    pub learner_id: Option<String>,
    #[serde(default)]
    pub topic: Option<String>,
    #[serde(default)]
    pub concept: Option<String>,
    pub memory_type: MemoryType,
    #[serde(default)]
    pub ttl_days: Option<u32>,
    #[serde(default)]
    pub content_hash: Option<String>,
    #[serde(default)]
    pub context_scope_id: Option<String>,
    #[serde(default)]
    pub tenant: Option<String>,
    #[serde(default)]
    pub section: Option<String>,
    #[serde(default = "default_importance")]
    pub importance: f64,
    #[serde(default)]
    pub pinned: bool,
    pub status: Status,
    pub kind: Kind,
    pub source: Source,
    #[serde(default)]
    pub created_tick: u64,
    #[serde(default)]
    pub changed_tick: u64,
    #[serde(default)]
    pub position: u64,
    #[serde(default = "yes")]
    pub holds_hash: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<BulletId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legacy_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Vec<f32>>,
}

impl BulletRecord {
    /// Creates the record of a bullet, without the names of its memory.
    pub fn from_bullet(bullet: &Bullet) -> Self {
        let active = bullet.memory_type;
        let strength = |t| if t == active { bullet.strength } else { 0.0 };
        let access = |t| {
            if t == active {
                bullet.last_access
            } else {
                None
            }
        };
        let index = |t| {
            if t == active {
                bullet.access_index
            } else {
                None
            }
        };
        Self {
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
            helpful_count: bullet.counts.helpful,
            harmful_count: bullet.counts.harmful,
            neutral_count: bullet.counts.neutral,
            created_at: bullet.created_at,
            last_used: bullet.last_used,
            tags: bullet.tags.clone(),
            semantic_strength: strength(MemoryType::Semantic),
            episodic_strength: strength(MemoryType::Episodic),
            procedural_strength: strength(MemoryType::Procedural),
            semantic_last_access: access(MemoryType::Semantic),
            episodic_last_access: access(MemoryType::Episodic),
            procedural_last_access: access(MemoryType::Procedural),
            semantic_access_index: index(MemoryType::Semantic),
            episodic_access_index: index(MemoryType::Episodic),
            procedural_access_index: index(MemoryType::Procedural),
            learner_id: None,
            topic: bullet.topic.clone(),
            concept: bullet.concept.clone(),
            memory_type: active,
            ttl_days: bullet.ttl_days,
            content_hash: Some(bullet.content_hash().to_hex()),
            context_scope_id: None,
            tenant: None,
            section: bullet.section.clone(),
            importance: bullet.importance,
            pinned: bullet.pinned,
            status: bullet.status,
            kind: bullet.kind,
            source: bullet.source,
            created_tick: bullet.created_tick,
            changed_tick: bullet.changed_tick,
            position: bullet.position,
            holds_hash: bullet.holds_hash,
            merged_into: bullet.merged_into,
            legacy_id: bullet.legacy_id.clone(),
            embedding: bullet.embedding.clone(),
        }
    }

    /// Builds the bullet of a record; `Err` names the fault.
    pub fn to_bullet(&self, max_content_chars: u32) -> Result<Bullet, String> {
        let content =
            Content::parse(&self.content, max_content_chars).map_err(|e| e.to_string())?;
        let (strength, last_access, access_index) = self.active_component();
        if !strength.is_finite() || strength < 0.0 {
            return Err(format!("the strength is {strength}; it must be 0 or more"));
        }
        if !(0.0..=1.0).contains(&self.importance) {
            return Err(format!(
                "the importance is {}; it must lie in 0..=1",
                self.importance
            ));
        }
        check_embedding(self.embedding.as_deref())?;
        Ok(Bullet {
            id: self.id,
            other_hash: None,
            content,
            holds_hash: self.holds_hash,
            legacy_id: self.legacy_id.clone(),
            memory_type: self.memory_type,
            kind: self.kind,
            status: self.status,
            pinned: self.pinned,
            counts: self.counts(),
            strength,
            access_index,
            last_access,
            last_used: self.last_used,
            created_at: self.created_at,
            created_tick: self.created_tick,
            changed_tick: self.changed_tick,
            position: self.position,
            tags: normal_tags(&self.tags),
            section: self.section.clone(),
            topic: self.topic.clone(),
            concept: self.concept.clone(),
            ttl_days: self.ttl_days,
            importance: self.importance,
            source: self.source,
            merged_into: self.merged_into,
            embedding: self.embedding.clone(),
        })
    }

    /// Checks that a memory at `clock` can have such a bullet, as ADD checks its input; `Err` lists all faults.
    pub fn check(&self, clock: u64) -> Result<(), String> {
        let faults = self.faults(clock);
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults.join("; "))
        }
    }

    /// Returns everything in the record that no bullet of a memory at `clock` can have.
    pub fn faults(&self, clock: u64) -> Vec<String> {
        let mut faults: Vec<String> = [
            ("section", &self.section),
            ("topic", &self.topic),
            ("concept", &self.concept),
            ("legacy_id", &self.legacy_id),
        ]
        .into_iter()
        .filter_map(|(name, value)| check_name(name, value.as_deref()).err())
        .collect();
        let mut tags = self.tags.iter();
        let bad_tag = tags.find_map(|tag| check_name("tag", Some(tag)).err());
        faults.extend(bad_tag);
        if self.tags.len() > TAGS_MAX {
            faults.push(format!(
                "there are {} tags; the limit is {TAGS_MAX}",
                self.tags.len()
            ));
        }
        let counts = self.counts();
        let largest = counts.helpful.max(counts.harmful).max(counts.neutral);
        if largest > COUNT_MAX {
            faults.push(format!("a count is above {COUNT_MAX}"));
        }
        let indices = [
            self.semantic_access_index,
            self.episodic_access_index,
            self.procedural_access_index,
            Some(self.created_tick),
            Some(self.changed_tick),
        ];
        let late = indices.into_iter().flatten().find(|tick| *tick > clock);
        faults.extend(late.map(|tick| format!("the tick {tick} is after the clock {clock}")));
        if self.status != Status::Archived && !self.holds_hash {
            faults.push(format!(
                "it is {}, but does not hold its text, which another bullet could take",
                self.status
            ));
        }
        if self.status != Status::Archived && self.merged_into.is_some() {
            faults.push(format!(
                "it is {}, but was merged into another",
                self.status
            ));
        }
        faults.extend(self.strength_fault());
        faults.extend(self.hash_fault());
        faults
    }

    fn strength_fault(&self) -> Option<String> {
        let (strength, ..) = self.active_component();
        let is_possible = strength.is_finite() && strength >= 0.0;
        (!is_possible).then(|| format!("the strength is {strength}; it must be 0 or more"))
    }

    fn hash_fault(&self) -> Option<String> {
        let given = self.content_hash.as_deref()?;
        let content = Content::parse(&self.content, u32::MAX).ok()?;
        let folded = || ContentHash::folded(&self.content).to_hex();
        let is_own = given == content.hash().to_hex() || given == folded();
        (!is_own).then(|| "the content hash is not that of the content".to_owned())
    }

    /// Returns the three counts.
    pub fn counts(&self) -> Counts {
        Counts {
            helpful: self.helpful_count,
            harmful: self.harmful_count,
            neutral: self.neutral_count,
        }
    }

    fn active_component(&self) -> (f64, Option<Timestamp>, Option<u64>) {
        match self.memory_type {
            MemoryType::Semantic => (
                self.semantic_strength,
                self.semantic_last_access,
                self.semantic_access_index,
            ),
            MemoryType::Episodic => (
                self.episodic_strength,
                self.episodic_last_access,
                self.episodic_access_index,
            ),
            MemoryType::Procedural => (
                self.procedural_strength,
                self.procedural_last_access,
                self.procedural_access_index,
            ),
        }
    }
}

fn default_importance() -> f64 {
    0.5
}

fn yes() -> bool {
    true
}
