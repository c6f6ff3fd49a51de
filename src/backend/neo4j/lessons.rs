//! Lessons are kept in the embedded file only: this backend says so, and does nothing.

use async_trait::async_trait;

use super::Neo4jStore;
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::ids::{ActivationId, FingerprintId, LessonId};
use crate::domain::lesson::lesson::{Lesson, Owner};
use crate::domain::timestamp::Timestamp;
use crate::store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorPage, LessonPage, LessonRecords, LessonTotals, LessonsCopy,
    LessonsFound, Neighbourhood, NeighbourhoodAsk, RunPage,
};
use crate::store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, RunContents, RunRow};
use crate::store::lessons::transaction::{Ask, DecideLessons};
use crate::store::{ErrorKind, LessonStore, StoreError, StoreResult};

fn not_there<T>(operation: &'static str) -> StoreResult<T> {
    Err(StoreError::new(
        ErrorKind::Invalid,
        operation,
        "lessons are not there yet in this backend; name an embedded file as the store",
    ))
}

#[async_trait]
impl LessonStore for Neo4jStore {
    async fn transact_lessons(
        &self,
        _owner: &Owner,
        _ask: Ask,
        _decide: DecideLessons,
    ) -> StoreResult<()> {
        not_there("transact_lessons")
    }

    async fn run(&self, _owner: &Owner, _id: &str) -> StoreResult<Option<RunContents>> {
        not_there("run")
    }

    async fn runs(&self, _owner: &Owner, _page: RunPage) -> StoreResult<Vec<RunRow>> {
        not_there("runs")
    }

    async fn idle_runs(
        &self,
        _owner: &Owner,
        _before: Timestamp,
        _limit: usize,
    ) -> StoreResult<Vec<String>> {
        not_there("idle_runs")
    }

    async fn lessons_by_id(&self, _owner: &Owner, _ids: &[LessonId]) -> StoreResult<LessonsFound> {
        not_there("lessons_by_id")
    }

    async fn lessons_triggered_by(
        &self,
        _owner: &Owner,
        _fingerprints: &[FingerprintId],
        _per_fingerprint: usize,
    ) -> StoreResult<LessonsFound> {
        not_there("lessons_triggered_by")
    }

    async fn lessons_ever_triggered_by(
        &self,
        _owner: &Owner,
        _fingerprints: &[FingerprintId],
    ) -> StoreResult<Vec<Lesson>> {
        not_there("lessons_ever_triggered_by")
    }

    async fn neighbourhood(
        &self,
        _owner: &Owner,
        _ask: NeighbourhoodAsk,
    ) -> StoreResult<Neighbourhood> {
        not_there("neighbourhood")
    }

    async fn lessons(&self, _owner: &Owner, _page: LessonPage) -> StoreResult<Vec<Lesson>> {
        not_there("lessons")
    }

    async fn lesson_records(
        &self,
        _owner: &Owner,
        _lesson: LessonId,
        _limit: usize,
    ) -> StoreResult<LessonRecords> {
        not_there("lesson_records")
    }

    async fn fingerprints(
        &self,
        _owner: &Owner,
        _ids: &[FingerprintId],
    ) -> StoreResult<Vec<FingerprintRow>> {
        not_there("fingerprints")
    }

    async fn errors(&self, _owner: &Owner, _page: ErrorPage) -> StoreResult<Vec<ErrorEvent>> {
        not_there("errors")
    }

    async fn activations_by_id(
        &self,
        _owner: &Owner,
        _ids: &[ActivationId],
    ) -> StoreResult<Vec<ActivationRow>> {
        not_there("activations_by_id")
    }

    async fn activations(
        &self,
        _owner: &Owner,
        _page: ActivationPage,
    ) -> StoreResult<Vec<ActivationRow>> {
        not_there("activations")
    }

    async fn conflicts(&self, _owner: &Owner, _page: ConflictPage) -> StoreResult<Vec<Conflict>> {
        not_there("conflicts")
    }

    async fn lesson_totals(&self, _owner: &Owner) -> StoreResult<LessonTotals> {
        not_there("lesson_totals")
    }

    async fn lesson_learners(
        &self,
        _tenant: &str,
        _after: Option<&str>,
    ) -> StoreResult<Vec<String>> {
        // Moving and listing a store must go on: there is nobody with lessons.
        Ok(Vec::new())
    }

    async fn copy_lessons_out(&self, _owner: &Owner) -> StoreResult<Option<LessonsCopy>> {
        Ok(None)
    }

    async fn copy_lessons_in(&self, _copy: LessonsCopy) -> StoreResult<()> {
        not_there("copy_lessons_in")
    }
}
