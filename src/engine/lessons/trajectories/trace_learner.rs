//! A trace that is learned from in portions: one of any length needs the memory of a portion and of one run.

use std::collections::{BTreeMap, BTreeSet};

use super::parts::Parts;
use super::trace::{Trace, TraceLearned};
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::{EndRun, StepInput};
use crate::lessons::state::AgentReply;
use crate::lessons::steps::capture::Captured;
use crate::lessons::steps::capture_all::Written;
use crate::lessons::steps::names::run_name;
use hindlore_domain::lesson::lesson::LearnerId;

/// Takes the steps of a trace, then ends its runs.
pub struct TraceLearner<'e> {
    pub(super) engine: &'e Engine,
    pub(super) owner: LearnerId,
    /// The trace without its steps.
    pub(super) trace: Trace,
    pub(super) parts: Parts,
    /// The runs that end with the trace.
    pub(super) runs: BTreeSet<String>,
    /// Those with steps whose times are those of the trace.
    pub(super) dated: BTreeSet<String>,
    pub(super) written: Written,
}

/// The facts that only the end of a trace shows.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TraceEnd {
    /// Passed or failed, for runs with a verdict in the trace.
    pub passed_by_run: BTreeMap<String, bool>,
    /// Replies of the agent that may state a lesson, with their runs.
    pub replies: Vec<(String, String)>,
}

impl TraceLearner<'_> {
    /// Writes the next steps down, in batches that are counted by [`Engine::progress`]. Portions of an unnumbered trace
    /// that is sent again must be cut at the same steps.
    ///
    /// # Errors
    /// Those of [`Engine::capture_call`]; batches before the failed one stay.
    pub async fn take(&mut self, mut steps: Vec<StepInput>) -> EngineResult<Captured> {
        let stays_open = self.trace.stays_open.as_deref();
        for step in &mut steps {
            step.report.run = run_name(self.engine.redactor(), &step.report.run)?;
            if step.scope.is_none() {
                step.scope.clone_from(&self.trace.scope);
            }
        }
        self.parts
            .place((self.engine, &self.owner), &mut steps, stays_open)
            .await?;
        let dated = steps.iter().filter(|step| step.detail.is_dated);
        let dated = dated.map(|step| step.report.run.clone());
        self.dated.extend(dated);
        let call = self.trace.call.as_deref();
        let captured = self
            .engine
            .capture_more(&self.owner, call, &mut self.written, steps)
            .await?;
        let runs = captured.steps.iter().map(|step| step.run.clone());
        self.runs.extend(runs);
        Ok(captured)
    }

    /// Ends the runs, which leave their lessons. The steps are not in the answer.
    ///
    /// # Errors
    /// Those of [`Engine::end_run`].
    pub async fn finish(mut self, end: TraceEnd) -> EngineResult<TraceLearned> {
        // By the redacted names, as the steps are known.
        let mut sweep = self.engine.redactor().sweep();
        let mut passed_by_run = BTreeMap::new();
        for (mut run, passed) in end.passed_by_run {
            sweep.name(&mut run);
            passed_by_run.insert(run, passed);
        }
        let partition = self.parts.partition();
        let mut ended = Vec::new();
        for run in std::mem::take(&mut self.runs) {
            if self.trace.stays_open.as_deref() == Some(run.as_str()) {
                continue;
            }
            let whole = partition.continued.get(&run).unwrap_or(&run);
            let told = passed_by_run.get(whole).copied();
            let is_over = partition.superseded.contains(&run);
            let end = EndRun {
                passed: self.trace.passed.or(told).filter(|_| !is_over),
                score: self.trace.score.filter(|_| !is_over),
                is_dated: self.dated.contains(&run),
                run,
                ..EndRun::default()
            };
            ended.push(self.engine.end_run(&self.owner, end).await?);
        }
        for (mut run, text) in end.replies {
            sweep.name(&mut run);
            let reply = AgentReply {
                text,
                run: Some(run),
                scope: self.trace.scope.clone(),
            };
            self.engine.state_lessons(&self.owner, reply).await?;
        }
        Ok(TraceLearned {
            ended,
            continued: partition.continued.into_iter().collect(),
            recorded: partition.recorded,
            ..TraceLearned::default()
        })
    }
}
