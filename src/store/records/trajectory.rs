//! Trajectories and their steps as records: the task of an execution, its outcome, and its steps.
//!
//! Each step is a record of its own that its trajectory holds, so appending never rewrites a trace. Its number comes from
//! the trajectory's count under the lock of the owner, and a repeated step meets its own id. Words and scores are those
//! of the domain; nothing is decided here.

use super::kind::{Direction, EdgeKind, Kind};
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::timestamp::Timestamp;

/// Trajectories.
pub static TRAJECTORY: Kind = Kind {
    label: "Trajectory",
    held_as: Some("HAS_TRAJECTORY"),
    caption: "description",
    orders: &[
        BY_START,
        BY_AGENT,
        BY_USER,
        BY_TASK_TYPE,
        BY_STATUS,
        BY_PARENT,
        FOR_RELEARNING,
    ],
    edges: &[EdgeKind {
        name: CHILD_OF,
        other: "Trajectory",
        direction: Direction::Outgoing,
    }],
    references: &[],
    learners: OWNER_ALONE,
};

/// Steps of trajectories.
pub static STEP: Kind = Kind {
    label: "Step",
    held_as: None,
    caption: "description",
    orders: &[BY_NUMBER],
    edges: &[EdgeKind {
        name: HOLDS_STEP,
        other: "Trajectory",
        direction: Direction::Incoming,
    }],
    references: &[],
    learners: OWNER_ALONE,
};

/// All of them, newest start first.
pub const BY_START: &str = "by_start";
/// Those of an agent, newest start first.
pub const BY_AGENT: &str = "by_agent";
/// Those of a user, newest start first.
pub const BY_USER: &str = "by_user";
/// Those of a type of task, newest start first.
pub const BY_TASK_TYPE: &str = "by_task_type";
/// Those of a status, newest start first.
pub const BY_STATUS: &str = "by_status";
/// The children of one, oldest start first.
pub const BY_PARENT: &str = "by_parent";
/// The queue of those to learn from again: highest priority, then oldest start first.
pub const FOR_RELEARNING: &str = "for_relearning";
/// The steps of a trajectory, ascending.
pub const BY_NUMBER: &str = "by_number";

const CHILD_OF: &str = "CHILD_OF";
const HOLDS_STEP: &str = "STEP";

/// A trajectory.
#[derive(Clone, PartialEq, Debug)]
pub struct TrajectoryRow {
    /// Its id.
    pub id: String,
    /// The task in words.
    pub description: String,
    /// The type of the task.
    pub task_type: Option<String>,
    /// The agent that executed it.
    pub agent: Option<String>,
    /// The user it was executed for.
    pub user: Option<String>,
    /// The trajectory that it is a part of.
    pub parent: Option<String>,
    /// Its status, a word of the domain.
    pub status: String,
    /// Its success, 0..=1.
    pub success_score: Option<f64>,
    /// Why it failed.
    pub error: Option<String>,
    /// Its number of steps; the next step gets the number after it.
    pub steps: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; `None` while it is open.
    pub ended_at: Option<Timestamp>,
    /// Priority of learning from it again, 0..=10; `None` when it is not queued.
    pub relearning: Option<u32>,
    /// Its metrics (JSON), opaque to the store.
    pub metrics: Option<String>,
}

/// The key of a trajectory.
pub fn trajectory_key(id: &str) -> RecordKey {
    RecordKey::new(&TRAJECTORY, id)
}

