//! Verb: learn from a whole trace in one call: begin its run, record its steps, look up advice, end its runs.
//!
//! It is the verbs of a run one after the other, each atomic and each the same when it is done again, so a trace that
//! was cut off is sent again from its beginning, and one that grew since brings its new part.

use std::collections::BTreeSet;

use super::parts::Parts;
use super::trace::{Trace, TraceLearned};
use super::trace_learner::{TraceEnd, TraceLearner};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::advice::retrieve::LessonsRetrieved;
use crate::lessons::requests::{LessonCall, LessonRequest, StepInput};
use crate::lessons::runs::start::StartRun;
use crate::lessons::steps::capture::Captured;
use crate::lessons::steps::capture_all::Written;
use crate::lessons::steps::names::run_name;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_redact::Redactor;

impl Engine {
    /// Learns from a trace.
    ///
    /// # Errors
    /// Those of [`Engine::capture_call`], [`Engine::retrieve_lessons`] and [`Engine::end_run`]; `Invalid` for a result
    /// of several runs.
    pub async fn learn_trace(
        &self,
        owner: &LearnerId,
        mut trace: Trace,
    ) -> EngineResult<TraceLearned> {
        check_result(self.redactor(), &trace)?;
        let steps = std::mem::take(&mut trace.steps);
        let last = steps.last().filter(|_| trace.wants_hint).cloned();
        let end = TraceEnd {
            passed_by_run: std::mem::take(&mut trace.passed_by_run),
            replies: std::mem::take(&mut trace.replies),
        };
        self.context().progress.begin(steps.len() as u64);
        let mut learner = self.trace_learner(owner, trace).await?;
        let captured = learner.take(steps).await?;
        let stays_open = learner.trace.stays_open.clone();
        let hint = match last {
            Some(step) => {
                self.hint(owner, step, &captured, stays_open.as_deref())
                    .await?
            }
            None => None,
        };
        let learned = learner.finish(end).await?;
        Ok(TraceLearned {
            captured,
            hint,
            ..learned
        })
    }

    /// Begins to learn from a trace. Its steps and its end come later; those in `trace` are ignored.
    ///
    /// # Errors
    /// Those of [`Engine::start_run`].
    pub async fn trace_learner<'e>(
        &'e self,
        owner: &LearnerId,
        mut trace: Trace,
    ) -> EngineResult<TraceLearner<'e>> {
        // First, because every comparison below is by the redacted name.
        let mut sweep = self.redactor().sweep();
        let names = trace.stays_open.iter_mut().chain(&mut trace.call);
        names.for_each(|name| sweep.name(name));
        let mut runs = BTreeSet::new();
        if let Some(start) = trace.start.take() {
            runs.extend(self.start_or_go_on(owner, start).await?);
        }
        Ok(TraceLearner {
            engine: self,
            owner: owner.clone(),
            trace,
            parts: Parts::default(),
            runs,
            dated: BTreeSet::new(),
            written: Written::default(),
        })
    }

    /// Begins a run. One that has ended already gets nothing new by that; whether its steps are known is for them
    /// to show, so that a trace may be sent again.
    async fn start_or_go_on(
        &self,
        owner: &LearnerId,
        start: StartRun,
    ) -> EngineResult<Option<String>> {
        match self.start_run(owner, start).await {
            Ok(started) => Ok(Some(started.run.id)),
            Err(EngineError::RunEnded(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Looks up advice against the last step if it failed. A finished run cannot show whether the advice was good, so a
    /// use is recorded only for a run that stays open.
    async fn hint(
        &self,
        owner: &LearnerId,
        step: StepInput,
        captured: &Captured,
        stays_open: Option<&str>,
    ) -> EngineResult<Option<LessonsRetrieved>> {
        let last = captured.steps.last().filter(|last| last.error.is_some());
        let Some(last) = last else {
            return Ok(None);
        };
        let report = step.report;
        let request = LessonRequest {
            run: stays_open
                .filter(|open| *open == last.run)
                .map(str::to_owned),
            call: LessonCall::OnError {
                step: last.step,
                evidence: report.evidence,
                exit_code: report.exit_code,
            },
            text: String::new(),
            tags: Vec::new(),
            place: report.place,
            max_results: None,
            mode: RankingMode::Direct,
            exact_only: false,
            fit: None,
            scope: step.scope,
        };
        self.retrieve_lessons(owner, request).await.map(Some)
    }
}

/// A result applies to one run; with several runs it would be ambiguous.
fn check_result(redactor: &Redactor, trace: &Trace) -> EngineResult<()> {
    if trace.passed.is_none() && trace.score.is_none() {
        return Ok(());
    }
    let runs = trace.steps.iter().map(|step| &step.report.run);
    let names = runs.map(|run| run_name(redactor, run));
    let mut ending: BTreeSet<String> = names.collect::<EngineResult<_>>()?;
    if let Some(mut open) = trace.stays_open.clone() {
        redactor.sweep().name(&mut open);
        ending.remove(&open);
    }
    match ending.len() {
        0 | 1 => Ok(()),
        several => Err(EngineError::Invalid(format!(
            "the result is that of one run, and the trace ends {several}; send each run by itself"
        ))),
    }
}
