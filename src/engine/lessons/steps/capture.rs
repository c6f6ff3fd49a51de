//! Verb: record steps, one or many. A failed step becomes an error event. A step that worked is kept too, because
//! learning compares the two.
//!
//! A step whose output reports several diagnostics becomes an error event for each of them.
//!
//! A step without a number gets the next one of its run, under the lock, so that calls at the same time lose
//! none. A number that is there belongs to the action that has it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::names::filled;
use super::numbering::{Call, Numbers};
use super::reported::{FirstRaised, Read};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::requests::StepInput;
use crate::lessons::rules::LessonRules;
use crate::lessons::runs::start::{check_open, new_run, note};
use hindlore_domain::lesson::event::{ErrorEvent, NEXT_STEP, PART_MAX_BYTES};
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_domain::trajectory::trace_hash::trace_hash;
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;
use hindlore_store::lessons::rows::{RunRow, StepRow};
use hindlore_store::lessons::transaction::{Ask, Gathered, LessonCommit};

/// Steps that one call may report.
pub(crate) const STEPS_MAX: usize = 500;

/// The result of one reported step.
#[derive(Clone, PartialEq, Debug)]
pub struct CapturedStep {
    /// The run.
    pub run: String,
    /// Its number.
    pub step: u32,
    /// The error event; absent for a step that worked.
    pub error: Option<ErrorEvent>,
    /// The event was there already; nothing was counted.
    pub repeated: bool,
    /// Notes about texts that were cut.
    pub notes: Vec<String>,
    /// The secrets that were taken out of the report.
    pub redacted: Redactions,
}

/// The results of all steps, in the order of the reports.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Captured {
    /// Each step.
    pub steps: Vec<CapturedStep>,
}

impl Captured {
    /// The steps that are new.
    fn of_new(&self) -> impl Iterator<Item = &CapturedStep> {
        self.steps.iter().filter(|step| !step.repeated)
    }

    /// The secrets that were taken out of all of them.
    pub fn redacted(&self) -> Redactions {
        let mut all = Redactions::default();
        self.steps.iter().for_each(|step| all.add(&step.redacted));
        all
    }
}

impl Engine {
    /// Writes one step down.
    pub async fn capture_error(
        &self,
        owner: &LearnerId,
        step: StepInput,
    ) -> EngineResult<CapturedStep> {
        let captured = self.capture_errors(owner, vec![step]).await?;
        captured
            .steps
            .into_iter()
            .next()
            .ok_or(EngineError::Stopped)
    }

    /// Writes steps down, all or none; their runs are begun where they are unknown.
    ///
    /// # Errors
    /// `RunEnded` when a step is new and its run has ended; `StepTaken` for the number of another action;
    /// `Invalid` for too many steps, or a name that cannot be.
    pub async fn capture_errors(
        &self,
        owner: &LearnerId,
        steps: Vec<StepInput>,
    ) -> EngineResult<Captured> {
        self.capture_call(owner, None, steps).await
    }

    /// Captures the steps of a call with an id: sent again, it counts once and returns the same numbers.
    ///
    /// # Errors
    /// Those of `capture_errors`; `OperationReused` for a call id that was used with other steps.
    pub async fn capture_call(
        &self,
        owner: &LearnerId,
        call: Option<&str>,
        steps: Vec<StepInput>,
    ) -> EngineResult<Captured> {
        self.write_steps(owner, call, steps, false).await
    }

    /// Writes steps down. Those that are `logged` belong to a run that is there, and their numbers have no gap.
    pub(crate) async fn write_steps(
        &self,
        owner: &LearnerId,
        call: Option<&str>,
        steps: Vec<StepInput>,
        logged: bool,
    ) -> EngineResult<Captured> {
        if steps.len() > STEPS_MAX {
            return Err(EngineError::Invalid(format!(
                "{} steps were reported at once; send at most {STEPS_MAX}",
                steps.len()
            )));
        }
        let call = Call::of(call, &steps)?;
        let rules = self.rules().clone();
        let mut read = Vec::new();
        for step in steps {
            read.extend(Read::all_of(owner, step, &rules, self.redactor())?);
        }
        let read = Arc::new(read);
        let spoken: Vec<&str> = read.iter().map(|one| one.run.as_str()).collect();
        self.end_idle_runs_but(owner, &spoken).await?;
        let now = self.now();
        let ask = ask(&read, call.as_ref());
        let writing = Writing {
            owner: owner.clone(),
            rules,
            call,
            logged,
            now,
        };
        self.decide(owner, ask, move |gathered| writing.down(&read, gathered))
            .await
    }
}

