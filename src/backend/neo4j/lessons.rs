//! The lessons part of the contract: learners' lessons from failures, as nodes and relationships.
//!
//! The node of the learner is the lock: a write takes it before it reads, so that decisions are serialised across all
//! instances. Look-ups take no lock and are one request each.

pub(super) mod audit_rows;
mod error_rows;
mod existing;
mod fields;
mod gather;
mod hold;
mod keys;
pub(super) mod lesson_rows;
mod near;
mod pages;
mod run_metrics;
pub(super) mod run_node;
pub(super) mod run_rows;
mod runs;
pub(super) mod seal;
mod standing;
mod step_rows;
mod transfer;
mod write;

use async_trait::async_trait;

pub(super) use self::keys::{Keys, behind};
pub(super) use self::transfer::{Strike, erase, erase_piece};

use self::gather::Transact;
use self::near::EverTriggered;
use self::pages::ReadRun;
use self::transfer::{CopyIn, CopyOut};
use super::bolt::values::{Map, count};
use super::bolt::work::send;
use super::error::Result;
use super::statements::LESSON_LEARNERS;
use super::store::Neo4jStore;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorPage, LessonPage, LessonRecords, LessonTotals, LessonsCopy,
    LessonsFound, Neighbourhood, NeighbourhoodAsk, RunPage,
};
use hindlore_store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, RunContents, RunRow};
use hindlore_store::lessons::transaction::{Ask, DecideLessons};
use hindlore_store::{LessonStore, StoreResult};

impl Neo4jStore {
    /// Checks the lessons of a learner; each finding comes with its advice.
    pub(super) async fn wrong_lessons(&self, owner: &LearnerId) -> StoreResult<Vec<String>> {
        let found = standing::wrong(self, &Keys::new(owner)).await;
        found.map_err(|failure| self.store_error("check", failure))
    }

    async fn names_of_learners(&self, tenant: &str, after: Option<&str>) -> Result<Vec<String>> {
        let asked = Map::new()
            .with("tenant", tenant)
            .with("after", after.unwrap_or_default())
            .with("limit", count(PAGE_MAX));
        let rows = send(&self.executor, LESSON_LEARNERS, asked).await?;
        run_rows::column(&rows, "learner", |name: String| Ok(name))
    }
}

#[async_trait]
impl LessonStore for Neo4jStore {
    async fn transact_lessons(
        &self,
        owner: &LearnerId,
        ask: Ask,
        decide: DecideLessons,
    ) -> StoreResult<()> {
        let task = Transact {
            keys: Keys::new(owner),
            ask,
            decide: Some(decide),
        };
        self.write("transact_lessons", task).await
    }

    async fn run(&self, owner: &LearnerId, id: &str) -> StoreResult<Option<RunContents>> {
        let read = |access| ReadRun {
            keys: Keys::new(owner),
            run: id.to_owned(),
            access,
        };
        self.look_with("run", read).await
    }

    async fn runs(&self, owner: &LearnerId, page: RunPage) -> StoreResult<Vec<RunRow>> {
        let found = runs::runs(&self.executor, &Keys::new(owner), &page).await;
        found.map_err(|failure| self.store_error("runs", failure))
    }

