//! Runs, their steps and receipts as nodes: every field is a property of its own and comes back bit for bit.

use neo4rs::Row;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::keys::{Keys, ordered, read_id};
use super::run_metrics::with_metrics;
use crate::bolt::times::{Moment, date};
use crate::bolt::values::Map;
use crate::error::Result;
use crate::upkeep::by_hand::Node;
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::trajectory::{Metrics, Status};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::form::RunLists;
use hindlore_store::lessons::rows::{OperationReceipt, RunEnd, RunRow};
use hindlore_store::lessons::trajectory::TrajectoryFields;
use hindlore_store::lessons::transaction::Raised;
use hindlore_store::order_key::{falling, rising};

/// Reads all rows of a column.
pub(super) fn column<P, T>(
    rows: &[Row],
    name: &str,
    read: impl Fn(P) -> Result<T>,
) -> Result<Vec<T>>
where
    P: DeserializeOwned,
{
    let all = rows.iter().map(|row| {
        let Node(one) = row.get::<Node<P>>(name)?;
        read(one)
    });
    all.collect()
}

/// Reads a list in the first row.
pub(super) fn listed<P, T>(
    rows: &[Row],
    name: &str,
    read: impl Fn(P) -> Result<T>,
) -> Result<Vec<T>>
where
    P: DeserializeOwned,
{
    let Some(row) = rows.first() else {
        return Ok(Vec::new());
    };
    let list: Vec<Node<P>> = row.get(name)?;
    list.into_iter().map(|Node(one)| read(one)).collect()
}

/// Parses a list of ids or words.
pub(super) fn read_all<T: std::str::FromStr>(texts: &[String]) -> Result<Vec<T>>
where
    T::Err: std::fmt::Display,
{
    texts.iter().map(|text| read_id(text)).collect()
}

/// The properties of a run's node that are its fields.
#[derive(Deserialize)]
pub(super) struct RunProperties {
    id: String,
    task: Option<String>,
    domain: Option<String>,
    tool: Option<String>,
    intent: String,
    control: bool,
    allowed_steps: Option<u32>,
    steps: u32,
    changes: u64,
    started_at: Moment,
    last_at: Moment,
    ended_at: Option<Moment>,
    idle: Option<bool>,
    passed: Option<bool>,
    score: Option<f64>,
    occurrences: Option<String>,
    in_force: Option<String>,
    followed: Option<String>,
    subjects: Option<Vec<String>>,
    metrics: Option<String>,
    task_type: Option<String>,
    agent: Option<String>,
    user: Option<String>,
    parent: Option<String>,
    scope: Option<String>,
    is_partial: Option<bool>,
    stalled: Option<bool>,
    error: Option<String>,
    feedback: Option<Vec<String>>,
    relearning: Option<u8>,
    reflected_at: Option<Moment>,
    trace: String,
    trace_hash: Option<String>,
    due_at: Option<Moment>,
}

impl RunProperties {
    pub(super) fn into_run(mut self) -> Result<RunRow> {
        let trajectory = self.take_trajectory()?;
        let list = |text: &Option<String>| text.clone().unwrap_or_else(|| "[]".to_owned());
        let end = match self.ended_at {
            None => None,
            Some(at) => Some(RunEnd {
                passed: self.passed,
                score: self.score,
                at: at.0,
                idle: self.idle.unwrap_or_default(),
                occurrences: RunLists::occurrences(&list(&self.occurrences))?,
                in_force: RunLists::in_force(&list(&self.in_force))?,
                followed: RunLists::followed(&list(&self.followed))?,
                subjects: self.subjects.unwrap_or_default(),
                metrics: self.metrics.unwrap_or_default(),
            }),
        };
        Ok(RunRow {
            id: self.id,
            place: Place {
                task: self.task,
                domain: self.domain,
                tool: self.tool,
            },
            intent: self.intent,
            control: self.control,
            allowed_steps: self.allowed_steps,
            steps: self.steps,
            changes: self.changes,
            started_at: self.started_at.0,
            last_at: self.last_at.0,
            end,
            trajectory,
        })
    }

