//! Verb: record a person's decision about two lessons that contradict each other.
//!
//! The pair keeps its row with the decision, so that it is not reported again; every change of status is a review.
//! Revoking a decision restores the former state of both lessons.

use serde::{Deserialize, Serialize};

use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::memory::conflicts::{ConflictDecision, ConflictRequest};
use hindlore_domain::lesson::learning::merge::merge;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Status};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{Conflict, Review, Settled, Settlement};
use hindlore_store::lessons::transaction::{Ask, Gathered, LessonCommit};

/// The longest note that is kept, in bytes.
const NOTE_MAX_BYTES: usize = 4 * 1_024;

/// The fields of a lesson that a decision changes, with their former values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Before {
    id: LessonId,
    status: Status,
    triggers: Vec<FingerprintId>,
    tags: Vec<String>,
    source_runs: Vec<String>,
}

/// Author, reason and time of the decision.
#[derive(Clone)]
struct Deciding {
    id: String,
    author: Option<String>,
    note: Option<String>,
    at: Timestamp,
}

impl Engine {
    /// Records a decision about two lessons; returns the pair with it.
    ///
    /// # Errors
    ///
    /// `NoLesson`; `Invalid` for two that do not contradict each other or were decided about already.
    pub async fn resolve_lesson_conflict(
        &self,
        owner: &LearnerId,
        request: ConflictRequest,
    ) -> EngineResult<Conflict> {
        let one = self.find_lesson(owner, &request.one).await?;
        let other = self.find_lesson(owner, &request.other).await?;
        let author = request.author.map(|author| self.redacted(&author).0);
        let deciding = Deciding {
            id: random_id("review").map_err(|_| EngineError::Stopped)?,
            author: author.or_else(|| self.options().author.clone()),
            note: request.reason.map(|note| {
                let (note, _) = self.redacted(&note);
                let end = note.floor_char_boundary(NOTE_MAX_BYTES);
                note[..end].trim().to_owned()
            }),
            at: self.now(),
        };
        let ask = Ask {
            lessons: vec![one, other],
            ..Ask::default()
        };
        let decision = request.decision;
        self.decide(owner, ask, move |gathered| {
            let pair = Pair::find(gathered, one, other)?;
            let commit = pair.decided(decision, &deciding)?;
            let conflict = commit.conflicts.first().cloned();
            let conflict = conflict.ok_or(EngineError::Stopped)?;
            Ok((commit, conflict))
        })
        .await
    }
}

/// Two lessons and their conflict.
struct Pair {
    one: Lesson,
    other: Lesson,
    conflict: Conflict,
}

impl Pair {
    fn find(gathered: Gathered, one: LessonId, other: LessonId) -> EngineResult<Self> {
        let lesson = |id: LessonId| {
            let found = gathered.lessons.iter().find(|lesson| lesson.id == id);
            found
                .cloned()
                .ok_or_else(|| EngineError::NoLesson(id.to_string()))
        };
        // A pair is stored with the smaller id first.
        let ends = (one.min(other), one.max(other));
        let mut rows = gathered.conflicts.iter();
        let conflict = rows.find(|row| (row.first, row.second) == ends).cloned();
        Ok(Self {
            one: lesson(one)?,
            other: lesson(other)?,
            conflict: conflict.ok_or_else(|| {
                EngineError::Invalid(format!(
                    "`{one}` and `{other}` do not contradict each other"
                ))
            })?,
        })
    }

    fn decided(mut self, decision: ConflictDecision, by: &Deciding) -> EngineResult<LessonCommit> {
        if decision == ConflictDecision::Reopen {
            return self.reopened(by);
        }
        if !self.conflict.is_open() {
            return Err(EngineError::Invalid(
                "this conflict is decided; reopen it to decide again".to_owned(),
            ));
        }
        let before = [Before::of(&self.one), Before::of(&self.other)];
        let mut commit = LessonCommit::default();
        let settled = match decision {
            ConflictDecision::KeepBoth => Settled::Both,
            ConflictDecision::Merge => {
                let status = self.one.status;
                self.one = merge(&self.one, &self.other);
                self.one.status = status;
                commit.lessons.push(self.one.clone());
                Settled::Merged
            }
            ConflictDecision::KeepOne | ConflictDecision::Reopen => Settled::One,
        };
        if settled != Settled::Both && self.other.status != Status::Archived {
            let review = by.review(&mut self.other, Status::Archived);
            commit.reviews.push(review);
            commit.lessons.push(self.other.clone());
        }
        let before = serde_json::to_string(&before).ok();
        let kept = (settled != Settled::Both).then_some(self.one.id);
        commit
            .conflicts
            .push(self.settled(by, settled, kept, before));
        Ok(commit)
    }

    /// Restores both lessons to their state before the decision.
    fn reopened(mut self, by: &Deciding) -> EngineResult<LessonCommit> {
        let earlier = self
            .conflict
            .settled
            .as_ref()
            .filter(|_| !self.conflict.is_open());
        let Some(earlier) = earlier else {
            return Err(EngineError::Invalid(
                "this conflict is undecided, so there is nothing to reopen".to_owned(),
            ));
        };
        let merged = earlier.decision == Settled::Merged;
        let before = earlier
            .before
            .as_deref()
            .map(serde_json::from_str::<Vec<Before>>);
        // Without readable former values only the pair itself is reopened.
        let before = before.transpose().unwrap_or_default().unwrap_or_default();
        let mut commit = LessonCommit::default();
        for lesson in [&mut self.one, &mut self.other] {
            let Some(was) = before.iter().find(|was| was.id == lesson.id) else {
                continue;
            };
            let mut changed = false;
            if merged {
                changed = Before::of(lesson) != *was;
                lesson.triggers.clone_from(&was.triggers);
                lesson.tags.clone_from(&was.tags);
                lesson.source_runs.clone_from(&was.source_runs);
            }
            // Only the archiving is taken back; a status that was set since then stays.
            if lesson.status == Status::Archived && was.status != Status::Archived {
                commit.reviews.push(by.review(lesson, was.status));
                changed = true;
            }
            if changed {
                commit.lessons.push(lesson.clone());
            }
        }
        commit
            .conflicts
            .push(self.settled(by, Settled::Reopened, None, None));
        Ok(commit)
    }

    fn settled(
        &self,
        by: &Deciding,
        decision: Settled,
        kept: Option<LessonId>,
        before: Option<String>,
    ) -> Conflict {
        Conflict {
            settled: Some(Settlement {
                decision,
                kept,
                author: by.author.clone(),
                note: by.note.clone(),
                before,
                at: by.at,
            }),
            ..self.conflict.clone()
        }
    }
}

impl Before {
    fn of(lesson: &Lesson) -> Self {
        Self {
            id: lesson.id,
            status: lesson.status,
            triggers: lesson.triggers.clone(),
            tags: lesson.tags.clone(),
            source_runs: lesson.source_runs.clone(),
        }
    }
}

impl Deciding {
    /// Changes the status of a lesson and returns the review that records it.
    fn review(&self, lesson: &mut Lesson, to: Status) -> Review {
        let review = Review {
            id: format!("{}-{}", self.id, lesson.id),
            lesson: lesson.id,
            from: lesson.status,
            to,
            author: self.author.clone(),
            note: self.note.clone(),
            at: self.at,
        };
        lesson.status = to;
        lesson.unused_opportunities = 0;
        lesson.proof.take_review(self.at);
        lesson.evidence_at = lesson.evidence_at.max(self.at);
        review
    }
}
