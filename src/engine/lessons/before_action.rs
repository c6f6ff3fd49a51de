//! Before an action: looks up the lessons whose wrong form it has.
//!
//! The look-up is bounded by the posting of the tool: the newest lessons that were learned with the program or the
//! tool of the action, and with the tool that the caller names. A lesson that names no tool is not found by it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::requests::LessonRequest;
use super::retrieve::{LessonsRetrieved, RetrievedLesson};
use crate::domain::lesson::action::Action;
use crate::domain::lesson::activation::RetrievalChannel;
use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::lesson::{Lesson, Owner, Place};
use crate::domain::lesson::retrieval::before_action::warnings;
use crate::domain::lesson::retrieval::score::ScoreParts;
use crate::domain::lesson::retrieval::walk::Path;
use crate::engine::error::EngineResult;
use crate::engine::handle::Engine;
use crate::store::lessons::reading::NeighbourhoodAsk;

/// Lessons of one tool that are compared with an action, the newest evidence first.
const COMPARED_MAX: usize = 64;

impl Engine {
    /// What is known of the form of an action. Nothing else of the question counts: a warning beside the point
    /// would teach its reader to skip warnings.
    pub(super) async fn known_of_action(
        &self,
        owner: &Owner,
        request: &LessonRequest,
        action: &Value,
    ) -> EngineResult<LessonsRetrieved> {
        let numbers = &self.rules().numbers.retrieval;
        let mut limits = numbers.walk;
        limits.lessons_per_place = COMPARED_MAX;
        let named = Action::read(action).tool();
        let tools: BTreeSet<String> = named
            .into_iter()
            .chain(request.place.tool.clone())
            .collect();
        let mut ids: Vec<LessonId> = Vec::new();
        for tool in tools {
            let place = Place {
                tool: Some(tool),
                ..Place::default()
            };
            let ask = NeighbourhoodAsk {
                starts: Vec::new(),
                tags: Vec::new(),
                without: Vec::new(),
                place,
                limits,
            };
            ids.extend(self.store().neighbourhood(owner, ask).await?.places);
        }
        let mut answer = LessonsRetrieved {
            rows: ids.len(),
            ..LessonsRetrieved::default()
        };
        if ids.is_empty() {
            return Ok(answer);
        }
        let found = self.store().lessons_by_id(owner, &ids).await?;
        let most = request.max_results.unwrap_or(numbers.on_error_max);
        let known = warnings(action, &found.lessons).into_iter().take(most);
        answer.lessons = known.map(|lesson| self.warned(lesson)).collect();
        Ok(answer)
    }

    fn warned(&self, lesson: &Lesson) -> RetrievedLesson {
        let parts = ScoreParts {
            text_similarity: 1.0,
            reliability: lesson.reliability.clamp(0.0, 1.0),
            ..ScoreParts::default()
        };
        RetrievedLesson {
            lesson: lesson.clone(),
            score: parts.score(&self.rules().numbers.retrieval),
            parts,
            lane: RetrievalChannel::Strict,
            path: Path::WrongForm,
            beat: Vec::new(),
            activation: None,
        }
    }
}
