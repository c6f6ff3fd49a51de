//! The common form of all formats: steps of runs, and unreadable places.
//!
//! A step is one call of a tool with its result. A call that a person stopped is no failure of the tool, so it has
//! outcomes of its own. Texts are bounded; nothing else of a step is.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::{Value, json};

/// The longest output and error text of a step, in bytes: of more, both ends are kept.
pub const TEXT_MAX_BYTES: usize = 64 << 10;

/// One call of a tool and its result.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The run.
    pub run: Run,
    /// Its place in the run, from 1.
    pub number: u32,
    /// Line of the file with the call, from 1.
    pub line: usize,
    /// The tool as the trace names it.
    pub tool: Option<String>,
    /// The action; a log of a build has none.
    pub action: Action,
    /// State before the call; null where the format has none.
    pub state: Value,
    /// The tool's answer, without the wrappers of the harness.
    pub output: String,
    /// Exit code of a process.
    pub exit_code: Option<i32>,
    /// How it ended.
    pub outcome: Outcome,
    /// The tool's message about its failure; empty unless it failed, and where it failed without a word.
    pub error: String,
    /// The task that the run was about.
    pub task: Option<String>,
    /// When the result was there; when the call was made, where only that is known.
    pub at: Option<Timestamp>,
}

/// The run of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Run {
    /// The trace names it, by a session, a conversation, a task.
    Named(String),
    /// It has no name: the first, second, .. such run of the file, from 1.
    Part(usize),
}

impl Default for Run {
    fn default() -> Self {
        Self::Part(1)
    }
}

/// The action of a step.
#[derive(Clone, PartialEq, Default, Debug)]
pub enum Action {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// A command line.
    Command(String),
    /// A call of a tool.
    Call {
        /// Name of the tool.
        name: String,
        /// Its arguments; JSON within a text is parsed.
        arguments: Value,
    },
}

impl Action {
    /// The action as a step report writes it: the command, `{"name": .., "arguments": ..}`, or null.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Unknown => Value::Null,
            Self::Command(line) => Value::from(line.as_str()),
            Self::Call { name, arguments } => json!({"name": name, "arguments": arguments}),
        }
    }

    /// The command line of a shell; empty for anything else.
    pub(crate) fn command(&self) -> &str {
        match self {
            Self::Command(line) => line,
            Self::Unknown | Self::Call { .. } => "",
        }
    }
}

/// How a step ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It worked, as far as the trace shows.
    Worked,
    /// The tool failed.
    Failed,
    /// The person, or a rule of the person's, did not allow it.
    Refused,
    /// It was stopped from outside before its end: by the person, or along with a concurrent call.
    Interrupted,
    /// The trace does not show how it ended: its output was discarded, or it still ran. It is no evidence.
    Unknown,
}

/// An item of a trace, in the order of the file.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A step.
    Step(Box<Step>),
    /// Something that could not be read, or has no result.
    Skipped(Skipped),
    /// A run ended, and the trace records how.
    Ended {
        /// The run.
        run: Run,
        /// It reached its goal.
        passed: bool,
    },
    /// The agent states a lesson in its reply.
    Stated {
        /// The run.
        run: Run,
        /// The reply.
        reply: String,
    },
}

/// The mark of a reply that may state a lesson; others are not handed out.
pub(crate) const STATED: &str = "LESSON ";

/// A place that was passed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Line of the file, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}
