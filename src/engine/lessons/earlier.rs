//! Statuses that earlier rules have set, judged anew from what the runs of that time still show.
//!
//! Outcomes of the first rules say what was worth what, and not what was done; the steps of their runs do. So the rows
//! are attributed again from the steps, once for each lesson, when a run next ends. What a person has set stays, and
//! what came with an import was set by nobody here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use super::record::{followed_of, trace_of};
use crate::domain::lesson::attempt::attempts;
use crate::domain::lesson::attribution::{Advice, RunSteps, attribute};
use crate::domain::lesson::evidence_row::EvidenceRow;
use crate::domain::lesson::evidence_rows::ROWS_MAX;
use crate::domain::lesson::ids::{ActivationId, LessonId};
use crate::domain::lesson::lesson::{Cause, Lesson, Owner, Status};
use crate::domain::lesson::proof_state::RULES;
use crate::domain::timestamp::Timestamp;
use crate::engine::error::EngineResult;
use crate::engine::handle::Engine;
use crate::store::lessons::PAGE_MAX;
use crate::store::lessons::reading::{ActivationPage, LessonPage, LessonRecords};

/// Lessons that one run judges anew; further ones wait for the next.
const LESSONS_MAX: usize = 32;

/// Who set the status that a lesson has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SetBy {
    /// The earlier rules.
    Rules,
    /// A person, at this time.
    Person(Timestamp),
    /// Nobody here: it was born with it.
    Birth,
}

/// What earlier rules have left.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Earlier {
    /// Who set the status of each lesson that these rules have not judged.
    pub(super) lessons: BTreeMap<LessonId, SetBy>,
    /// What their activations show.
    pub(super) rows: BTreeMap<ActivationId, EvidenceRow>,
}

impl Engine {
    /// Names lessons that wait to be judged by the present rules, also those that the run at hand has nothing to do
    /// with: whoever upgrades shall not wait until each error comes again. Looked for once in the life of an engine,
    /// since a store that has none will get none but by an import.
    pub(super) async fn lessons_of_earlier_rules(
        &self,
        owner: &Owner,
    ) -> EngineResult<Vec<Lesson>> {
        let judged = self.judged_learners();
        if judged
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(owner)
        {
            return Ok(Vec::new());
        }
        let mut waiting = Vec::new();
        for status in [Status::Suppressed, Status::Promoted] {
            let page = LessonPage {
                status: Some(status),
                after: None,
                limit: PAGE_MAX,
            };
            let lessons = self.store().lessons(owner, page).await?.into_iter();
            waiting.extend(lessons.filter(|lesson| lesson.proof.rules < RULES));
        }
        waiting.truncate(LESSONS_MAX);
        if waiting.is_empty() {
            let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
            judged.insert(owner.clone());
        }
        Ok(waiting)
    }

    /// Reads what earlier rules have left of these lessons; mostly there is nothing.
    pub(super) async fn earlier_verdicts(
        &self,
        owner: &Owner,
        lessons: &[Lesson],
    ) -> EngineResult<Earlier> {
        let mut earlier = Earlier::default();
        let of_old = lessons.iter().filter(|lesson| lesson.proof.rules < RULES);
        let by_id: BTreeMap<LessonId, &Lesson> = of_old.map(|one| (one.id, one)).collect();
        for lesson in by_id.into_values().take(LESSONS_MAX) {
            let records = self
                .store()
                .lesson_records(owner, lesson.id, ROWS_MAX)
                .await?;
            let by = set_by(&records);
            if by == SetBy::Rules {
                let rows = self.rows_of_old(owner, lesson).await?;
                earlier.rows.extend(rows);
            }
            earlier.lessons.insert(lesson.id, by);
        }
        Ok(earlier)
    }

    /// The rows of the activations of a lesson that have none yet.
    async fn rows_of_old(
        &self,
        owner: &Owner,
        lesson: &Lesson,
    ) -> EngineResult<BTreeMap<ActivationId, EvidenceRow>> {
        let page = ActivationPage {
            lesson: lesson.id,
            after: None,
            limit: ROWS_MAX,
        };
        let mut uses = self.store().activations(owner, page).await?;
        uses.retain(|row| {
            let outcome = row.activation.outcome;
            outcome.is_some_and(|outcome| outcome.row.is_none())
        });
        let runs: BTreeSet<String> = uses.iter().map(|row| row.activation.run.clone()).collect();
        let advice = Advice::new(lesson);
        let mut rows = BTreeMap::new();
        for run in runs {
            let Some(contents) = self.store().run(owner, &run).await? else {
                continue;
            };
            let followed: Vec<_> = followed_of(&contents).collect();
            let attempts = attempts(&trace_of(&contents));
            let steps = RunSteps {
                attempts: &attempts,
                followed: &followed,
            };
            let own = uses.iter().filter(|row| row.activation.run == run);
            rows.extend(own.map(|row| {
                let row = &row.activation;
                (row.id, attribute(row, &advice, steps))
            }));
        }
        Ok(rows)
    }
}

/// The last word on a status.
fn set_by(records: &LessonRecords) -> SetBy {
    let is_verdict = |cause: Cause| cause != Cause::Review;
    let decisions = records.decisions.iter();
    let decided = decisions
        .filter(|decision| is_verdict(decision.cause))
        .map(|decision| decision.at)
        .max();
    let reviewed = records.reviews.iter().map(|review| review.at).max();
    match (decided, reviewed) {
        (decided, Some(reviewed)) if decided.is_none_or(|decided| decided <= reviewed) => {
            SetBy::Person(reviewed)
        }
        (Some(_), _) => SetBy::Rules,
        (None, _) => SetBy::Birth,
    }
}
