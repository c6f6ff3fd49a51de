//! Open conflicts, and what was decided about one.

use schemars::JsonSchema;
use serde::Serialize;

use super::applied::DeltaApplied;
use super::lessons::ConflictResponse;
use crate::api::schema::{Id, Time, Word};
use crate::domain::lesson::ids::LessonId;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::timestamp::Timestamp;
use crate::engine::lessons::Conflicts;
use crate::engine::{AppliedDelta, ConflictingBullets};
use crate::store::lessons::rows::{Conflict, Settled};

/// Pairs that contradict each other and wait for a decision.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct OpenConflictsResponse {
    /// Pairs of bullets, by the insertion order of the later one.
    pub bullets: Vec<BulletPairResponse>,
    /// Pairs of lessons, by their ids.
    pub lessons: Vec<LessonPairResponse>,
    /// True if there are more pairs of either.
    pub more: bool,
}

/// Two bullets that contradict each other, the earlier one first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletPairResponse {
    /// The earlier one.
    pub first: SideResponse,
    /// The later one.
    pub second: SideResponse,
    /// What contradicts what.
    pub reason: Option<String>,
    /// Similarity of the texts, in 0..=1.
    pub similarity: Option<f64>,
}

/// One of two bullets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SideResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub content: String,
    /// Helpful votes.
    pub helpful: u64,
    /// Harmful votes.
    pub harmful: u64,
}

/// Two lessons that contradict each other.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LessonPairResponse {
    /// The pair.
    #[serde(flatten)]
    pub pair: ConflictResponse,
    /// What the first says.
    pub first_rule: String,
    /// What the second says.
    pub second_rule: String,
}

impl OpenConflictsResponse {
    /// The pairs of a memory and of its learner.
    pub fn new(bullets: (Vec<ConflictingBullets>, bool), lessons: Conflicts) -> Self {
        let (pairs, is_cut) = bullets;
        let rule = |id: LessonId| {
            let lesson = lessons.lessons.get(&id);
            lesson
                .map(|lesson| lesson.rule.as_str().to_owned())
                .unwrap_or_default()
        };
        let more = is_cut || lessons.page.next.is_some();
        let rows = lessons.page.rows.iter().cloned();
        Self {
            bullets: pairs.iter().map(Into::into).collect(),
            lessons: rows
                .map(|row| LessonPairResponse {
                    first_rule: rule(row.first),
                    second_rule: rule(row.second),
                    pair: row.into(),
                })
                .collect(),
            more,
        }
    }
}

impl From<&ConflictingBullets> for BulletPairResponse {
    fn from(pair: &ConflictingBullets) -> Self {
        Self {
            first: (&pair.first).into(),
            second: (&pair.second).into(),
            reason: pair.reason.clone(),
            similarity: pair.similarity,
        }
    }
}

impl From<&Bullet> for SideResponse {
    fn from(bullet: &Bullet) -> Self {
        Self {
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
            helpful: bullet.counts.helpful,
            harmful: bullet.counts.harmful,
        }
    }
}

/// A decision about a pair.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ResolvedResponse {
    /// The delta that records a decision about bullets; null for lessons.
    pub applied: Option<DeltaApplied>,
    /// The recorded decision about lessons; null for bullets.
    pub settled: Option<SettledResponse>,
}

/// A recorded decision about two lessons.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SettledResponse {
    /// The pair.
    #[serde(flatten)]
    pub pair: ConflictResponse,
    /// What was decided.
    #[schemars(with = "Option<Word<Settled>>")]
    pub decision: Option<Settled>,
    /// The lesson that stays, if only one does.
    #[schemars(with = "Option<Id>")]
    pub kept: Option<LessonId>,
    /// Why.
    pub note: Option<String>,
    /// When.
    #[schemars(with = "Option<Time>")]
    pub decided_at: Option<Timestamp>,
}

impl ResolvedResponse {
    /// A decision about bullets.
    pub fn of_bullets(applied: AppliedDelta) -> Self {
        Self {
            applied: Some(applied.into()),
            settled: None,
        }
    }

    /// A decision about lessons.
    pub fn of_lessons(conflict: Conflict) -> Self {
        let settled = conflict.settled.clone();
        let settled = settled.as_ref();
        Self {
            applied: None,
            settled: Some(SettledResponse {
                decision: settled.map(|settled| settled.decision),
                kept: settled.and_then(|settled| settled.kept),
                note: settled.and_then(|settled| settled.note.clone()),
                decided_at: settled.map(|settled| settled.at),
                pair: conflict.into(),
            }),
        }
    }
}
