//! Runs, their steps and receipts as nodes: every field is a property of its own and comes back bit for bit.

use neo4rs::Row;
use serde::Deserialize;

use super::keys::{Keys, ordered, read_id};
use crate::error::Result;
use crate::values::{Map, title};
use mnemograph_domain::lesson::lesson::Place;
use mnemograph_domain::timestamp::Timestamp;
use mnemograph_store::lessons::form::RunLists;
use mnemograph_store::lessons::rows::{OperationReceipt, RunEnd, RunRow, StepRow};
use mnemograph_store::lessons::transaction::Raised;
use mnemograph_store::order_key::{falling, rising};

/// Reads all rows of a column.
pub(super) fn column<P, T>(
    rows: &[Row],
    name: &str,
    read: impl Fn(P) -> Result<T>,
) -> Result<Vec<T>>
where
    P: for<'de> Deserialize<'de>,
{
    rows.iter().map(|row| read(row.get(name)?)).collect()
}

/// Reads a list in the first row.
pub(super) fn listed<P, T>(
    rows: &[Row],
    name: &str,
    read: impl Fn(P) -> Result<T>,
) -> Result<Vec<T>>
where
    P: for<'de> Deserialize<'de>,
{
    let Some(row) = rows.first() else {
        return Ok(Vec::new());
    };
    let list: Vec<P> = row.get(name)?;
    list.into_iter().map(read).collect()
}

pub(super) fn moment(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
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
    started_at: i64,
    last_at: i64,
    ended_at: Option<i64>,
    idle: Option<bool>,
    passed: Option<bool>,
    score: Option<f64>,
    occurrences: Option<String>,
    in_force: Option<String>,
    followed: Option<String>,
    subjects: Option<Vec<String>>,
    metrics: Option<String>,
}

impl RunProperties {
    pub(super) fn into_run(self) -> Result<RunRow> {
        let list = |text: &Option<String>| text.clone().unwrap_or_else(|| "[]".to_owned());
        let end = match self.ended_at {
            None => None,
            Some(at) => Some(RunEnd {
                passed: self.passed,
                score: self.score,
                at: moment(at),
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
            started_at: moment(self.started_at),
            last_at: moment(self.last_at),
            end,
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
        .with("started_at", run.started_at.millis())
        .with("last_at", run.last_at.millis())
        .with("by_start", start);
    let Some(end) = &run.end else {
        let idleness = format!("{}{}{id}", keys.key, rising(run.last_at));
        return Ok(map.with("by_idleness", idleness));
    };
    let lists = RunLists::new(end)?;
    let ended = ending(end.at, &run.id);
    let of_task = place.task.as_deref().map(|task| keys.of_task(task));
    let of_domain = place.domain.as_deref();
    let of_domain = of_domain.map(|domain| keys.of_domain(domain, place.tool.as_deref()));
    let word = if run.control { CONTROL } else { PLAIN };
    Ok(map
        .with("ended_at", end.at.millis())
        .with("idle", end.idle)
        .with("passed", end.passed)
        .with("score", end.score)
        .with("occurrences", lists.occurrences)
        .with("in_force", lists.in_force)
        .with("followed", lists.followed)
        .texts("subjects", end.subjects.iter().cloned())
        .with("metrics", end.metrics.as_str())
        .with("by_task", of_task.map(|start| format!("{start}{ended}")))
        .with(
            "by_domain",
            of_domain.map(|start| format!("{start}{ended}")),
        )
        .with("by_ending", keys.word(word)))
}

/// The words for ended runs: plain ones and control runs.
pub(super) const PLAIN: &str = "plain";
pub(super) const CONTROL: &str = "control";

/// The part of a key after the fingerprint, in the order of ended runs that raised it.
pub(super) fn ending(at: Timestamp, run: &str) -> String {
    format!("{}{}", rising(at), ordered(run))
}

/// The properties of a step's node that are its fields.
#[derive(Deserialize)]
pub(super) struct StepProperties {
    run: String,
    step: u32,
    action: String,
    plan_step: Option<String>,
    failed: bool,
    followed: Vec<String>,
    at: i64,
}

impl StepProperties {
    pub(super) fn into_step(self) -> Result<StepRow> {
        Ok(StepRow {
            followed: read_all(&self.followed)?,
            run: self.run,
            step: self.step,
            action: self.action,
            plan_step: self.plan_step,
            failed: self.failed,
            at: moment(self.at),
        })
    }
}

/// The properties of a step.
pub(super) fn step_properties(keys: &Keys, step: &StepRow) -> Map {
    let caption = format!("step {}: {}", step.step, title(&step.action));
    keys.node(keys.step(&step.run, step.step), &caption)
        .with("run", step.run.as_str())
        .with("step", i64::from(step.step))
        .with("action", step.action.as_str())
        .with("plan_step", step.plan_step.clone())
        .with("failed", step.failed)
        .texts("followed", step.followed.iter().map(ToString::to_string))
        .with("at", step.at.millis())
}

/// The properties of a receipt.
#[derive(Deserialize)]
pub(super) struct ReceiptProperties {
    operation: String,
    body_digest: String,
    answer: String,
    at: i64,
}

impl ReceiptProperties {
    pub(super) fn into_receipt(self) -> Result<OperationReceipt> {
        Ok(OperationReceipt {
            operation: self.operation,
            body_digest: self.body_digest,
            answer: self.answer,
            at: moment(self.at),
        })
    }
}

/// The properties of a receipt.
pub(super) fn receipt_properties(keys: &Keys, receipt: &OperationReceipt) -> Map {
    keys.node(keys.operation(&receipt.operation), &receipt.operation)
        .with("operation", receipt.operation.as_str())
        .with("body_digest", receipt.body_digest.as_str())
        .with("answer", receipt.answer.as_str())
        .with("at", receipt.at.millis())
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