fn ask(read: &[Read], call: Option<&Call>) -> Ask {
    let runs: BTreeSet<&String> = read.iter().map(|one| &one.run).collect();
    let fingerprints: BTreeSet<FingerprintId> = read.iter().flat_map(Read::fingerprints).collect();
    // A step without a number gets a free one, so no stored row can be its own.
    let numbered = || read.iter().filter(|one| one.input.report.step != NEXT_STEP);
    Ask {
        operation: call.map(|call| call.operation.clone()),
        runs: runs.into_iter().cloned().collect(),
        events: numbered().filter_map(|one| one.event_id()).collect(),
        steps: numbered()
            .map(|one| (one.run.clone(), one.input.report.step))
            .collect(),
        step_ids: read.iter().filter_map(Read::step_id).collect(),
        fingerprints: fingerprints.into_iter().collect(),
        ..Ask::default()
    }
}

/// The context of the write, apart from the steps.
struct Writing {
    owner: LearnerId,
    rules: Arc<LessonRules>,
    call: Option<Call>,
    /// The runs are there, and the numbers have no gap.
    logged: bool,
    now: Timestamp,
}

impl Writing {
    fn down(&self, read: &[Read], gathered: Gathered) -> EngineResult<(LessonCommit, Captured)> {
        let mut numbers = Numbers::of(self.call.as_ref(), &gathered, read.len())?;
        let mut runs: BTreeMap<String, RunRow> = BTreeMap::new();
        let known = gathered.runs.iter().map(|run| (run.id.as_str(), run));
        let known: BTreeMap<&str, &RunRow> = known.collect();
        // The first step of a run that raised a fingerprint, with those of this call.
        let raised = gathered.raised.iter();
        let raised = raised.map(|row| ((row.run.clone(), row.fingerprint), row.first_step));
        let mut first: FirstRaised = raised.collect();
        let (mut commit, mut captured) = (LessonCommit::default(), Captured::default());
        let mut is_resent = false;
        for one in read {
            let known = known.get(one.run.as_str()).copied();
            let run = self.run_of(one, known, &mut runs)?;
            let known = resent(one, &gathered.steps, &commit.steps)?;
            let step = match known {
                Some(step) => numbers.known(step),
                None => number_of(one, &mut numbers, run)?,
            };
            // A further diagnostic is as new as its step.
            is_resent = known.is_some() || (one.continues && is_resent);
            let at = (step, run.trajectory.stalled);
            let mut error = one.event(at, &first, (&self.owner, &self.rules));
            if let Some(event) = &mut error {
                event.place = filled(&event.place, &run.place);
            }
            let row = step_row(one, step, error.is_some());
            let mut written = commit.errors.iter().map(|event| event.id);
            let is_new_step = !numbers.has(&row);
            let repeated = numbers.were_given() || is_resent || {
                numbers.check_action(&row)?;
                if self.logged && !one.continues {
                    check_number(run, &row)?;
                }
                match &error {
                    Some(event) => {
                        gathered.events.contains(&event.id) || written.any(|id| id == event.id)
                    }
                    // A step that worked is of no more use to a run that has ended; sent again it is known.
                    None => run.end.is_some() && step <= run.steps,
                }
            };
            captured
                .steps
                .push(result_of(one, step, error.clone(), repeated));
            if repeated {
                continue;
            }
            check_open(run)?;
            note_step(run, one, step, self.now);
            if is_new_step && !one.continues {
                add_to_hash(run, &row);
            }
            commit.steps.extend((!one.continues).then_some(row));
            for id in error.iter().flat_map(|event| event.fingerprints.ids()) {
                let place = first.entry((one.run.clone(), id)).or_insert(step);
                *place = step.min(*place);
            }
            commit.errors.extend(error);
        }
        let touched: BTreeSet<&String> = captured.of_new().map(|step| &step.run).collect();
        let touched = touched.into_iter().filter_map(|id| runs.get(id).cloned());
        commit.runs = touched.collect();
        commit.receipt = numbers.receipt(self.now)?;
        Ok((commit, captured))
    }
}

impl Writing {
    /// The run of a step, which begins with it where it is unknown, and steps are not logged.
    fn run_of<'r>(
        &self,
        one: &Read,
        known: Option<&RunRow>,
        runs: &'r mut BTreeMap<String, RunRow>,
    ) -> EngineResult<&'r mut RunRow> {
        if self.logged && known.is_none() {
            return Err(EngineError::NoRun(one.run.clone()));
        }
        Ok(runs.entry(one.run.clone()).or_insert_with(|| {
            let known = known.cloned();
            known.unwrap_or_else(|| new_run(&one.run, &self.rules, self.now))
        }))
    }
}