    fn take_trajectory(&mut self) -> Result<TrajectoryFields> {
        let feedback = self.feedback.iter().flatten();
        let feedback = feedback.map(|one| serde_json::from_str(one));
        Ok(TrajectoryFields {
            task_type: self.task_type.take(),
            agent: self.agent.take(),
            user: self.user.take(),
            parent: self.parent.take(),
            scope: self.scope.take(),
            is_partial: self.is_partial.unwrap_or_default(),
            stalled: self.stalled.unwrap_or_default(),
            error: self.error.take(),
            measured: Metrics::default(),
            feedback: feedback.collect::<serde_json::Result<_>>()?,
            relearning: self.relearning,
            reflected_at: self.reflected_at.map(|Moment(at)| at),
            trace: read_id(&self.trace)?,
            trace_hash: self.trace_hash.take(),
            due_at: self.due_at.map(|Moment(at)| at),
        })
    }
}

/// The properties of a run that is known by name only.
pub(super) fn run_name(keys: &Keys, run: &str) -> Map {
    keys.node(keys.run(run), run).with("id", run)
}

/// The properties of a run.
pub(super) fn run_properties(keys: &Keys, run: &RunRow) -> Result<Map> {
    let (place, id) = (&run.place, ordered(&run.id));
    let start = format!("{}{}{id}", keys.key, falling(run.started_at));
    let map = run_name(keys, &run.id)
        .with("task", place.task.clone())
        .with("domain", place.domain.clone())
        .with("tool", place.tool.clone())
        .with("intent", run.intent.as_str())
        .with("control", run.control)
        .with("allowed_steps", run.allowed_steps.map(i64::from))
        .with("steps", i64::from(run.steps))
        .whole("changes", run.changes)?
        .with("started_at", date(run.started_at))
        .with("last_at", date(run.last_at))
        .with("hindlore_by_start", start);
    let map = with_metrics(with_trajectory(keys, run, map)?, run)?;
    let Some(end) = &run.end else {
        // Only an open run has this key, so the index holds no other.
        let idleness = format!("{}{}{id}", keys.key, rising(run.last_at));
        return Ok(map.with("hindlore_by_idleness", idleness));
    };
    let lists = RunLists::new(end)?;
    let ended = ending(end.at, &run.id);
    let of_task = place.task.as_deref().map(|task| keys.of_task(task));
    let of_domain = place.domain.as_deref();
    let of_domain = of_domain.map(|domain| keys.of_domain(domain, place.tool.as_deref()));
    let word = if run.control { CONTROL } else { PLAIN };
    Ok(map
        .with("ended_at", date(end.at))
        .with("idle", end.idle)
        .with("passed", end.passed)
        .with("score", end.score)
        .with("occurrences", lists.occurrences)
        .with("in_force", lists.in_force)
        .with("followed", lists.followed)
        .texts("subjects", end.subjects.iter().cloned())
        .with(
            "hindlore_by_task",
            of_task.map(|start| format!("{start}{ended}")),
        )
        .with(
            "hindlore_by_domain",
            of_domain.map(|start| format!("{start}{ended}")),
        )
        .with("hindlore_by_ending", keys.word(word)))
}