    async fn idle_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        let found = runs::idle_runs(&self.executor, &Keys::new(owner), before, limit).await;
        found.map_err(|failure| self.store_error("idle_runs", failure))
    }

    async fn relearning_queue(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<RunRow>> {
        let found = runs::relearning_queue(&self.executor, &Keys::new(owner), limit).await;
        found.map_err(|failure| self.store_error("relearning_queue", failure))
    }

    async fn due_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        let found = runs::due_runs(&self.executor, &Keys::new(owner), before, limit).await;
        found.map_err(|failure| self.store_error("due_runs", failure))
    }

    async fn lessons_by_id(
        &self,
        owner: &LearnerId,
        ids: &[LessonId],
    ) -> StoreResult<LessonsFound> {
        let found = near::by_ids(&self.executor, &Keys::new(owner), ids).await;
        found.map_err(|failure| self.store_error("lessons_by_id", failure))
    }

    async fn lessons_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
        per_fingerprint: usize,
    ) -> StoreResult<LessonsFound> {
        let keys = Keys::new(owner);
        let found = near::triggered_by(&self.executor, &keys, fingerprints, per_fingerprint).await;
        found.map_err(|failure| self.store_error("lessons_triggered_by", failure))
    }

    async fn lessons_of_wrong_forms(
        &self,
        owner: &LearnerId,
        keys: &[String],
        per_key: usize,
    ) -> StoreResult<LessonsFound> {
        let found = near::of_wrong_forms(&self.executor, &Keys::new(owner), keys, per_key).await;
        found.map_err(|failure| self.store_error("lessons_of_wrong_forms", failure))
    }

    async fn lessons_ever_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
    ) -> StoreResult<Vec<Lesson>> {
        let task = EverTriggered {
            keys: Keys::new(owner),
            fingerprints: fingerprints.to_vec(),
        };
        self.read("lessons_ever_triggered_by", task).await
    }

    async fn neighbourhood(
        &self,
        owner: &LearnerId,
        ask: NeighbourhoodAsk,
    ) -> StoreResult<Neighbourhood> {
        let found = near::neighbourhood(&self.executor, &Keys::new(owner), &ask).await;
        found.map_err(|failure| self.store_error("neighbourhood", failure))
    }

    async fn lessons(&self, owner: &LearnerId, page: LessonPage) -> StoreResult<Vec<Lesson>> {
        let found = pages::lessons(&self.executor, &Keys::new(owner), &page).await;
        found.map_err(|failure| self.store_error("lessons", failure))
    }

    async fn lesson_records(
        &self,
        owner: &LearnerId,
        lesson: LessonId,
        limit: usize,
    ) -> StoreResult<LessonRecords> {
        let found = pages::records(&self.executor, &Keys::new(owner), lesson, limit).await;
        found.map_err(|failure| self.store_error("lesson_records", failure))
    }

    async fn decisions(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<Decision>> {
        let found = pages::decisions(&self.executor, &Keys::new(owner), limit).await;
        found.map_err(|failure| self.store_error("decisions", failure))
    }

    async fn fingerprints(
        &self,
        owner: &LearnerId,
        ids: &[FingerprintId],
    ) -> StoreResult<Vec<FingerprintRow>> {
        let found = pages::fingerprints(&self.executor, &Keys::new(owner), ids).await;
        found.map_err(|failure| self.store_error("fingerprints", failure))
    }

    async fn errors(&self, owner: &LearnerId, page: ErrorPage) -> StoreResult<Vec<ErrorEvent>> {
        let found = pages::errors(&self.executor, &Keys::new(owner), &page).await;
        found.map_err(|failure| self.store_error("errors", failure))
    }

    async fn activations_by_id(
        &self,
        owner: &LearnerId,
        ids: &[ActivationId],
    ) -> StoreResult<Vec<ActivationRow>> {
        let found = pages::activations_by_id(&self.executor, &Keys::new(owner), ids).await;
        found.map_err(|failure| self.store_error("activations_by_id", failure))
    }

    async fn activations(
        &self,
        owner: &LearnerId,
        page: ActivationPage,
    ) -> StoreResult<Vec<ActivationRow>> {
        let found = pages::activations(&self.executor, &Keys::new(owner), &page).await;
        found.map_err(|failure| self.store_error("activations", failure))
    }

    async fn conflicts(&self, owner: &LearnerId, page: ConflictPage) -> StoreResult<Vec<Conflict>> {
        let found = pages::conflicts(&self.executor, &Keys::new(owner), &page).await;
        found.map_err(|failure| self.store_error("conflicts", failure))
    }

    async fn lesson_totals(&self, owner: &LearnerId) -> StoreResult<LessonTotals> {
        let found = pages::totals(&self.executor, &Keys::new(owner)).await;
        found.map_err(|failure| self.store_error("lesson_totals", failure))
    }

    async fn lesson_learners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>> {
        let names = self.names_of_learners(tenant, after).await;
        names.map_err(|failure| self.store_error("lesson_learners", failure))
    }

    async fn copy_lessons_out(&self, owner: &LearnerId) -> StoreResult<Option<LessonsCopy>> {
        let copy = |access| CopyOut {
            keys: Keys::new(owner),
            access,
        };
        self.look_with("copy_lessons_out", copy).await
    }

    async fn adopt_lessons(&self, owner: &LearnerId) -> StoreResult<Vec<LessonId>> {
        self.writable("adopt_lessons")?;
        let adopted = standing::adopt(self, &Keys::new(owner)).await;
        adopted.map_err(|failure| self.store_error("adopt_lessons", failure))
    }

    async fn copy_lessons_in(&self, copy: LessonsCopy) -> StoreResult<()> {
        self.write("copy_lessons_in", CopyIn(copy)).await
    }
}
