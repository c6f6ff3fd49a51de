//! The lessons part of the contract, in the same file and on the same threads as the memories.
//!
//! The file's write lock serves as the lock of the learner. It is taken before the first read of a transaction, so that
//! decisions are serialised across all processes.

mod by_name;
mod fingerprints;
mod gather;
mod integrity_checks;
mod learner;
mod near;
mod pages;
mod postings;
mod rows;
mod runs;
mod transfer;
mod write;
mod write_runs;

use async_trait::async_trait;
use rusqlite::{Transaction, params};

pub(super) use self::integrity_checks::{INTEGRITY_CHECKS, LessonFault, edited, run_check};
use self::learner::{find, make};
pub(super) use self::transfer::{erase, strike};
use super::EmbeddedStore;
use super::error::{Failure, Result};
use super::rows::all;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorPage, LessonPage, LessonRecords, LessonTotals, LessonsCopy,
    LessonsFound, Neighbourhood, NeighbourhoodAsk, RunPage,
};
use hindlore_store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, RunContents, RunRow};
use hindlore_store::lessons::transaction::{Ask, DecideLessons};
use hindlore_store::lessons::{PAGE_MAX, check_names, page_limit};
use hindlore_store::{LessonStore, StoreResult};

impl EmbeddedStore {
    /// Reads rows of one learner in one transaction; an unknown learner reads as empty.
    async fn of_learner<T, F>(
        &self,
        operation: &'static str,
        owner: &LearnerId,
        work: F,
    ) -> StoreResult<T>
    where
        T: Default + Send + 'static,
        F: FnOnce(&Transaction<'_>, i64, &LearnerId) -> Result<T> + Send + 'static,
    {
        let owner = owner.clone();
        self.read(operation, move |tx| match find(tx, &owner)? {
            Some(learner) => work(tx, learner, &owner),
            None => Ok(T::default()),
        })
        .await
    }
}

#[async_trait]
impl LessonStore for EmbeddedStore {
    async fn transact_lessons(
        &self,
        owner: &LearnerId,
        ask: Ask,
        mut decide: DecideLessons,
    ) -> StoreResult<()> {
        let owner = owner.clone();
        self.write("transact_lessons", move |tx| {
            let known = find(tx, &owner)?;
            let commit = decide(gather::gather(tx, known, &owner, &ask)?);
            // A decision that writes nothing leaves no row of a new learner.
            if commit.is_empty() {
                return Ok(());
            }
            let learner = match known {
                Some(learner) => learner,
                None => make(tx, &owner)?,
            };
            write::apply(tx, learner, &owner, &commit)
        })
        .await
    }

    async fn run(&self, owner: &LearnerId, id: &str) -> StoreResult<Option<RunContents>> {
        let id = id.to_owned();
        self.of_learner("run", owner, move |tx, learner, owner| {
            pages::run(tx, learner, owner, &id)
        })
        .await
    }

    async fn runs(&self, owner: &LearnerId, page: RunPage) -> StoreResult<Vec<RunRow>> {
        self.of_learner("runs", owner, move |tx, learner, _| {
            runs::runs(tx, learner, &page)
        })
        .await
    }

    async fn idle_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        self.of_learner("idle_runs", owner, move |tx, learner, _| {
            runs::idle_runs(tx, learner, before, limit)
        })
        .await
    }

    async fn relearning_queue(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<RunRow>> {
        self.of_learner("relearning_queue", owner, move |tx, learner, _| {
            runs::relearning_queue(tx, learner, limit)
        })
        .await
    }

    async fn due_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        self.of_learner("due_runs", owner, move |tx, learner, _| {
            runs::due_runs(tx, learner, before, limit)
        })
        .await
    }

    async fn lessons_by_id(
        &self,
        owner: &LearnerId,
        ids: &[LessonId],
    ) -> StoreResult<LessonsFound> {
        let ids = ids.to_vec();
        self.of_learner("lessons_by_id", owner, move |tx, learner, owner| {
            check_names(ids.len()).map_err(Failure::Refused)?;
            near::by_ids(tx, learner, owner, &ids)
        })
        .await
    }