fn result_of(one: &Read, step: u32, error: Option<ErrorEvent>, repeated: bool) -> CapturedStep {
    CapturedStep {
        run: one.run.clone(),
        step,
        error,
        repeated,
        notes: one.notes.clone(),
        redacted: one.redacted.clone(),
    }
}

/// The number of a step whose id is known: it was sent before.
///
/// # Errors
/// `Invalid` when the id belongs to another step.
fn resent(one: &Read, known: &[StepRow], written: &[StepRow]) -> EngineResult<Option<u32>> {
    let Some((run, id)) = one.step_id() else {
        return Ok(None);
    };
    let is_it = |row: &&StepRow| row.run == run && row.id.as_ref() == Some(&id);
    let Some(row) = known.iter().chain(written).find(is_it) else {
        return Ok(None);
    };
    // With the stored number and result, so that only the contents are compared.
    let own = step_row(one, row.step, row.failed);
    if own.body_hash() != row.body_hash() || own.kind != row.kind {
        return Err(EngineError::Invalid(format!(
            "step `{id}` of the run `{run}` exists with other contents; give a new step an id of its own"
        )));
    }
    Ok(Some(row.step))
}

/// Refuses a number that is not the next one of its run.
fn check_number(run: &RunRow, row: &StepRow) -> EngineResult<()> {
    let next = run.steps.saturating_add(1);
    // A run that has ended refuses the step anyway, with the better reason.
    if row.step == next || run.end.is_some() {
        return Ok(());
    }
    Err(EngineError::Invalid(format!(
        "step {} of the run `{}` is not the next one, which is {next}; leave the number out",
        row.step, run.id
    )))
}

/// Takes a new step into the hash of its trace.
fn add_to_hash(run: &mut RunRow, row: &StepRow) {
    let facts = (row.step, row.kind, row.failed);
    let before = run.trajectory.trace_hash.take();
    let after = trace_hash(before.as_deref(), facts, &row.body_hash());
    run.trajectory.trace_hash = Some(after);
}

fn number_of(one: &Read, numbers: &mut Numbers<'_>, run: &RunRow) -> EngineResult<u32> {
    if one.continues {
        return Ok(numbers.same());
    }
    numbers.next(run, one.input.report.step)
}

fn note_step(run: &mut RunRow, read: &Read, step: u32, now: Timestamp) {
    let report = &read.input.report;
    let tool = tool_of_run(run, report.place.tool.as_ref());
    run.place = Place {
        tool,
        ..filled(&run.place, &report.place)
    };
    if run.trajectory.scope.is_none() {
        run.trajectory.scope.clone_from(&read.input.scope);
    }
    run.allowed_steps = run.allowed_steps.or(report.allowed_steps);
    if report.feedback.progress.is_some() {
        run.trajectory.stalled = report.feedback.stalled();
    }
    run.steps = run.steps.max(step);
    // A report may describe an earlier moment than the one that began the run.
    run.started_at = run.started_at.min(report.at);
    note(run, now);
}

/// The tool of a run after a step with a tool: a run that uses several has none.
fn tool_of_run(run: &RunRow, of_step: Option<&String>) -> Option<String> {
    match (&run.place.tool, of_step) {
        (Some(own), Some(other)) if own != other => None,
        (None, Some(first)) if run.steps == 0 => Some(first.clone()),
        (own, _) => own.clone(),
    }
}

fn step_row(one: &Read, step: u32, failed: bool) -> StepRow {
    let (report, detail) = (&one.input.report, &one.input.detail);
    let mut action = report.evidence.action.to_string();
    if action.len() > PART_MAX_BYTES {
        // A JSON text that is cut is none; its plain beginning is one.
        // Half the bound, because escaping can double the text.
        let end = action.floor_char_boundary(PART_MAX_BYTES / 2);
        action = Value::from(&action[..end]).to_string();
    }
    StepRow {
        run: one.run.clone(),
        step,
        action,
        plan_step: one.input.plan_step.clone(),
        failed,
        followed: one.input.followed.clone(),
        at: report.at,
        id: detail.id.clone(),
        kind: detail.kind,
        description: detail.description.clone(),
        metadata: detail.metadata.as_ref().map(Value::to_string),
    }
}
