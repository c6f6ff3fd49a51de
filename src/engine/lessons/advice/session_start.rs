//! At the start of a session: looks up the lessons worth knowing of its place.

use std::collections::BTreeSet;

use super::retrieve::LessonsRetrieved;
use super::retrieved_lesson::RetrievedLesson;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::LessonRequest;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Place, Status};
use hindlore_domain::lesson::retrieval::score::ScoreParts;
use hindlore_domain::lesson::retrieval::walk::Path;
use hindlore_domain::lesson::retrieval::worth_knowing::worth_knowing;
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::lessons::reading::{LessonPage, NeighbourhoodAsk};

/// Lessons of one place that are compared, the newest evidence first.
const OF_PLACE_MAX: usize = 256;
/// Live lessons that are read if no index leads to the question: promoted ones first, newest first.
const LIVE_MAX: usize = 4_000;

impl Engine {
    /// Returns the lessons worth knowing at the start of a session: proved lessons from anywhere that reach this place,
    /// and lessons learned here; without any label the newest of all.
    pub(super) async fn known_of_session(
        &self,
        owner: &LearnerId,
        request: &LessonRequest,
    ) -> EngineResult<LessonsRetrieved> {
        let store = self.store();
        let mut ids: BTreeSet<LessonId> = BTreeSet::new();
        let place = &request.place;
        if *place == Place::default() {
            let page = LessonPage {
                status: Some(Status::Candidate),
                after: None,
                limit: OF_PLACE_MAX,
            };
            ids.extend(store.lessons(owner, page).await?.iter().map(|one| one.id));
        }
        ids.extend(self.lessons_of_place(owner, place).await?);
        let page = LessonPage {
            status: Some(Status::Promoted),
            after: None,
            limit: PAGE_MAX,
        };
        ids.extend(store.lessons(owner, page).await?.iter().map(|one| one.id));
        if ids.is_empty() {
            return Ok(LessonsRetrieved::default());
        }
        let ids: Vec<LessonId> = ids.into_iter().collect();
        let mut found = store.lessons_by_id(owner, &ids).await?;
        request.confine(&mut found.lessons);
        let pairs = found.contradictions();
        let numbers = &self.rules().numbers.retrieval;
        let most = request.max_results.unwrap_or(numbers.pre_run_max);
        let told = worth_knowing(place, &found.lessons, &pairs, (most, numbers));
        Ok(LessonsRetrieved {
            rows: found.lessons.len(),
            lessons: told.into_iter().map(|one| self.told(one)).collect(),
            ..LessonsRetrieved::default()
        })
    }

    /// The first lessons of each label of a place.
    async fn lessons_of_place(
        &self,
        owner: &LearnerId,
        place: &Place,
    ) -> EngineResult<Vec<LessonId>> {
        let mut limits = self.rules().numbers.retrieval.walk;
        limits.lessons_per_place = OF_PLACE_MAX;
        let ask = NeighbourhoodAsk {
            starts: Vec::new(),
            tags: Vec::new(),
            without: Vec::new(),
            place: place.clone(),
            limits,
        };
        Ok(self.store().neighbourhood(owner, ask).await?.places)
    }

    /// The live lessons of a learner: promoted ones first, the newest first, at most [`LIVE_MAX`].
    pub(in crate::lessons) async fn live_lessons(
        &self,
        owner: &LearnerId,
    ) -> EngineResult<Vec<Lesson>> {
        let mut live: Vec<Lesson> = Vec::new();
        for status in [Status::Promoted, Status::Candidate] {
            let mut after = None;
            while live.len() < LIVE_MAX {
                let page = LessonPage {
                    status: Some(status),
                    after,
                    limit: PAGE_MAX.min(LIVE_MAX - live.len()),
                };
                let rows = self.store().lessons(owner, page).await?;
                let Some(last) = rows.last() else {
                    break;
                };
                after = Some((last.created_at, last.id));
                live.extend(rows);
            }
        }
        Ok(live)
    }

    fn told(&self, lesson: &Lesson) -> RetrievedLesson {
        let numbers = &self.rules().numbers.retrieval;
        RetrievedLesson::found(lesson, Path::Place, ScoreParts::default(), numbers)
    }
}
