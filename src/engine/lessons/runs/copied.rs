//! Finds the steps of a run that an earlier run holds: a harness that continues a session copies its history into the
//! new file. A copy is no second run, so nothing is learned or confirmed by it.

use std::collections::BTreeSet;

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_store::lessons::rows::{RunContents, StepRow};

/// Earlier runs that are compared, those that taught the lessons at hand; each is read whole.
const RUNS_MAX: usize = 16;

impl Engine {
    /// The numbers of the steps that a source run of one of the lessons holds as well: the same action at the same
    /// moment.
    pub(super) async fn copied_steps(
        &self,
        owner: &LearnerId,
        contents: &RunContents,
        lessons: &[Lesson],
    ) -> EngineResult<BTreeSet<u32>> {
        let own = &contents.row.id;
        let sources = lessons.iter().flat_map(|lesson| &lesson.source_runs);
        let sources: BTreeSet<&String> = sources.filter(|run| *run != own).collect();
        let mut copied = BTreeSet::new();
        for run in sources.into_iter().take(RUNS_MAX) {
            let Some(earlier) = self.store().run(owner, run).await? else {
                continue;
            };
            let known: BTreeSet<_> = earlier.steps.iter().map(moment).collect();
            let same = contents
                .steps
                .iter()
                .filter(|step| known.contains(&moment(step)));
            copied.extend(same.map(|step| step.step));
        }
        Ok(copied)
    }
}

/// What a copy of a step has in common with it.
fn moment(step: &StepRow) -> (i64, &str) {
    (step.at.millis(), step.action.as_str())
}
