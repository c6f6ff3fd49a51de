//! Open conflicts, and the decision about one.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;

use super::applied::DeltaApplied;
use super::lessons::ConflictResponse;
use crate::cursor::{Place, cursor};
use crate::schema::{Id, Time, Word};
use hindlore::lessons::Conflicts;
use hindlore::{AppliedDelta, ConflictingBullets};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_primitives::ids::LessonId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{Conflict, Settled};

/// Pairs that contradict each other and wait for a decision.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct OpenConflictsResponse {
    /// Pairs of bullets, by the insertion order of the later one.
    pub bullets: Vec<BulletPairResponse>,
    /// Pairs of lessons, by their ids.
    pub lessons: Vec<LessonPairResponse>,
    /// True if there are more pairs of either.
    pub more: bool,
    /// Where the next page begins; to be handed back as `after`. Null at the end.
    pub next: Option<String>,
}

/// Start of the next page of pairs: after a pair of bullets, by their positions, and after a pair of lessons.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PairsPlace {
    /// The last pair of bullets that was listed.
    pub bullets: Option<(u64, u64)>,
    /// The last pair of lessons that was listed.
    pub lessons: Option<(LessonId, LessonId)>,
}

impl Place for PairsPlace {
    fn write(&self) -> String {
        let pair = |pair: Option<[String; 2]>| pair.map(|pair| pair.join(" ")).unwrap_or_default();
        let bullets = self.bullets.map(|(a, b)| [a.to_string(), b.to_string()]);
        let lessons = self.lessons.map(|(a, b)| [a.to_string(), b.to_string()]);
        format!("{}/{}", pair(bullets), pair(lessons))
    }

    fn read(text: &str) -> Option<Self> {
        fn pair<T: FromStr>(text: &str) -> Option<Option<(T, T)>> {
            if text.is_empty() {
                return Some(None);
            }
            let (one, other) = text.split_once(' ')?;
            Some(Some((one.parse().ok()?, other.parse().ok()?)))
        }
        let (bullets, lessons) = text.split_once('/')?;
        Some(Self {
            bullets: pair(bullets)?,
            lessons: pair(lessons)?,
        })
    }
}

/// Two bullets that contradict each other, the earlier one first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BulletPairResponse {
    /// The earlier one.
    pub first: SideResponse,
    /// The later one.
    pub second: SideResponse,
    /// The contradicting pairs.
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
    /// Text of the first.
    pub first_rule: String,
    /// Text of the second.
    pub second_rule: String,
}

impl OpenConflictsResponse {
    /// The pairs of a memory and of its learner, after a place.
    pub fn new(
        bullets: (Vec<ConflictingBullets>, bool),
        lessons: Conflicts,
        after: PairsPlace,
    ) -> Self {
        let (pairs, is_cut) = bullets;
        let rule = |id: LessonId| {
            let lesson = lessons.lessons.get(&id);
            lesson
                .map(|lesson| lesson.rule.as_str().to_owned())
                .unwrap_or_default()
        };
        let more = is_cut || lessons.page.next.is_some();
        let rows = lessons.page.rows.iter().cloned();
        let last = PairsPlace {
            bullets: pairs
                .last()
                .map(ConflictingBullets::place)
                .or(after.bullets),
            lessons: rows
                .clone()
                .next_back()
                .map(|row| (row.first, row.second))
                .or(after.lessons),
        };
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
            next: more.then(|| cursor(&last)),
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
#[schemars(rename = "SettledConflictResponse")]
pub struct SettledResponse {
    /// The pair.
    #[serde(flatten)]
    pub pair: ConflictResponse,
    /// The decision.
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
