//! Verb: how well the lessons of a learner do.

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::promotion::Decision;
use hindlore_store::lessons::reading::LessonTotals;

/// Status changes in the answer.
const CHANGES_MAX: usize = 5;

/// How well the lessons do.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonHealth {
    /// Numbers of lessons, errors and runs.
    pub totals: LessonTotals,
    /// Settled activations that helped over all settled ones; absent without one.
    pub precision: Option<f64>,
    /// Settled activations that did harm over all settled ones; absent without one.
    pub pollution: Option<f64>,
    /// Ended control runs over all ended runs; absent without one.
    pub control_share: Option<f64>,
    /// The last changes of status that the rules decided, newest first.
    pub changes: Vec<Decision>,
}

impl Engine {
    /// Counts lessons, errors and runs, and measures the benefit.
    pub async fn lesson_health(&self, owner: &LearnerId) -> EngineResult<LessonHealth> {
        self.end_idle_runs(owner).await?;
        let totals = self.store().lesson_totals(owner).await?;
        let settled = totals.helped + totals.neutral + totals.harmed;
        let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        Ok(LessonHealth {
            precision: share(totals.helped, settled),
            pollution: share(totals.harmed, settled),
            control_share: share(totals.control_runs, totals.ended_runs),
            totals,
            changes: self.store().decisions(owner, CHANGES_MAX).await?,
        })
    }
}
