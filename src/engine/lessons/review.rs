//! Verb: change the status of a lesson by hand. The change is final: earlier evidence no longer counts, and only new
//! evidence changes it again.

use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::{Cause, LearnerId, Lesson, Status};
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::rows::Review;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

/// The longest note that is kept, in bytes.
const NOTE_MAX_BYTES: usize = 4 * 1_024;

/// A status that a person sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewRequest {
    /// The lesson.
    pub lesson: LessonId,
    /// The new status: `candidate` restores it.
    pub to: Status,
    /// The reviewer; the engine's author when absent.
    pub author: Option<String>,
    /// The reviewer's reason.
    pub note: Option<String>,
}

impl Engine {
    /// Sets the status of a lesson; one that has it already stays as it is.
    ///
    /// # Errors
    /// `NoLesson`; `Invalid` for a change that is none, such as from archived to promoted.
    pub async fn review_lesson(
        &self,
        owner: &LearnerId,
        request: ReviewRequest,
    ) -> EngineResult<Lesson> {
        let id = random_id("review").map_err(|_| EngineError::Stopped)?;
        let author = request.author.map(|author| self.redacted(&author).0);
        let author = author.or_else(|| self.options().author.clone());
        let note = request.note.map(|note| {
            let (note, _) = self.redacted(&note);
            let end = note.floor_char_boundary(NOTE_MAX_BYTES);
            note[..end].trim().to_owned()
        });
        let (lesson, to, now) = (request.lesson, request.to, self.now());
        let ask = Ask {
            lessons: vec![lesson],
            ..Ask::default()
        };
        self.decide(owner, ask, move |mut gathered| {
            let found = gathered.lessons.pop();
            let mut lesson = found.ok_or_else(|| EngineError::NoLesson(lesson.to_string()))?;
            let from = lesson.status;
            if from == to {
                return Ok((LessonCommit::default(), lesson));
            }
            if !from.may_become(to, Cause::Review) {
                return Err(EngineError::Invalid(format!(
                    "a lesson that is {from} does not become {to}; restore it to candidate first"
                )));
            }
            lesson.status = to;
            lesson.unused_opportunities = 0;
            lesson.proof.take_review(now);
            lesson.evidence_at = lesson.evidence_at.max(now);
            let review = Review {
                id: id.clone(),
                lesson: lesson.id,
                from,
                to,
                author: author.clone(),
                note: note.clone(),
                at: now,
            };
            let commit = LessonCommit {
                lessons: vec![lesson.clone()],
                reviews: vec![review],
                ..LessonCommit::default()
            };
            Ok((commit, lesson))
        })
        .await
    }
}