impl TrajectoryRow {
    /// The trajectory as a record.
    pub fn to_record(&self) -> Record {
        let started = |key: OrderKey| key.newest(self.started_at);
        let fields = Fields::new()
            .with("description", self.description.as_str())
            .with_optional("task_type", self.task_type.as_deref())
            .with_optional("agent", self.agent.as_deref())
            .with_optional("user", self.user.as_deref())
            .with_optional("parent", self.parent.as_deref())
            .with("status", self.status.as_str())
            .with_optional("success_score", self.success_score)
            .with_optional("error", self.error.as_deref())
            .with("steps", self.steps)
            .with("started_at", self.started_at)
            .with_optional("ended_at", self.ended_at)
            .with_optional("relearning", self.relearning)
            .with_optional("metrics", self.metrics.as_deref());
        let mut record = Record::new(trajectory_key(&self.id), fields)
            .in_order(BY_START, started(OrderKey::new()))
            .in_order(BY_STATUS, started(OrderKey::new().exact(&self.status)));
        for (order, name) in [
            (BY_AGENT, &self.agent),
            (BY_USER, &self.user),
            (BY_TASK_TYPE, &self.task_type),
        ] {
            if let Some(name) = name {
                record = record.in_order(order, started(OrderKey::new().exact(name)));
            }
        }
        if let Some(priority) = self.relearning {
            let key = OrderKey::new().greatest(u64::from(priority));
            record = record.in_order(FOR_RELEARNING, key.oldest(self.started_at));
        }
        match &self.parent {
            Some(parent) => record
                .in_order(
                    BY_PARENT,
                    OrderKey::new().exact(parent).oldest(self.started_at),
                )
                .with_edge(CHILD_OF, trajectory_key(parent), Fields::new()),
            None => record,
        }
    }

    /// Reads a trajectory; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            id: record.key.id.clone(),
            description: fields.read("description")?,
            task_type: fields.read_optional("task_type")?,
            agent: fields.read_optional("agent")?,
            user: fields.read_optional("user")?,
            parent: fields.read_optional("parent")?,
            status: fields.read("status")?,
            success_score: fields.read_optional("success_score")?,
            error: fields.read_optional("error")?,
            steps: fields.read("steps")?,
            started_at: fields.read("started_at")?,
            ended_at: fields.read_optional("ended_at")?,
            relearning: fields.read_optional("relearning")?,
            metrics: fields.read_optional("metrics")?,
        })
    }
}

/// A step of a trajectory.
#[derive(Clone, PartialEq, Debug)]
pub struct TrajectoryStep {
    /// The trajectory.
    pub trajectory: String,
    /// Its id within the trajectory; a repeated step counts once.
    pub id: String,
    /// Its number, from 1 without gaps.
    pub number: u32,
    /// Its kind, a word of the domain.
    pub step_kind: String,
    /// The action, decision or observation in words.
    pub description: String,
    /// Further data (JSON), opaque to the store.
    pub metadata: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The key of a step.
pub fn step_key(trajectory: &str, id: &str) -> RecordKey {
    RecordKey::new(&STEP, format!("{trajectory}/{id}"))
}

/// The steps of a trajectory, as a range of [`BY_NUMBER`].
pub fn steps_of(trajectory: &str) -> Range {
    Range::starting_with(&OrderKey::new().exact(trajectory))
}

impl TrajectoryStep {
    /// The step as a record.
    pub fn to_record(&self) -> Record {
        let number = Fields::new().with("number", self.number);
        let fields = Fields::new()
            .with("trajectory", self.trajectory.as_str())
            .with("step_id", self.id.as_str())
            .with("number", self.number)
            .with("step_kind", self.step_kind.as_str())
            .with("description", self.description.as_str())
            .with_optional("metadata", self.metadata.as_deref())
            .with("at", self.at);
        let order = OrderKey::new().exact(&self.trajectory);
        Record::new(step_key(&self.trajectory, &self.id), fields)
            .in_order(BY_NUMBER, order.smallest(u64::from(self.number)))
            .with_edge(HOLDS_STEP, trajectory_key(&self.trajectory), number)
    }

    /// Reads a step; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            trajectory: fields.read("trajectory")?,
            id: fields.read("step_id")?,
            number: fields.read("number")?,
            step_kind: fields.read("step_kind")?,
            description: fields.read("description")?,
            metadata: fields.read_optional("metadata")?,
            at: fields.read("at")?,
        })
    }
}
