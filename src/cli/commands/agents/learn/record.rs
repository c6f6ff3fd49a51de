//! The data of a call when it has ended, a command of `learn -- COMMAND` or a tool call from a hook:
//! all that the store needs, so that it can be taken in then or later, by this process or another one.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::line;
use crate::args::learn::LearnArgs;
use hindlore::lessons::{StepDetail, StepInput};
use hindlore_child::{End, Ended};
use hindlore_domain::lesson::event::{NEXT_STEP, StepReport};
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::{Redactions, Redactor};
use hindlore_trace::{Action, Outcome as TraceOutcome, Step};

/// Domain of commands that belong to no other.
const DOMAIN: &str = "shell";

/// A call whose command has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::commands) struct Record {
    pub(in crate::commands) tenant: String,
    pub(in crate::commands) learner: String,
    /// The scope in which it was made.
    scope: String,
    /// The id that makes it count once.
    pub(in crate::commands) call: String,
    pub(super) run: String,
    /// The part of an agent's session that the run is; absent for a command.
    #[serde(default)]
    pub(super) part: Option<SessionPart>,
    /// The run is this call's own and ends with it.
    pub(super) is_alone: bool,
    /// The playbook to curate with the insights of the run.
    pub(super) playbook: Option<String>,
    task: Option<String>,
    domain: Option<String>,
    tool: Option<String>,
    /// A command line, or the name and arguments of a call.
    action: Value,
    error: String,
    reason: String,
    /// Absent for a call that is no process.
    exit_code: Option<i32>,
    /// Whether it failed; absent if the exit code shows it.
    failed: Option<bool>,
    /// Milliseconds since 1970, UTC.
    at: i64,
    /// The secrets that were taken out before it was written down.
    pub(super) redacted: Redactions,
}

impl Record {
    /// Writes down how a command ended.
    pub(super) fn of(args: &LearnArgs, (key, names): (&MemoryKey, &Names), ended: &Ended) -> Self {
        let place = place(args);
        let exit_code = match ended.end() {
            End::Code(code) => i32::from(code),
            End::Signal(_) => i32::from(ended.exit_code()),
        };
        Self {
            tenant: key.tenant().to_owned(),
            learner: key.learner().to_owned(),
            scope: key.scope().to_owned(),
            call: names.call.clone(),
            run: names.run.clone(),
            part: None,
            is_alone: args.run.is_none(),
            playbook: args.playbook.clone(),
            task: place.task,
            domain: place.domain,
            tool: place.tool,
            action: Value::from(line::written(&args.command)),
            error: if ended.failed() {
                ended.error().to_owned()
            } else {
                String::new()
            },
            reason: ended.reason(),
            exit_code: Some(exit_code),
            failed: None,
            at: names.began.millis(),
            redacted: Redactions::default(),
        }
    }

    /// Records a tool call of an agent, as a step of an open run.
    pub(in crate::commands) fn of_call(
        key: &MemoryKey,
        names: &Names,
        (part, step): (SessionPart, Step),
    ) -> Self {
        let failed = step.outcome == TraceOutcome::Failed;
        let code = step.exit_code.filter(|code| *code != 0 && failed);
        let is_command = matches!(step.action, Action::Command(_));
        Self {
            tenant: key.tenant().to_owned(),
            learner: key.learner().to_owned(),
            scope: key.scope().to_owned(),
            call: names.call.clone(),
            run: names.run.clone(),
            part: Some(part),
            is_alone: false,
            playbook: None,
            task: None,
            domain: is_command.then(|| DOMAIN.to_owned()),
            tool: step.tool,
            action: step.action.to_value(),
            reason: code
                .filter(|_| step.error.is_empty())
                .map(|code| format!("exit code {code}"))
                .unwrap_or_default(),
            error: step.error,
            exit_code: step.exit_code,
            failed: Some(failed),
            at: names.began.millis(),
            redacted: Redactions::default(),
        }
    }

    /// Moves the call to the next part of its session; absent for a command.
    pub(super) fn in_next_part(&self) -> Option<Self> {
        let part = self.part.as_ref()?.next();
        Some(Self {
            run: part.run(),
            part: Some(part),
            ..self.clone()
        })
    }

    /// Removes the secrets, as the engine would: a call that waits for the store is written to a file as well.
    pub(in crate::commands) fn without_secrets(mut self, redactor: &Redactor) -> Self {
        let mut step = self.step();
        self.redacted = step.redact(redactor);
        let report = step.report;
        self.action = report.evidence.action;
        self.error = report
            .evidence
            .error
            .as_str()
            .unwrap_or_default()
            .to_owned();
        self.reason = report.evidence.reason;
        let place = report.place;
        (self.task, self.domain, self.tool) = (place.task, place.domain, place.tool);
        self
    }

    /// True when it did not end well.
    pub(in crate::commands) fn failed(&self) -> bool {
        let by_code = || self.exit_code.is_some_and(|code| code != 0);
        self.failed.unwrap_or_else(by_code)
    }

    /// Task, domain and tool of the step.
    pub(super) fn place(&self) -> Place {
        Place {
            task: self.task.clone(),
            domain: self.domain.clone(),
            tool: self.tool.clone(),
        }
    }

    /// The action and its result.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence {
            error: if self.error.is_empty() {
                Value::Null
            } else {
                Value::from(self.error.clone())
            },
            action: self.action.clone(),
            reason: self.reason.clone(),
            ..Evidence::default()
        }
    }

    /// The step that the command was.
    pub(super) fn step(&self) -> StepInput {
        StepInput {
            report: StepReport {
                run: self.run.clone(),
                step: NEXT_STEP,
                allowed_steps: None,
                evidence: self.evidence(),
                feedback: Feedback {
                    hard_failure: self.failed(),
                    ..Feedback::default()
                },
                exit_code: self.exit_code,
                unsafe_action: false,
                place: self.place(),
                tags: Vec::new(),
                at: Timestamp::from_millis(self.at),
            },
            plan_step: None,
            followed: Vec::new(),
            detail: StepDetail::default(),
            scope: Some(self.scope.clone()),
        }
    }
}

/// A part of an agent's session, which is a run of its own: it ends when the agent rests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::commands) struct SessionPart {
    /// The session.
    pub(in crate::commands) session: String,
    /// Its number, from 1.
    pub(in crate::commands) number: u32,
}

impl SessionPart {
    /// The name of the run.
    pub(in crate::commands) fn run(&self) -> String {
        match self.number {
            0 | 1 => self.session.clone(),
            number => format!("{}-{number}", self.session),
        }
    }

    fn next(&self) -> Self {
        Self {
            session: self.session.clone(),
            number: self.number.saturating_add(1),
        }
    }
}

/// The identity of a call.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Names {
    pub(in crate::commands) call: String,
    pub(in crate::commands) run: String,
    /// When it began.
    pub(in crate::commands) began: Timestamp,
}

/// Task, domain and tool of a call.
pub(super) fn place(args: &LearnArgs) -> Place {
    let named = args.place.place();
    Place {
        domain: named.domain.or_else(|| Some(DOMAIN.to_owned())),
        tool: named.tool.or_else(|| program(args)),
        task: named.task,
    }
}

/// The name of the program, without its folder.
fn program(args: &LearnArgs) -> Option<String> {
    let name = Path::new(args.command.first()?).file_name()?;
    Some(name.to_string_lossy().into_owned())
}
