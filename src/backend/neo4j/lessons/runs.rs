//! Listings of runs: each starts at an index in its order, and stops at its limit.

use super::keys::{Keys, behind, ordered};
use super::pages::page;
use super::run_node::RunNode;
use super::run_rows::column;
use crate::bolt::executor::Executor;
use crate::bolt::values::count;
use crate::bolt::work::send;
use crate::error::Result;
use crate::statements::{
    DUE_RUNS, LESSON_IDLE_RUNS, LESSON_RUNS, LESSON_RUNS_OF, RELEARNING_QUEUE, Statement,
};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::lessons::rows::RunRow;
use hindlore_store::lessons::trajectory::RunFilter;
use hindlore_store::lessons::{newest_first, page_limit};
use hindlore_store::order_key::rising;

pub(super) async fn runs(executor: &Executor, keys: &Keys, asked: &RunPage) -> Result<Vec<RunRow>> {
    let after = asked.after.as_ref();
    let after = after.map(|(at, id)| (*at, ordered(id)));
    let (list, name) = match &asked.filter {
        RunFilter::All => ("", ""),
        RunFilter::Agent(name) => ("agent", name.as_str()),
        RunFilter::User(name) => ("user", name.as_str()),
        RunFilter::TaskType(name) => ("task_type", name.as_str()),
        RunFilter::Status(status) => ("status", status.word()),
        RunFilter::PartsOf(run) => ("parent", run.as_str()),
    };
    let rows = if list.is_empty() {
        let asked = page(keys, &keys.key, after, asked.limit);
        send(executor, LESSON_RUNS, asked).await?
    } else {
        let asked = page(keys, &keys.runs_of(list, name), after, asked.limit);
        send(executor, LESSON_RUNS_OF, asked.with("list", list)).await?
    };
    let mut runs = column(&rows, "run", RunNode::into_run)?;
    newest_first(&mut runs, |run| (run.started_at, run.id.clone()));
    Ok(runs)
}

pub(super) async fn idle_runs(
    executor: &Executor,
    keys: &Keys,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<String>> {
    ids_before(executor, LESSON_IDLE_RUNS, keys, (before, limit)).await
}

pub(super) async fn due_runs(
    executor: &Executor,
    keys: &Keys,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<String>> {
    ids_before(executor, DUE_RUNS, keys, (before, limit)).await
}

async fn ids_before(
    executor: &Executor,
    statement: Statement,
    keys: &Keys,
    (before, limit): (Timestamp, usize),
) -> Result<Vec<String>> {
    let asked = keys
        .owned()
        .with("before", format!("{}{}", keys.key, rising(before)))
        .with("limit", count(page_limit(limit)));
    let rows = send(executor, statement, asked).await?;
    column(&rows, "id", |id: String| Ok(id))
}

pub(super) async fn relearning_queue(
    executor: &Executor,
    keys: &Keys,
    limit: usize,
) -> Result<Vec<RunRow>> {
    let asked = keys
        .owned()
        .with("end", behind(&keys.key))
        .with("limit", count(page_limit(limit)));
    let rows = send(executor, RELEARNING_QUEUE, asked).await?;
    let mut runs = column(&rows, "run", RunNode::into_run)?;
    runs.sort_by(|a, b| {
        let order = |run: &RunRow| (std::cmp::Reverse(run.trajectory.relearning), run.started_at);
        (order(a), &a.id).cmp(&(order(b), &b.id))
    });
    Ok(runs)
}
