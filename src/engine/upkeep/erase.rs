//! Verbs: destroy a learner's memories or one record of its lessons, finish incomplete wipes, and list the receipts. No
//! other verb destroys anything.

use std::sync::{Arc, Mutex, PoisonError};

use super::forget_learner::Forgotten;
use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::{Struck, strike};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::subject::Principal;
use hindlore_primitives::ids::{EventId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::{
    CascadeOrder, EraseNote, EraseOrder, EraseReceipt, Erased, Erasure, Extent, NotWiped,
};

/// One record of a learner's lessons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// A run, with its steps, errors, and uses of lessons.
    Run(String),
    /// An error, with the step it is about.
    Error(EventId),
    /// A lesson, with its sources, conflicts, uses, decisions, and reviews.
    Lesson(LessonId),
}

/// The result of erasing one record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordErased {
    /// The erased record.
    pub erasure: Erasure,
    /// Lessons learned from it. They stay, and may quote it.
    pub resting: Vec<LessonId>,
}

impl Engine {
    /// Erases all memories and lessons of a learner, or the memories of one scope, with their history. With the learner
    /// it erases the records of others about it: grants, memberships, keys for it alone, and its verdicts.
    ///
    /// # Errors
    ///
    /// Those of the store. Failing to wipe the bytes is not an error; the answer reports it.
    pub async fn erase(
        &self,
        tenant: &str,
        learner: &str,
        scope: Option<&str>,
    ) -> EngineResult<Erasure> {
        // First, because it needs random numbers, and a machine may have none.
        let note = self.erase_note(learner)?;
        let forgotten = match scope {
            None => self.forget_learner(tenant, learner).await?,
            Some(_) => Forgotten::default(),
        };
        let order = EraseOrder {
            tenant: tenant.to_owned(),
            learner: learner.to_owned(),
            scope: scope.map(str::to_owned),
            elsewhere: forgotten.records,
            note,
        };
        if let Some(scope) = scope {
            // Records belong to the learner, so an erase of one memory would leave the vectors of its texts.
            let key = MemoryKey::new(tenant, learner, scope);
            let key = key.map_err(|error| EngineError::Invalid(error.to_string()))?;
            self.drop_embeddings(&key).await?;
        }
        let mut erasure = self.store().erase(order).await?;
        if forgotten.keys > 0 {
            erasure.notes.push(format!(
                "{} API keys let in to this learner alone and are gone: their tokens open nothing any more",
                forgotten.keys
            ));
        }
        if scope.is_none() && erasure.receipt.is_some() {
            erasure.kept = self.store().mentions(tenant, learner).await?;
        }
        let is_erased = |key: &MemoryKey| {
            key.tenant() == tenant
                && key.learner() == learner
                && scope.is_none_or(|scope| key.scope() == scope)
        };
        // After the commit: a failed erase leaves the snapshots valid.
        self.close_erased(is_erased).await;
        Ok(erasure)
    }

    /// Erases one record of a learner's lessons and everything attached to it.
    ///
    /// # Errors
    ///
    /// `NoRun`, `NoLesson`; `Invalid` for an unknown error id.
    pub async fn erase_record(
        &self,
        owner: &LearnerId,
        record: Record,
    ) -> EngineResult<RecordErased> {
        let (extent, id) = match &record {
            Record::Run(run) => (Extent::Run, run.clone()),
            Record::Error(id) => (Extent::Error, id.to_string()),
            Record::Lesson(id) => (Extent::Lesson, id.to_string()),
        };
        let order = CascadeOrder {
            owner: owner.clone(),
            extent,
            id: id.clone(),
            note: self.erase_note(owner.learner())?,
        };
        if let Record::Run(run) = &record {
            // Before the run: an archive without its run could not be found any more.
            self.strike_archive(owner, run, None).await?;
        }
        // The decision runs inside the store, so its findings leave it through shared places.
        let resting: Arc<Mutex<Vec<LessonId>>> = Arc::default();
        let said = resting.clone();
        let error_at: Arc<Mutex<Option<(String, u32)>>> = Arc::default();
        let place = error_at.clone();
        let decide = Box::new(move |all: LessonsCopy| {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = place_of(&all, &record);
            let struck = struck(all, &record)?;
            *said.lock().unwrap_or_else(PoisonError::into_inner) = struck.resting;
            Some((struck.left, struck.erased))
        });
        let erasure = self.store().strike(order, decide).await?;
        if erasure.receipt.is_none() {
            return Err(match extent {
                Extent::Run => EngineError::NoRun(id),
                Extent::Lesson => EngineError::NoLesson(id),
                _ => EngineError::NoError(id),
            });
        }
        let error_at =
            std::mem::take(&mut *error_at.lock().unwrap_or_else(PoisonError::into_inner));
        // After the strike, because only the strike sees the place of the error under its lock.
        if let Some((run, step)) = error_at {
            self.strike_archive(owner, &run, Some(step)).await?;
        }
        let resting = std::mem::take(&mut *resting.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(RecordErased { erasure, resting })
    }

    /// Counts the rows that an erase would destroy.
    pub async fn held(
        &self,
        tenant: &str,
        learner: &str,
        scope: Option<&str>,
    ) -> EngineResult<Erased> {
        Ok(self.store().held(tenant, learner, scope).await?)
    }

    /// Wipes the remains of earlier erases; returns the reason if that still fails.
    pub async fn wipe(&self) -> EngineResult<Option<NotWiped>> {
        Ok(self.store().wipe().await?)
    }

    /// Names the copies of erased data that no wipe of the store reaches.
    pub async fn beyond_reach(&self) -> EngineResult<Vec<String>> {
        Ok(self.store().beyond_reach().await?)
    }

    /// Lists the receipts of a tenant's erases, or those of one learner, newest first.
    pub async fn erase_receipts(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> EngineResult<Vec<EraseReceipt>> {
        Ok(self.store().receipts(tenant, learner).await?)
    }

    /// A receipt outlives the learner, so it does not name one that erases itself.
    fn erase_note(&self, learner: &str) -> EngineResult<EraseNote> {
        let id = random_id("er").map_err(|error| {
            EngineError::Invalid(format!("this machine gives no random number ({error})"))
        })?;
        let at: Timestamp = self.now();
        Ok(EraseNote {
            id,
            at,
            author: self.options().author.clone().filter(|author| {
                author != learner && *author != Principal::of_learner(learner).to_string()
            }),
        })
    }
}

/// The run and the step of an error.
fn place_of(all: &LessonsCopy, record: &Record) -> Option<(String, u32)> {
    let Record::Error(id) = record else {
        return None;
    };
    let error = all.errors.iter().find(|error| error.id == *id)?;
    Some((error.run.clone(), error.step))
}

fn struck(all: LessonsCopy, record: &Record) -> Option<Struck> {
    match record {
        Record::Run(id) => strike::run(all, id),
        Record::Error(id) => strike::error(all, *id),
        Record::Lesson(id) => strike::lesson(all, *id),
    }
}
