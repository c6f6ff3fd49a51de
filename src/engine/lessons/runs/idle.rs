//! Runs of which nothing is reported any more end by themselves, at the next verb of their learner.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::requests::EndRun;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::timestamp::Timestamp;

/// Idle runs that one verb ends; the others wait for the next.
const ENDED_MAX: usize = 8;
/// How often one process looks for idle runs of a learner, in milliseconds.
const LOOK_EVERY_MS: i64 = 10_000;
/// Learners whose last look is remembered.
const LOOKS_MAX: usize = 4_096;

impl Engine {
    /// Ends the runs of a learner that have been idle for too long.
    pub async fn end_idle_runs(&self, owner: &LearnerId) -> EngineResult<()> {
        self.end_idle_runs_but(owner, &[]).await
    }

    /// Ends idle runs except those named by the present call: these are not idle.
    pub(crate) async fn end_idle_runs_but(
        &self,
        owner: &LearnerId,
        but: &[&str],
    ) -> EngineResult<()> {
        let now = self.now();
        if !self.may_look(owner, now) {
            return Ok(());
        }
        self.take_due_steps(owner, now).await?;
        let before = Timestamp::from_millis(now.millis() - i64::from(self.rules().idle_ms));
        let idle = self.store().idle_runs(owner, before, ENDED_MAX).await?;
        for run in idle.into_iter().filter(|run| !but.contains(&run.as_str())) {
            let request = EndRun {
                run,
                idle: true,
                ..EndRun::default()
            };
            match self.end_one_run(owner, request).await {
                // Another caller reported to it or ended it: it is not idle.
                Ok(_) | Err(EngineError::RunContended(_) | EngineError::NoRun(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn may_look(&self, owner: &LearnerId, now: Timestamp) -> bool {
        let mut looks = self
            .idle_sweeps()
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // In both directions, so that a clock that was set back does not stop the sweeps.
        let fresh = looks
            .get(owner)
            .is_some_and(|last| (now.millis() - last.millis()).abs() < LOOK_EVERY_MS);
        if fresh {
            return false;
        }
        // A forgotten look costs one early sweep, so no order of use is kept.
        if looks.len() >= LOOKS_MAX {
            looks.clear();
        }
        looks.insert(owner.clone(), now);
        true
    }
}
