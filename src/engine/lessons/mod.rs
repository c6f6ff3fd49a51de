//! The verbs of lessons: capture errors, end runs, retrieve what helps, report what came of it.
//!
//! Each gathers from the store, lets the domain decide under the lock of the learner, and applies the
//! result in one write. Nothing is kept in process: every decision is made on the rows that the store
//! delivers with the lock held, so any number of engines may serve one learner.

mod activate;
mod adopt;
mod answer;
mod capture;
mod copy;
mod end;
mod ending;
mod health;
mod idle;
mod import;
mod list;
mod numbering;
mod outcome;
mod record;
mod restore;
mod retrieve;
mod review;
mod start;
pub(super) mod strike;
mod verdict;
mod view;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pub use answer::{Decided, EndedRun, Learned, RejectedCandidate, Settled};
pub use capture::{Captured, CapturedStep, StepInput};
pub use copy::CopiedLessons;
pub use end::EndRun;
pub use health::LessonHealth;
pub use import::{ImportedLesson, LessonImport, LessonsImported};
pub use list::{Conflicts, LessonDetail, Listed, RunDetail};
pub use outcome::{OutcomeReport, OutcomeTaken};
pub use restore::RestoredLessons;
pub use retrieve::{LessonCall, LessonRequest, LessonsRetrieved, RetrievedLesson};
pub use review::ReviewRequest;
pub use start::{StartRun, StartedRun};
pub(super) use strike::Struck;

use super::Engine;
use super::error::{EngineError, EngineResult};
use crate::domain::identity::parse_name;
use crate::domain::lesson::conflict::ConflictRules;
use crate::domain::lesson::lesson::{Owner, Place};
use crate::domain::lesson::numbers::Numbers;
use crate::domain::lesson::quality::QualityRules;
use crate::domain::lesson::tag::TagRules;
use crate::domain::text::guard::MergeGuard;
use crate::domain::timestamp::Timestamp;
use crate::store::ErrorKind;
use crate::store::lessons::transaction::{Ask, Gathered, LessonCommit};

/// Times that a write is sent again when its answer was lost, or when what was read moved on.
const TRIES: usize = 8;

/// What the verbs of lessons are set to.
#[derive(Debug)]
pub struct LessonRules {
    /// Weights, limits and gates.
    pub numbers: Numbers,
    /// The vocabulary of tags.
    pub tags: TagRules,
    /// What a candidate must be.
    pub quality: QualityRules,
    /// What contradicts what.
    pub conflicts: ConflictRules,
    /// What must not be taken for the same.
    pub guard: MergeGuard,
    /// Decides which runs are control runs.
    pub control_seed: u64,
    /// After this long without a report a run is ended, in milliseconds.
    pub idle_ms: u32,
}

impl Default for LessonRules {
    fn default() -> Self {
        Self {
            numbers: Numbers::default(),
            tags: TagRules::standard(),
            quality: QualityRules::standard(),
            conflicts: ConflictRules::new(&[]),
            guard: MergeGuard::standard(),
            control_seed: 0,
            idle_ms: 30 * 60 * 1_000,
        }
    }
}

/// When idle runs of a learner were last looked for.
pub(super) type IdleLooks = Mutex<HashMap<Owner, Timestamp>>;

impl Engine {
    fn rules(&self) -> &Arc<LessonRules> {
        &self.options().lessons
    }

    fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// Lets `decide` decide under the lock of the learner; gives what it answers.
    ///
    /// Nothing is written when it answers with an error. A write whose answer was lost is made again,
    /// which derived ids and receipts make harmless.
    async fn decide<T, F>(&self, owner: &Owner, ask: Ask, decide: F) -> EngineResult<T>
    where
        T: Send + 'static,
        F: FnMut(Gathered) -> EngineResult<(LessonCommit, T)> + Send + 'static,
    {
        let decide = Arc::new(Mutex::new(decide));
        for attempt in 1.. {
            let answer: Arc<Mutex<Option<EngineResult<T>>>> = Arc::default();
            let (rule, said) = (decide.clone(), answer.clone());
            let under_lock = Box::new(move |gathered| {
                let mut rule = rule.lock().unwrap_or_else(PoisonError::into_inner);
                let (commit, result) = match rule(gathered) {
                    Ok((commit, result)) => (commit, Ok(result)),
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

/// The name of a run as it is kept.
fn run_name(raw: &str) -> EngineResult<String> {
    parse_name("run", raw).map_err(|error| EngineError::Invalid(error.to_string()))
}

/// Task, domain and tool as they are kept: an empty one is none.
fn checked_place(place: Place) -> EngineResult<Place> {
    let part = |name: &'static str, value: Option<String>| match value {
        Some(text) if text.trim().is_empty() => Ok(None),
        Some(text) => parse_name(name, &text)
            .map(Some)
            .map_err(|error| EngineError::Invalid(error.to_string())),
        None => Ok(None),
    };
    Ok(Place {
        task: part("task", place.task)?,
        domain: part("domain", place.domain)?,
        tool: part("tool", place.tool)?,
    })
}

/// A place with what it lacks from another.
fn filled(place: &Place, from: &Place) -> Place {
    let part = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
    Place {
        task: part(&place.task, &from.task),
        domain: part(&place.domain, &from.domain),
        tool: part(&place.tool, &from.tool),
    }
}
