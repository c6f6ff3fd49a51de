//! The items of a trace as steps of runs, a portion at a time.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::steps::{Numbering, StepDefaults, StepsRead};
use hindlore::lessons::{StepDetail, StepInput};
use hindlore_domain::lesson::event::{NEXT_STEP, StepReport};
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::Place;
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::identity::{content_name, parse_name};
use hindlore_trace::{Action, Format, Item, Outcome, Run, Skipped, Step};

/// The domain of command lines, as for commands that are learned from as they run.
const SHELL: &str = "shell";
/// Places that were passed over and are named; more are counted.
const SKIPPED_MAX: usize = 100;
/// Replies of one trace that are read for lessons.
const REPLIES_MAX: usize = 100;

/// The steps read so far.
pub(super) struct Reading<'a> {
    defaults: &'a StepDefaults,
    /// Run of steps that name none.
    run: String,
    /// The caller chose the run, and gives the numbers of its steps out itself.
    numbers_run: bool,
    /// The steps of the present portion.
    pub(super) steps: Vec<StepInput>,
    skipped: Vec<Skipped>,
    skipped_more: usize,
    stopped: usize,
    /// Calls whose end the trace does not show: neither a failure nor a success.
    unclear: usize,
    passed: BTreeMap<String, bool>,
    /// Replies that may state a lesson, with their runs.
    replies: Vec<(String, String)>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(run: String, defaults: &'a StepDefaults) -> Self {
        Self {
            numbers_run: defaults.run.is_some() && defaults.numbering == Numbering::Store,
            run,
            defaults,
            steps: Vec::new(),
            skipped: Vec::new(),
            skipped_more: 0,
            stopped: 0,
            unclear: 0,
            passed: BTreeMap::new(),
            replies: Vec::new(),
        }
    }

    pub(super) fn take(&mut self, item: Item) {
        match item {
            Item::Step(step) => match step.outcome {
                Outcome::Refused | Outcome::Interrupted => self.stopped += 1,
                Outcome::Unknown => self.unclear += 1,
                Outcome::Worked | Outcome::Failed => {
                    let input = self.input(*step);
                    self.steps.push(input);
                }
            },
            Item::Skipped(skipped) if self.skipped.len() < SKIPPED_MAX => {
                self.skipped.push(skipped)
            }
            Item::Skipped(_) => self.skipped_more += 1,
            Item::Ended { run, passed } => {
                let name = self.name(&run);
                self.passed.insert(name, passed);
            }
            Item::Stated { run, reply } if self.replies.len() < REPLIES_MAX => {
                self.replies.push((self.name(&run), reply));
            }
            Item::Stated { .. } => {}
        }
    }

    /// The name of a run. A name in a trace may be invalid for us, and is then derived.
    fn name(&self, run: &Run) -> String {
        match run {
            Run::Named(name) => match parse_name("run", name) {
                Ok(name) => name,
                Err(_) => content_name("run-", name.as_bytes()),
            },
            Run::Part(0 | 1) => self.run.clone(),
            Run::Part(part) => format!("{}-{part}", self.run),
        }
    }

    fn input(&self, step: Step) -> StepInput {
        let has_failed = step.outcome == Outcome::Failed;
        let is_dated = step.at.is_some();
        let is_own_run = matches!(step.run, Run::Part(0 | 1));
        let code = step.exit_code.filter(|code| *code != 0);
        let reason = code.filter(|_| has_failed && step.error.is_empty());
        let place = &self.defaults.place;
        let is_command = matches!(step.action, Action::Command(_));
        let report = StepReport {
            run: self.name(&step.run),
            step: if self.numbers_run && is_own_run {
                NEXT_STEP
            } else {
                step.number
            },
            allowed_steps: None,
            evidence: Evidence {
                error: text(step.error),
                state: step.state,
                action: match step.action {
                    Action::Unknown => Value::Null,
                    action => action.to_value(),
                },
                state_after: Value::Null,
                reason: reason
                    .map(|code| format!("exit code {code}"))
                    .unwrap_or_default(),
            },
            feedback: Feedback {
                hard_failure: has_failed,
                ..Feedback::default()
            },
            exit_code: step.exit_code,
            unsafe_action: false,
            place: Place {
                task: step.task.or_else(|| place.task.clone()),
                domain: place
                    .domain
                    .clone()
                    .or_else(|| is_command.then(|| SHELL.to_owned())),
                tool: step.tool.or_else(|| place.tool.clone()),
            },
            tags: Vec::new(),
            at: step.at.unwrap_or(self.defaults.at),
        };
        StepInput {
            report,
            plan_step: None,
            followed: Vec::new(),
            detail: StepDetail {
                is_dated,
                ..StepDetail::default()
            },
            scope: None,
        }
    }

    pub(super) fn finish(self, format: Format) -> StepsRead {
        let mut notes = Vec::new();
        if self.stopped > 0 {
            notes.push(format!(
                "{} calls that the person refused or interrupted were left out",
                self.stopped
            ));
        }
        if self.unclear > 0 {
            notes.push(format!(
                "{} calls whose end the trace does not show were left out",
                self.unclear
            ));
        }
        if self.skipped_more > 0 {
            notes.push(format!(
                "{} more places were passed over",
                self.skipped_more
            ));
        }
        StepsRead {
            format: format.word(),
            steps: self.steps,
            skipped: self.skipped,
            passed: self.passed,
            replies: self.replies,
            notes,
        }
    }
}

fn text(text: String) -> Value {
    if text.is_empty() {
        return Value::Null;
    }
    Value::from(text)
}
