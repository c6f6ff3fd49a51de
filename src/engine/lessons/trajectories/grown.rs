//! A trace that grew: a session continues after it was learned from, and its file is learned from again.
//!
//! A run that ended stays as it is, because its lessons were judged by its contents. The new part becomes a run of its
//! own, named after the number of its first step, so that learning the same file a third time gives the same runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::StepInput;
use crate::lessons::steps::names::run_name;
use hindlore_domain::lesson::event::NEXT_STEP;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::identity::{content_name, parse_name};

/// Parts of one run that are followed; a session that is learned from more often begins another.
const PARTS_MAX: usize = 100;

/// The runs of a trace, some of which continue in others.
#[derive(Default)]
pub(super) struct Grown {
    /// The run that each new part belongs to.
    pub(super) part_of: BTreeMap<String, String>,
    /// Runs that had ended before this trace came.
    pub(super) ended_before: BTreeSet<String>,
}

impl Engine {
    /// Moves the steps that runs which have ended do not know into runs of their own.
    pub(super) async fn parted(
        &self,
        owner: &LearnerId,
        steps: &mut [StepInput],
        stays_open: Option<&str>,
    ) -> EngineResult<Grown> {
        let mut grown = Grown::default();
        let mut last: BTreeMap<String, u32> = BTreeMap::new();
        for step in steps.iter_mut() {
            step.report.run = run_name(self.redactor(), &step.report.run)?;
            let number = last.entry(step.report.run.clone()).or_default();
            // A step without a number gets a free one, so it cannot be recognised as new.
            *number = match step.report.step {
                NEXT_STEP => u32::MAX,
                numbered => numbered.max(*number),
            };
        }
        for (run, last) in last {
            if last == u32::MAX || stays_open == Some(run.as_str()) {
                continue;
            }
            self.part(owner, &run, steps, &mut grown).await?;
        }
        Ok(grown)
    }

    async fn part(
        &self,
        owner: &LearnerId,
        run: &str,
        steps: &mut [StepInput],
        grown: &mut Grown,
    ) -> EngineResult<()> {
        let mut known = 0_u32;
        let mut name = run.to_owned();
        for _ in 0..PARTS_MAX {
            let contents = self.store().run(owner, &name).await?;
            let Some(row) = contents.map(|contents| contents.row) else {
                break;
            };
            if row.end.is_none() {
                break;
            }
            let now_known = known.saturating_add(row.steps);
            let is_new = |step: &&StepInput| step.report.step > now_known;
            let has_new = steps
                .iter()
                .filter(|step| step.report.run.trim() == run)
                .any(|step| is_new(&step));
            if !has_new {
                break;
            }
            grown.ended_before.insert(name.clone());
            move_steps(steps, run, (known, now_known), &name);
            known = now_known;
            name = part_name(run, known + 1);
        }
        if name != run {
            grown.part_of.insert(name.clone(), run.to_owned());
        }
        move_steps(steps, run, (known, u32::MAX), &name);
        Ok(())
    }
}

/// Puts the steps of a run whose numbers lie in a range into a part of it, where they are counted from 1.
fn move_steps(steps: &mut [StepInput], run: &str, (after, up_to): (u32, u32), part: &str) {
    if part == run {
        return;
    }
    for step in steps {
        let report = &mut step.report;
        if report.run.trim() == run && report.step > after && report.step <= up_to {
            report.run = part.to_owned();
            report.step -= after;
        }
    }
}

fn part_name(run: &str, first: u32) -> String {
    let name = format!("{run}+{first}");
    match parse_name("run", &name) {
        Ok(name) => name,
        // The name of the run is as long as a name may be.
        Err(_) => content_name("run-", name.as_bytes()),
    }
}
