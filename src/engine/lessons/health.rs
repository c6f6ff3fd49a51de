//! Verb: how well the lessons of a learner do.
//!
//! A lesson that was shown and not followed is no failure of the lesson, so that the shares are of followed advice only.

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_store::lessons::reading::{ActivationPage, LessonTotals};
use hindlore_store::lessons::rows::ActivationRow;

/// Status changes in the answer.
const CHANGES_MAX: usize = 5;
/// Lessons in the answer: those that were shown most often.
const LESSONS_MAX: usize = 10;
/// Uses of one lesson that are counted, the newest.
const USES_MAX: usize = 200;

/// How well the lessons do.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonHealth {
    /// Numbers of lessons, errors and runs.
    pub totals: LessonTotals,
    /// Uses that were followed and helped over all that were followed; absent without one.
    pub precision: Option<f64>,
    /// Uses that were followed and did harm over all that were followed; absent without one.
    pub pollution: Option<f64>,
    /// Ended control runs over all ended runs; absent without one.
    pub control_share: Option<f64>,
    /// The live lessons that were shown most often.
    pub lessons: Vec<LessonUses>,
    /// The last changes of status that the rules decided, newest first.
    pub changes: Vec<Decision>,
}

/// What became of the uses of one lesson, of the newest [`USES_MAX`].
#[derive(Clone, PartialEq, Debug)]
pub struct LessonUses {
    /// The lesson.
    pub lesson: Lesson,
    /// Times it was shown.
    pub shown: usize,
    /// Times its advice was followed.
    pub followed: usize,
    /// Times the followed advice worked.
    pub helped: usize,
    /// Times it was shown before the mistake, and the mistake was not made.
    pub prevented: usize,
    /// Times another form was taken instead.
    pub not_followed: usize,
    /// Runs in which the form that it calls wrong worked.
    pub wrong_form_worked: usize,
}

impl LessonUses {
    fn of(lesson: Lesson, rows: &[ActivationRow]) -> Self {
        let shown = rows.iter().filter(|row| !row.activation.withheld);
        let kinds: Vec<RowKind> = shown
            .clone()
            .filter_map(|row| Some(row.activation.outcome?.row.kind))
            .collect();
        let count = |is: fn(RowKind) -> bool| kinds.iter().filter(|kind| is(**kind)).count();
        Self {
            shown: shown.count(),
            followed: count(|kind| kind.sign() != 0),
            helped: count(|kind| kind.sign() > 0),
            prevented: count(|kind| kind == RowKind::Averted),
            not_followed: count(|kind| kind == RowKind::NotFollowed),
            wrong_form_worked: lesson.proof.counterexamples.len(),
            lesson,
        }
    }
}

impl Engine {
    /// Counts lessons, errors and runs, and measures the benefit.
    pub async fn lesson_health(&self, owner: &LearnerId) -> EngineResult<LessonHealth> {
        self.end_idle_runs(owner).await?;
        let totals = self.store().lesson_totals(owner).await?;
        let followed = totals.helped + totals.harmed;
        let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        Ok(LessonHealth {
            precision: share(totals.helped, followed),
            pollution: share(totals.harmed, followed),
            control_share: share(totals.control_runs, totals.ended_runs),
            totals,
            lessons: self.most_shown(owner).await?,
            changes: self.store().decisions(owner, CHANGES_MAX).await?,
        })
    }

    async fn most_shown(&self, owner: &LearnerId) -> EngineResult<Vec<LessonUses>> {
        let mut live = self.live_lessons(owner).await?;
        live.retain(|lesson| lesson.counts.retrieved > 0);
        live.sort_by_key(|lesson| (std::cmp::Reverse(lesson.counts.retrieved), lesson.id));
        live.truncate(LESSONS_MAX);
        let mut uses = Vec::new();
        for lesson in live {
            let page = ActivationPage {
                lesson: lesson.id,
                after: None,
                limit: USES_MAX,
            };
            let rows = self.store().activations(owner, page).await?;
            uses.push(LessonUses::of(lesson, &rows));
        }
        Ok(uses)
    }
}
