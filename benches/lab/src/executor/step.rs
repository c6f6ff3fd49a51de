//! What goes in and out of a run of the executor: hints, actions with what came of them, and who goes along.

use serde_json::{Value, json};

use crate::error::LabResult;
use crate::feedback::Feedback;
use crate::tool::Habits;
use hindlore::domain::lesson::fingerprint::Evidence;

/// Advice as text. The number is for whoever keeps accounts; the text is all that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Whose advice it is, in the keeper's words. The same advice told twice is one.
    pub id: String,
    /// The advice.
    pub text: String,
    /// The kind of step that it was learned in; it holds for any where this is absent.
    pub about: Option<String>,
}

/// One action and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Place in the run, from 1.
    pub number: usize,
    /// What the plan wanted: the name of the intent.
    pub intent: String,
    /// The same with its data: which step of the plan it is.
    pub plan_step: String,
    /// What could be seen before.
    pub state_before: String,
    /// What was done.
    pub action: String,
    /// What could be seen after.
    pub state_after: String,
    /// What came back.
    pub feedback: Feedback,
    /// The hints that made the action what it is.
    pub followed: Vec<String>,
}

impl Step {
    /// What is known about it, for a fingerprint: the same words say another thing about another kind of
    /// step, so that beside an error text the action is given as a call by the name of its kind.
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

/// What the executor has to work with.
#[derive(Clone, Copy, Debug)]
pub struct Kit<'a> {
    /// Plausible ways to say things.
    pub habits: &'a Habits,
    /// Documentation that may be read in this run.
    pub docs: &'a str,
    /// How long it may try.
    pub limits: Limits,
    /// The chance that it heeds a hint, 0..=1; one that it does not heed it never heeds in the run.
    pub heeds: f64,
}

/// Goes along with a run. What it answers is read as hints from then on.
pub trait Company {
    /// Is told what is about to be done: the kind of step and the action.
    fn before(&mut self, intent: &str, action: &str) -> LabResult<Vec<Hint>>;
    /// Is told what was done and what came of it.
    fn after(&mut self, step: &Step) -> LabResult<Vec<Hint>>;
}
