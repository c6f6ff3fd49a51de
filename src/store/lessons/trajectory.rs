//! A run as a trajectory: its owner, its outcome in words and numbers, and the retention of its steps.

use serde::{Deserialize, Serialize};

use hindlore_domain::trajectory::{Feedback, Metrics, Status, TraceState};
use hindlore_primitives::timestamp::Timestamp;

/// The fields of a run as a trajectory, in addition to those that lessons need.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TrajectoryFields {
    /// The type of its task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    /// The agent that did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The user it was done for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The run that it is a part of, of the same learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The scope that it was done in; its lessons belong there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// True when the progress that it last reported was zero or negative.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stalled: bool,
    /// True when a part of the task was done; success and failure are in the end of the run.
    pub is_partial: bool,
    /// Why it failed, in the caller's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The measurements of the caller.
    #[serde(skip_serializing_if = "Metrics::is_empty")]
    pub measured: Metrics,
    /// The feedback after its end, in the order of arrival.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<Feedback>,
    /// The priority of learning from it again, 0..=10; `None` when it is not queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relearning: Option<u8>,
    /// When it was last reflected upon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflected_at: Option<Timestamp>,
    /// The retention of its steps.
    pub trace: TraceState,
    /// The hash of its steps, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace_hash: Option<String>,
    /// When its steps are to go; `None` while they stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<Timestamp>,
}

/// Which runs a listing is about.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum RunFilter {
    /// All.
    #[default]
    All,
    /// Those of an agent.
    Agent(String),
    /// Those for a user.
    User(String),
    /// Those of a type of task.
    TaskType(String),
    /// Those with an outcome.
    Status(Status),
    /// Those that are a part of a run.
    PartsOf(String),
}
