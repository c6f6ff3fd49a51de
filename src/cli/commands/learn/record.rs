//! What is known of a call of `learn -- COMMAND` when its command has ended: all that the store needs, so that it can
//! be taken in then or later, by this call or another one.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::line;
use crate::cli::args::learn::LearnArgs;
use crate::cli::child::{End, Ended};
use crate::domain::lesson::event::{NEXT_STEP, StepReport};
use crate::domain::lesson::feedback::Feedback;
use crate::domain::lesson::fingerprint::Evidence;
use crate::domain::lesson::lesson::Place;
use crate::domain::memory::key::MemoryKey;
use crate::domain::redact::{Redactions, Redactor};
use crate::domain::timestamp::Timestamp;
use crate::engine::lessons::{StepDetail, StepInput};

/// Domain of commands that belong to no other.
const DOMAIN: &str = "shell";

/// A call whose command has ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) tenant: String,
    pub(super) learner: String,
    /// What makes it count once.
    pub(super) call: String,
    pub(super) run: String,
    /// The run is this call's own and ends with it.
    pub(super) is_alone: bool,
    task: Option<String>,
    domain: Option<String>,
    tool: Option<String>,
    action: String,
    error: String,
    reason: String,
    pub(super) exit_code: i32,
    /// Milliseconds since 1970, UTC.
    at: i64,
    /// The secrets that were taken out before it was written down.
    #[serde(default)]
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
            call: names.call.clone(),
            run: names.run.clone(),
            is_alone: args.run.is_none(),
            task: place.task,
            domain: place.domain,
            tool: place.tool,
            action: line::written(&args.command),
            error: if ended.failed() {
                ended.error().to_owned()
            } else {
                String::new()
            },
            reason: ended.reason(),
            exit_code,
            at: names.began.millis(),
            redacted: Redactions::default(),
        }
    }

    /// Takes the secrets out, as the engine would: what waits for a store is written to a file as well.
    pub(super) fn without_secrets(mut self, redactor: &Redactor) -> Self {
        let mut step = self.step();
        self.redacted = step.redact(redactor);
        let said = |part: Value| part.as_str().map(str::to_owned).unwrap_or_default();
        let report = step.report;
        self.action = said(report.evidence.action);
        self.error = said(report.evidence.error);
        self.reason = report.evidence.reason;
        let place = report.place;
        (self.task, self.domain, self.tool) = (place.task, place.domain, place.tool);
        self
    }

    /// True when the command did not end well.
    pub(super) fn failed(&self) -> bool {
        self.exit_code != 0
    }

    /// Task, domain and tool of the step.
    pub(super) fn place(&self) -> Place {
        Place {
            task: self.task.clone(),
            domain: self.domain.clone(),
            tool: self.tool.clone(),
        }
    }

    /// What was tried and what came of it.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence {
            error: if self.error.is_empty() {
                Value::Null
            } else {
                Value::from(self.error.clone())
            },
            action: Value::from(self.action.clone()),
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
                exit_code: Some(self.exit_code),
                unsafe_action: false,
                place: self.place(),
                tags: Vec::new(),
                at: Timestamp::from_millis(self.at),
            },
            plan_step: None,
            followed: Vec::new(),
            detail: StepDetail::default(),
        }
    }
}

/// What a call is known by.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) call: String,
    pub(super) run: String,
    /// When its command began.
    pub(super) began: Timestamp,
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
