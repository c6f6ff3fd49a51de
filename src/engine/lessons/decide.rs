//! Deciding under the lock of a learner.
//!
//! Nothing is kept in process: every decision is made on the rows that the store delivers with the lock held, so
//! any number of engines may serve one learner.

use std::sync::{Arc, Mutex, PoisonError};

use super::rules::LessonRules;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::ErrorKind;
use hindlore_store::lessons::transaction::{Ask, Gathered, LessonCommit};

/// Attempts of a write whose answer was lost, or whose input changed in the meantime.
pub(super) const TRIES: usize = 8;

impl Engine {
    /// Returns the rules by which lessons are learned, judged and retrieved.
    pub fn rules(&self) -> &Arc<LessonRules> {
        &self.options().lessons
    }

    /// Runs `decide` under the lock of the learner and returns its answer.
    ///
    /// Nothing is written when it answers with an error. A write whose answer was lost is made again,
    /// which derived ids and receipts make harmless.
    pub(super) async fn decide<T, F>(
        &self,
        owner: &LearnerId,
        ask: Ask,
        decide: F,
    ) -> EngineResult<T>
    where
        T: Send + 'static,
        F: FnMut(Gathered) -> EngineResult<(LessonCommit, T)> + Send + 'static,
    {
        let _lane = self.context().lanes.enter(owner).await;
        // Shared, because the store may call the decision more than once, and a later attempt needs it again.
        let decide = Arc::new(Mutex::new(decide));
        let receipts_before = self.rules().trajectories.receipts_before(self.now());
        for attempt in 1.. {
            // A place per attempt, so that the answer of an attempt that failed never counts.
            let answer: Arc<Mutex<Option<EngineResult<T>>>> = Arc::default();
            let (rule, said) = (decide.clone(), answer.clone());
            let under_lock = Box::new(move |gathered| {
                let mut rule = rule.lock().unwrap_or_else(PoisonError::into_inner);
                let (commit, result) = match rule(gathered) {
                    Ok((mut commit, result)) => {
                        // A new receipt takes old ones along, so their number follows the last days.
                        commit.receipts_before = commit.receipt.as_ref().and(receipts_before);
                        (commit, Ok(result))
                    }
                    Err(error) => (LessonCommit::default(), Err(error)),
                };
                *said.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                commit
            });
            match self
                .store()
                .transact_lessons(owner, ask.clone(), under_lock)
                .await
            {
                Ok(()) => {
                    let said = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
                    return said.unwrap_or(Err(EngineError::Stopped));
                }
                Err(error) if error.kind() == ErrorKind::UnknownOutcome && attempt < TRIES => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Stopped)
    }
}
