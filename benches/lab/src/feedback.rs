//! The feedback of a step, in the four channels that every domain can report.
//!
//! No channel belongs to a command line: a machine that bumps into a wall has no exit code and no error text, and
//! signals by constraint and progress.

use serde_json::{Map, Value};

/// The outcome of one action.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Feedback {
    /// Text of an exception, an exit code other than 0, a refusal of an interface.
    pub hard_failure: Option<String>,
    /// The exit code of a process that failed.
    pub exit_code: Option<i32>,
    /// A condition that was not met: which one.
    pub constraint_failure: Option<String>,
    /// How much nearer the goal is than before, in shares of the whole way; below 0 is further away.
    pub progress: f64,
    /// The cost of the action, in the units of the world; 1 for an ordinary step.
    pub cost: f64,
    /// The output or answer.
    pub output: String,
}

impl Feedback {
    /// An action with the intended effect.
    pub fn done(progress: f64, output: impl Into<String>) -> Self {
        Self {
            progress,
            cost: 1.0,
            output: output.into(),
            ..Self::default()
        }
    }

    /// An action that was refused with a text.
    pub fn refused(text: impl Into<String>) -> Self {
        Self {
            hard_failure: Some(text.into()),
            cost: 1.0,
            ..Self::default()
        }
    }

    /// An action that broke a condition.
    pub fn broken(condition: impl Into<String>, progress: f64) -> Self {
        Self {
            constraint_failure: Some(condition.into()),
            progress,
            cost: 1.0,
            ..Self::default()
        }
    }

    /// Returns true if the step failed.
    pub fn is_failure(&self) -> bool {
        self.hard_failure.is_some() || self.constraint_failure.is_some()
    }

    /// All that can be read about the failure.
    pub fn text(&self) -> &str {
        let text = self
            .hard_failure
            .as_deref()
            .or(self.constraint_failure.as_deref());
        text.unwrap_or_default()
    }
}

/// The next step of the plan: the name of the intent and its data.
#[derive(Clone, PartialEq, Debug)]
pub struct Intent {
    /// Its name in the tool's habits.
    pub name: String,
    /// Its data, by the names of its places.
    pub data: Map<String, Value>,
}

/// How a task ended.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Verdict {
    /// Whether the goal is reached.
    pub passed: bool,
    /// Share of the goal that is reached, in 0..=1.
    pub score: f64,
}