/// Adds the trajectory fields of a run, and its place in each list of trajectories.
fn with_trajectory(keys: &Keys, run: &RunRow, map: Map) -> Result<Map> {
    let (fields, id) = (&run.trajectory, ordered(&run.id));
    let started = falling(run.started_at);
    let listed = |list: &str, name: &Option<String>| {
        let name = name.as_deref()?;
        Some(format!("{}{started}{id}", keys.runs_of(list, name)))
    };
    let queued = fields.relearning.map(|priority| {
        // Inverted, so that the highest priority sorts first.
        let rank = u8::MAX - priority;
        format!("{}{rank:03}{}{id}", keys.key, rising(run.started_at))
    });
    let due = fields.due_at;
    let due = due.map(|at| format!("{}{}{id}", keys.key, rising(at)));
    let feedback = fields.feedback.iter().map(serde_json::to_string);
    let feedback = feedback.collect::<serde_json::Result<Vec<_>>>()?;
    let map = map
        .with("task_type", fields.task_type.clone())
        .with("agent", fields.agent.clone())
        .with("user", fields.user.clone())
        .with("parent", fields.parent.clone())
        .with("scope", fields.scope.clone())
        .with("status", run.status().map(|status| status.word()))
        .flag("is_partial", fields.is_partial)
        .flag("stalled", fields.stalled)
        .with("error", fields.error.clone())
        .with("relearning", fields.relearning.map(i64::from))
        .with("reflected_at", fields.reflected_at.map(date))
        .with("trace", fields.trace.word())
        .with("trace_hash", fields.trace_hash.clone())
        .with("due_at", fields.due_at.map(date))
        .with("hindlore_by_agent", listed("agent", &fields.agent))
        .with("hindlore_by_user", listed("user", &fields.user))
        .with(
            "hindlore_by_task_type",
            listed("task_type", &fields.task_type),
        )
        .with("hindlore_by_parent", listed("parent", &fields.parent))
        .with(
            "hindlore_by_status",
            run.status()
                .map(|status| of_status(keys, status, run.started_at, &run.id)),
        )
        .with("hindlore_by_relearning", queued)
        .with("hindlore_by_due", due);
    if feedback.is_empty() {
        return Ok(map);
    }
    Ok(map.texts("feedback", feedback))
}

/// The place of a run among those of its outcome.
fn of_status(keys: &Keys, status: Status, started_at: Timestamp, id: &str) -> String {
    let list = keys.runs_of("status", status.word());
    format!("{list}{}{}", falling(started_at), ordered(id))
}

/// The words for ended runs: plain ones and control runs.
pub(super) const PLAIN: &str = "plain";
pub(super) const CONTROL: &str = "control";

/// The part of a key after the fingerprint, in the order of ended runs that raised it.
pub(super) fn ending(at: Timestamp, run: &str) -> String {
    format!("{}{}", rising(at), ordered(run))
}

/// The properties of a receipt.
#[derive(Deserialize)]
pub(super) struct ReceiptProperties {
    operation: String,
    body_digest: String,
    answer: String,
    at: Moment,
}

impl ReceiptProperties {
    pub(super) fn into_receipt(self) -> Result<OperationReceipt> {
        Ok(OperationReceipt {
            operation: self.operation,
            body_digest: self.body_digest,
            answer: self.answer,
            at: self.at.0,
        })
    }
}

/// The properties of a receipt.
pub(super) fn receipt_properties(keys: &Keys, receipt: &OperationReceipt) -> Map {
    keys.node(keys.operation(&receipt.operation), &receipt.operation)
        .with("operation", receipt.operation.as_str())
        .with("body_digest", receipt.body_digest.as_str())
        .with("answer", receipt.answer.as_str())
        .with("at", date(receipt.at))
        .with(
            "hindlore_by_time",
            format!(
                "{}{}",
                receipt_order(keys, receipt.at),
                ordered(&receipt.operation)
            ),
        )
}

/// The part of a receipt's order key before its name.
pub(super) fn receipt_order(keys: &Keys, at: Timestamp) -> String {
    format!("{}{}", keys.key, rising(at))
}

/// A run that raised a fingerprint.
#[derive(Deserialize)]
pub(super) struct MeetingProperties {
    pub(super) run: String,
    pub(super) fingerprint: String,
    pub(super) first_step: u32,
}

impl MeetingProperties {
    pub(super) fn into_raised(self) -> Result<Raised> {
        Ok(Raised {
            fingerprint: read_id(&self.fingerprint)?,
            run: self.run,
            first_step: self.first_step,
        })
    }
}
