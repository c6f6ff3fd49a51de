//! Verb: move all that a learner's lessons are to another store.

use std::collections::BTreeSet;

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::sharing::tenant_of;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::lessons::PAGE_MAX;

/// The rows that were copied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopiedLessons {
    /// Owner of the rows.
    pub owner: LearnerId,
    /// Lessons in any status.
    pub lessons: usize,
    /// Runs.
    pub runs: usize,
    /// Error events.
    pub errors: usize,
    /// Records: playbooks, reflections, grants, groups, keys and archived traces.
    pub records: usize,
    /// The other store had just this already; nothing was written.
    pub was_there: bool,
}

impl Engine {
    /// Names the learners of a tenant who have lessons, errors or runs, ascending.
    pub async fn lesson_learners(&self, tenant: &str) -> EngineResult<Vec<String>> {
        let mut all: Vec<String> = Vec::new();
        loop {
            let after = all.last().map(String::as_str);
            let page = self.store().lesson_learners(tenant, after).await?;
            let full = page.len() == PAGE_MAX;
            all.extend(page);
            if !full {
                return Ok(all);
            }
        }
    }

    /// Names the learners of a tenant who have lessons or records, such as playbooks and grants, ascending.
    pub async fn learners(&self, tenant: &str) -> EngineResult<BTreeSet<String>> {
        let mut all: BTreeSet<String> = self.lesson_learners(tenant).await?.into_iter().collect();
        all.extend(self.record_learners(tenant).await?);
        Ok(all)
    }

    /// Names the learners of a tenant who have records, ascending.
    pub(crate) async fn record_learners(&self, tenant: &str) -> EngineResult<Vec<String>> {
        let mut all: Vec<String> = Vec::new();
        loop {
            let after = all.last().map(String::as_str);
            let page = self.store().record_owners(tenant, after).await?;
            let is_full = page.len() == PAGE_MAX;
            all.extend(page);
            if !is_full {
                return Ok(all);
            }
        }
    }

    /// Copies the lessons and records of a learner to another engine's store, and reads the lessons back to prove that
    /// both hold the same; absent when there are none. A learner who has others there is refused.
    pub async fn copy_lessons_to(
        &self,
        target: &Engine,
        owner: &LearnerId,
    ) -> EngineResult<Option<CopiedLessons>> {
        let lessons = self.copy_lessons_alone(target, owner).await?;
        let records = self.copy_records_to(target, owner).await?;
        let none = CopiedLessons {
            owner: owner.clone(),
            lessons: 0,
            runs: 0,
            errors: 0,
            records: 0,
            was_there: true,
        };
        Ok(match (lessons, records) {
            (None, None) => None,
            (lessons, records) => {
                let lessons = lessons.unwrap_or(none);
                let (count, was_there) = records.unwrap_or((0, true));
                Some(CopiedLessons {
                    records: count,
                    was_there: lessons.was_there && was_there,
                    ..lessons
                })
            }
        })
    }

    /// Copies the records that belong to a tenant itself, such as groups and keys; returns their number, and whether they
    /// were there. A tenant that has others there is refused.
    pub async fn copy_tenant_to(
        &self,
        target: &Engine,
        tenant: &str,
    ) -> EngineResult<Option<(usize, bool)>> {
        self.copy_records_to(target, &tenant_of(tenant)?).await
    }

    async fn copy_lessons_alone(
        &self,
        target: &Engine,
        owner: &LearnerId,
    ) -> EngineResult<Option<CopiedLessons>> {
        let Some(copy) = self.store().copy_lessons_out(owner).await? else {
            return Ok(None);
        };
        let mut copied = CopiedLessons {
            owner: owner.clone(),
            lessons: copy.lessons.len(),
            runs: copy.runs.len(),
            errors: copy.errors.len(),
            records: 0,
            was_there: true,
        };
        // An earlier copy may have arrived although its answer was lost.
        match target.store().copy_lessons_out(owner).await? {
            Some(there) if there == copy => return Ok(Some(copied)),
            Some(_) => {
                return Err(EngineError::Occupied(format!(
                    "the other store has lessons of {}/{} of its own",
                    owner.tenant(),
                    owner.learner()
                )));
            }
            None => {}
        }
        target.store().copy_lessons_in(copy.clone()).await?;
        if target.store().copy_lessons_out(owner).await?.as_ref() != Some(&copy) {
            return Err(EngineError::Invalid(format!(
                "the lessons of {}/{} did not arrive as they left; copy them again",
                owner.tenant(),
                owner.learner()
            )));
        }
        copied.was_there = false;
        Ok(Some(copied))
    }

    /// Copies the records of a learner, such as playbooks, grants and archived traces, where the other store has none.
    /// Returns their number, and whether they were there.
    async fn copy_records_to(
        &self,
        target: &Engine,
        owner: &LearnerId,
    ) -> EngineResult<Option<(usize, bool)>> {
        let Some(records) = self.store().export_records(owner).await? else {
            return Ok(None);
        };
        let (target, count) = (target.store(), records.len());
        match target.export_records(owner).await? {
            Some(there) if there == records => Ok(Some((count, true))),
            Some(_) => Err(EngineError::Occupied(format!(
                "the other store has records of {}/{} of its own",
                owner.tenant(),
                owner.learner()
            ))),
            None => {
                target.import_records(owner, records).await?;
                Ok(Some((count, false)))
            }
        }
    }
}
