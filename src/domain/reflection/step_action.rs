//! The actions of a trajectory, each in its one form, independent of the tool that ran it.

use serde_json::{Value, json};

use crate::lesson::learning::call::canonical;
use crate::trajectory::Step;
use hindlore_errors::action::{Action, Intent};

/// An action with its step.
pub(super) struct StepAction<'s> {
    /// The step.
    pub(super) step: &'s Step,
    /// The action in its one form.
    pub(super) action: Action,
    /// The action as data.
    pub(super) value: Value,
    /// Its name: a tool, or a program with its sub-command; empty when it has no name.
    pub(super) name: String,
}

impl StepAction<'_> {
    pub(super) fn failed(&self) -> bool {
        self.step.failed
    }

    /// Its text on one line.
    pub(super) fn text(&self) -> String {
        self.action.text()
    }
}

/// The actions of steps, in order; decisions and observations have none.
pub(super) fn of(steps: &[Step]) -> Vec<StepAction<'_>> {
    steps.iter().filter_map(read).collect()
}

fn read(step: &Step) -> Option<StepAction<'_>> {
    let value = canonical(&value_of(step.action.as_ref()?)?);
    let action = Action::read(&value);
    let name = match action.intent() {
        Some(Intent::Tool { name, .. } | Intent::PlanStep(name)) => name,
        Some(Intent::Command {
            program,
            subcommand,
        }) => match subcommand {
            Some(subcommand) => format!("{program} {subcommand}"),
            None => program,
        },
        None => String::new(),
    };
    Some(StepAction {
        step,
        action,
        value,
        name,
    })
}

fn value_of(action: &Action) -> Option<Value> {
    match action {
        Action::Tool { name, arguments } => Some(json!({ "name": name, "arguments": arguments })),
        Action::Command(line) => Some(Value::from(line.as_str())),
        Action::Other(value) => Some(value.clone()),
        Action::None => None,
    }
}