    async fn lessons_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
        per_fingerprint: usize,
    ) -> StoreResult<LessonsFound> {
        let ids = fingerprints.to_vec();
        self.of_learner("lessons_triggered_by", owner, move |tx, learner, owner| {
            check_names(ids.len()).map_err(Failure::Refused)?;
            near::triggered_by(tx, learner, owner, &ids, page_limit(per_fingerprint))
        })
        .await
    }

    async fn lessons_of_wrong_forms(
        &self,
        owner: &LearnerId,
        keys: &[String],
        per_key: usize,
    ) -> StoreResult<LessonsFound> {
        let keys = keys.to_vec();
        self.of_learner(
            "lessons_of_wrong_forms",
            owner,
            move |tx, learner, owner| {
                check_names(keys.len()).map_err(Failure::Refused)?;
                near::of_wrong_forms(tx, learner, owner, &keys, page_limit(per_key))
            },
        )
        .await
    }

    async fn lessons_ever_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
    ) -> StoreResult<Vec<Lesson>> {
        let ids = fingerprints.to_vec();
        self.of_learner(
            "lessons_ever_triggered_by",
            owner,
            move |tx, learner, owner| {
                check_names(ids.len()).map_err(Failure::Refused)?;
                near::ever_triggered_by(tx, learner, owner, &ids)
            },
        )
        .await
    }

    async fn neighbourhood(
        &self,
        owner: &LearnerId,
        ask: NeighbourhoodAsk,
    ) -> StoreResult<Neighbourhood> {
        self.of_learner("neighbourhood", owner, move |tx, learner, _| {
            near::neighbourhood(tx, learner, &ask)
        })
        .await
    }

    async fn lessons(&self, owner: &LearnerId, page: LessonPage) -> StoreResult<Vec<Lesson>> {
        self.of_learner("lessons", owner, move |tx, learner, owner| {
            pages::lessons(tx, learner, owner, &page)
        })
        .await
    }

    async fn lesson_records(
        &self,
        owner: &LearnerId,
        lesson: LessonId,
        limit: usize,
    ) -> StoreResult<LessonRecords> {
        self.of_learner("lesson_records", owner, move |tx, learner, _| {
            pages::records(tx, learner, lesson, limit)
        })
        .await
    }

    async fn decisions(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<Decision>> {
        self.of_learner("decisions", owner, move |tx, learner, _| {
            pages::decisions(tx, learner, limit)
        })
        .await
    }

    async fn fingerprints(
        &self,
        owner: &LearnerId,
        ids: &[FingerprintId],
    ) -> StoreResult<Vec<FingerprintRow>> {
        let ids = ids.to_vec();
        self.of_learner("fingerprints", owner, move |tx, learner, _| {
            check_names(ids.len()).map_err(Failure::Refused)?;
            let rows = ids
                .iter()
                .map(|id| by_name::fingerprint_by_id(tx, learner, *id));
            rows.filter_map(Result::transpose).collect()
        })
        .await
    }

    async fn errors(&self, owner: &LearnerId, page: ErrorPage) -> StoreResult<Vec<ErrorEvent>> {
        self.of_learner("errors", owner, move |tx, learner, owner| {
            pages::errors(tx, learner, owner, &page)
        })
        .await
    }

    async fn activations_by_id(
        &self,
        owner: &LearnerId,
        ids: &[ActivationId],
    ) -> StoreResult<Vec<ActivationRow>> {
        let ids = ids.to_vec();
        self.of_learner("activations_by_id", owner, move |tx, learner, _| {
            check_names(ids.len()).map_err(Failure::Refused)?;
            let rows = ids
                .iter()
                .map(|id| by_name::activation_by_id(tx, learner, *id));
            rows.filter_map(Result::transpose).collect()
        })
        .await
    }

    async fn activations(
        &self,
        owner: &LearnerId,
        page: ActivationPage,
    ) -> StoreResult<Vec<ActivationRow>> {
        self.of_learner("activations", owner, move |tx, learner, _| {
            pages::activations(tx, learner, &page)
        })
        .await
    }

    async fn conflicts(&self, owner: &LearnerId, page: ConflictPage) -> StoreResult<Vec<Conflict>> {
        self.of_learner("conflicts", owner, move |tx, learner, _| {
            pages::conflicts(tx, learner, &page)
        })
        .await
    }

    async fn lesson_totals(&self, owner: &LearnerId) -> StoreResult<LessonTotals> {
        self.of_learner("lesson_totals", owner, |tx, learner, _| {
            pages::totals(tx, learner)
        })
        .await
    }

    async fn lesson_learners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>> {
        let (tenant, after) = (tenant.to_owned(), after.unwrap_or_default().to_owned());
        self.read("lesson_learners", move |tx| {
            let sql = "SELECT name FROM learners WHERE tenant = ?1 AND name > ?2
                 ORDER BY name LIMIT ?3";
            let params = params![tenant, after, PAGE_MAX as i64];
            all(tx, sql, params, |row| row.get(0))
        })
        .await
    }

    async fn copy_lessons_out(&self, owner: &LearnerId) -> StoreResult<Option<LessonsCopy>> {
        let owner = owner.clone();
        self.read("copy_lessons_out", move |tx| transfer::copy_out(tx, &owner))
            .await
    }

    async fn adopt_lessons(&self, _owner: &LearnerId) -> StoreResult<Vec<LessonId>> {
        Ok(Vec::new())
    }

    async fn copy_lessons_in(&self, copy: LessonsCopy) -> StoreResult<()> {
        self.write("copy_lessons_in", move |tx| transfer::copy_in(tx, copy))
            .await
    }
}
