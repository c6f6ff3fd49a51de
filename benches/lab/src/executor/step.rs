//! The input and output of a run of the executor: hints, actions with their results, and the observer.

use serde_json::{Value, json};

use crate::error::LabResult;
use crate::feedback::Feedback;
use crate::tool::Habits;
use hindlore_errors::fingerprint::Evidence;

/// Advice as text. The number is for the keeper's accounts; only the text is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The id of the advice, in the keeper's words. The same advice given twice is one.
    pub id: String,
    /// The advice.
    pub text: String,
    /// The kind of step that it was learned in; it holds for any where this is absent.
    pub about: Option<String>,
}

/// One action and its result.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Place in the run, from 1.
    pub number: usize,
    /// The intent of the plan, by name.
    pub intent: String,
    /// The intent with its data: the step of the plan.
    pub plan_step: String,
    /// The visible state before.
    pub state_before: String,
    /// The action.
    pub action: String,
    /// The visible state after.
    pub state_after: String,
    /// The feedback.
    pub feedback: Feedback,
    /// The hints that shaped the action.
    pub followed: Vec<String>,
}

impl Step {
    /// Context for a fingerprint: the same words mean another thing for another kind of step, so that an error text is
    /// accompanied by the action as a call by the name of its kind.
    pub fn evidence(&self) -> Evidence {
        let text = self.feedback.hard_failure.as_deref();
        let action = match text {
            Some(_) => json!({"tool": self.intent, "arguments": {"action": self.action}}),
            None => Value::from(self.action.as_str()),
        };
        Evidence {
            error: text.map_or(Value::Null, Value::from),
            state: Value::from(self.state_before.as_str()),
            action,
            state_after: Value::from(self.state_after.as_str()),
            reason: self.feedback.constraint_failure.clone().unwrap_or_default(),
        }
    }
}

/// How long a run may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Actions in a run.
    pub steps: usize,
    /// Actions for one step of the plan.
    pub tries: usize,
}

/// The input of the executor.
#[derive(Clone, Copy, Debug)]
pub struct Kit<'a> {
    /// The plausible forms.
    pub habits: &'a Habits,
    /// Documentation that may be read in this run.
    pub docs: &'a str,
    /// How long it may try.
    pub limits: Limits,
    /// The chance that it heeds a hint, 0..=1; one that it does not heed it never heeds in the run.
    pub heeds: f64,
}

/// Observes a run. Its answers are read as hints from then on.
pub trait Company {
    /// Receives the planned action: the kind of step and the action.
    fn before(&mut self, intent: &str, action: &str) -> LabResult<Vec<Hint>>;
    /// Receives the action with its result.
    fn after(&mut self, step: &Step) -> LabResult<Vec<Hint>>;
}
