//! Before an action: looks up the lessons whose wrong form it has.
//!
//! One read by the keys of the action, independent of the number of lessons and of the tool that taught them. It does
//! not find a lesson without a wrong form or without a right one.

use serde_json::Value;

use super::retrieve::LessonsRetrieved;
use super::retrieved_lesson::RetrievedLesson;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::{KnownLessons, LessonRequest};
use hindlore_domain::lesson::learning::failed_action::FailedAction;
use hindlore_domain::lesson::learning::wrong_form::Proposed;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::lifecycle::unproved_opposite;
use hindlore_domain::lesson::retrieval::before_action::{Occasion, is_applied, warnings};
use hindlore_domain::lesson::retrieval::score::ScoreParts;
use hindlore_domain::lesson::retrieval::walk::Path;
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::WRONG_FORMS_MAX;

/// Lessons of one key that are compared with an action. They share the program and its longest other word, so more of
/// them would repeat the same advice.
const COMPARED_MAX: usize = 256;
/// Actions of the run that are compared with the right form of a lesson: the last that failed, and the last that worked.
const DONE_MAX: usize = 64;

impl Engine {
    /// Returns the lessons about the form of an action. Nothing else of the question counts: irrelevant warnings teach
    /// the reader to skip warnings.
    pub(super) async fn known_of_action(
        &self,
        owner: &LearnerId,
        request: &LessonRequest,
        (action, reader): (&Value, &KnownLessons),
    ) -> EngineResult<LessonsRetrieved> {
        let action = Proposed::of(action);
        let keys = action.keys();
        // Without a key no index leads to a lesson.
        if keys.is_empty() {
            return Ok(LessonsRetrieved::default());
        }
        let mut found = self
            .store()
            .lessons_of_wrong_forms(owner, &keys, COMPARED_MAX)
            .await?;
        let is_cut = found.lessons.len() >= WRONG_FORMS_MAX;
        request.confine(&mut found.lessons);
        let most = request
            .max_results
            .unwrap_or(self.rules().numbers.retrieval.on_error_max);
        let mut known: Vec<RetrievedLesson> = Vec::new();
        let pairs = found.contradictions();
        let occasion = Occasion {
            scope: request.scope.as_deref(),
            at: self.now(),
        };
        let about = warnings(&action, &found.lessons, occasion);
        let (failed, worked) = match &request.run {
            Some(run) if !about.is_empty() => self.done_in(owner, run).await?,
            _ => (Vec::new(), Vec::new()),
        };
        for lesson in about {
            // Where the right form has just failed, the tool may have turned.
            let is_hidden = unproved_opposite(lesson, &found.lessons, &pairs).is_some()
                || failed.iter().any(|action| action.follows(&lesson.rule))
                || is_applied(lesson, &worked);
            let may_refuse = occasion.may_refuse(lesson) && !reader.refused.contains(&lesson.id);
            let is_known = reader.shown.contains(&lesson.id) && !may_refuse;
            if is_known || is_hidden {
                continue;
            }
            let contradicts = |id: LessonId| pairs.iter().any(|pair| pair.joins(id, lesson.id));
            // Of two that contradict each other the surer one speaks.
            match known.iter().position(|hit| contradicts(hit.lesson.id)) {
                Some(at) => known[at].beat.push(lesson.id),
                None if known.len() < most => known.push(RetrievedLesson {
                    may_refuse,
                    ..self.warned(lesson)
                }),
                None => {}
            }
        }
        Ok(LessonsRetrieved {
            rows: found.lessons.len(),
            cut: is_cut,
            lessons: known,
            ..LessonsRetrieved::default()
        })
    }

    /// The last actions that failed in a run, and the last that worked.
    async fn done_in(
        &self,
        owner: &LearnerId,
        run: &str,
    ) -> EngineResult<(Vec<FailedAction>, Vec<Proposed>)> {
        let Some(contents) = self.store().run(owner, run).await? else {
            return Ok(Default::default());
        };
        let actions = |failed: bool| {
            let steps = contents.steps.iter().rev();
            let steps = steps
                .filter(move |step| step.failed == failed)
                .take(DONE_MAX);
            steps.filter_map(|step| serde_json::from_str::<Value>(&step.action).ok())
        };
        let failed = actions(true).map(|action| FailedAction::of(&action));
        let worked = actions(false).map(|action| Proposed::of(&action));
        Ok((failed.collect(), worked.collect()))
    }

    fn warned(&self, lesson: &Lesson) -> RetrievedLesson {
        let parts = ScoreParts {
            text_similarity: 1.0,
            ..ScoreParts::default()
        };
        let numbers = &self.rules().numbers.retrieval;
        RetrievedLesson::found(lesson, Path::WrongForm, parts, numbers)
    }
}
