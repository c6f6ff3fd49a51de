//! Answers about notes: few fields and no scores but one, so that they cost a model little to read.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::applied::DeltaApplied;
use super::retrieval::BesideResponse;
use crate::schema::Id;
use hindlore::lessons::RetrievedLesson;
use hindlore::{Forgotten, Retrieved, RetrievedBullet};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::link::LinkKind;
use hindlore_primitives::ids::LessonId;

/// The fate of a sentence that is to be remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RememberedOutcome {
    /// It is a new bullet.
    Added,
    /// A bullet has these or nearly these words, and is stronger now.
    Strengthened,
    /// An archived bullet with these words is back.
    Revived,
    /// It is not remembered, for a reason.
    Refused,
}

/// The answer to a sentence that is to be remembered.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RememberedResponse {
    /// The bullet that has the sentence now; null if it was refused.
    #[schemars(with = "Option<Id>")]
    pub id: Option<BulletId>,
    /// Text of that bullet.
    pub text: Option<String>,
    /// Outcome.
    pub outcome: RememberedOutcome,
    /// Why it was refused; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Bullets that say the contrary; absent if none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Id>")]
    pub contradicts: Vec<BulletId>,
    /// Id of the change, for `delta.undo`.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// Secrets redacted from the sentence; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<DeltaApplied> for RememberedResponse {
    fn from(applied: DeltaApplied) -> Self {
        let added = applied.added.first().copied();
        let revived = applied.revived.first().copied();
        // A text that merges leaves an archived bullet with its own words, or none.
        let mut merged = applied.merged.iter();
        let home = merged.find(|one| added.is_none_or(|added| one.from == added));
        let (id, outcome) = match (home, revived, added) {
            (Some(home), _, _) => (Some(home.into), RememberedOutcome::Strengthened),
            (None, Some(revived), _) => (Some(revived), RememberedOutcome::Revived),
            (None, None, Some(added)) => (Some(added), RememberedOutcome::Added),
            (None, None, None) => (None, RememberedOutcome::Refused),
        };
        let against = applied.linked.iter().filter_map(|link| match id {
            Some(id) if link.kind == LinkKind::ConflictsWith && link.from == id => Some(link.to),
            Some(id) if link.kind == LinkKind::ConflictsWith && link.to == id => Some(link.from),
            _ => None,
        });
        Self {
            id,
            text: None,
            outcome,
            reason: applied
                .refused
                .first()
                .map(|refused| refused.reason.clone()),
            contradicts: against.collect(),
            delta: applied.delta,
            redacted: applied.redacted,
        }
    }
}

/// A bullet by its id and its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NoteResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub text: String,
}

impl From<&Bullet> for NoteResponse {
    fn from(bullet: &Bullet) -> Self {
        Self {
            id: bullet.id,
            text: bullet.content.as_str().to_owned(),
        }
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RecalledResponse {
    /// Id of the retrieval, for feedback on its bullets; null if nothing was recorded.
    pub retrieval: Option<String>,
    /// Bullets, best first.
    pub bullets: Vec<RecalledBulletResponse>,
    /// Lessons from failures, best first.
    pub lessons: Vec<RecalledLessonResponse>,
    /// `by meaning`, or `by words` and why; absent without a model for embeddings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<String>,
    /// Secrets redacted from the question; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// A bullet that answers a question.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RecalledBulletResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub text: String,
    /// Its score in the ranking.
    pub score: f64,
    /// Scope of its memory; absent for the scope of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Bullets that contradict or replace it; absent if none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideResponse>,
}

/// A lesson that answers a question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RecalledLessonResponse {
    /// Id of the lesson.
    #[schemars(with = "Id")]
    pub id: LessonId,
    /// Its advice.
    pub text: String,
}

impl RecalledResponse {
    /// The answer for a call in a scope.
    pub fn new(retrieved: &Retrieved, lessons: &[RetrievedLesson], scope: &str) -> Self {
        let bullets = retrieved.bullets.iter();
        let lessons = lessons.iter().map(|hit| RecalledLessonResponse {
            id: hit.lesson.id,
            text: hit.lesson.advice(),
        });
        Self {
            retrieval: retrieved.retrieval.clone(),
            bullets: bullets
                .map(|found| RecalledBulletResponse::new(found, scope))
                .collect(),
            lessons: lessons.collect(),
            embeddings: retrieved.meaning.as_ref().map(ToString::to_string),
            redacted: RedactedResponse::from_redactions(&retrieved.redacted),
        }
    }
}

impl RecalledBulletResponse {
    fn new(found: &RetrievedBullet, scope: &str) -> Self {
        let (newer, conflicts) = (&found.beside.superseded_by, &found.beside.conflicts_with);
        Self {
            id: found.bullet.id,
            text: found.bullet.content.as_str().to_owned(),
            score: found.hit.score,
            scope: Some(found.scope.clone()).filter(|own| own != scope),
            beside: newer.iter().chain(conflicts).map(Into::into).collect(),
        }
    }
}

/// The answer to a bullet that is to be forgotten.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ForgottenResponse {
    /// The archived bullet; null if nothing was archived.
    pub forgotten: Option<NoteResponse>,
    /// Bullets that the text may mean, likeliest first; one of them is archived by its id.
    pub candidates: Vec<NoteResponse>,
    /// Id of the change, for `delta.undo`; null if nothing was archived.
    #[schemars(with = "Option<Id>")]
    pub delta: Option<DeltaId>,
}

impl From<Forgotten> for ForgottenResponse {
    fn from(forgotten: Forgotten) -> Self {
        match forgotten {
            Forgotten::Archived(bullet, applied) => Self {
                forgotten: Some(bullet.as_ref().into()),
                candidates: Vec::new(),
                delta: Some(applied.receipt.delta),
            },
            Forgotten::Unclear(bullets) => Self {
                forgotten: None,
                candidates: bullets.iter().map(NoteResponse::from).collect(),
                delta: None,
            },
        }
    }
}
