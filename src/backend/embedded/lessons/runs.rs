//! Listings of runs: each starts at an index in its order, and stops at its limit.

use rusqlite::{Transaction, params};

use super::pages::{after, cut};
use super::rows::{read_run, run_columns};
use crate::error::Result;
use crate::rows::{Moment, all};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::lessons::rows::RunRow;
use hindlore_store::lessons::trajectory::RunFilter;

/// A listing of those runs whose column has the value ?5.
macro_rules! listing {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            run_columns!(),
            " FROM runs WHERE learner = ?1 AND ",
            $condition,
            " AND started_at <= ?2 AND (started_at < ?2 OR id > ?3)
              ORDER BY started_at DESC, id LIMIT ?4"
        )
    };
}

pub(super) fn runs(tx: &Transaction<'_>, learner: i64, page: &RunPage) -> Result<Vec<RunRow>> {
    let (at, id) = after(page.after.as_ref(), String::new());
    let limit = cut(page.limit);
    let (sql, value) = match &page.filter {
        RunFilter::All => {
            return all(tx, listing!("1"), params![learner, at, id, limit], read_run);
        }
        RunFilter::Agent(name) => (listing!("agent = ?5"), name.as_str()),
        RunFilter::User(name) => (listing!("user = ?5"), name.as_str()),
        RunFilter::TaskType(name) => (listing!("task_type = ?5"), name.as_str()),
        RunFilter::Status(status) => (listing!("status = ?5"), status.word()),
        RunFilter::PartsOf(run) => (listing!("parent = ?5"), run.as_str()),
    };
    all(tx, sql, params![learner, at, id, limit, value], read_run)
}

pub(super) fn idle_runs(
    tx: &Transaction<'_>,
    learner: i64,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<String>> {
    let sql = "SELECT id FROM runs WHERE learner = ?1 AND ended_at IS NULL AND last_at < ?2
         ORDER BY last_at, id LIMIT ?3";
    let params = params![learner, Moment(before), cut(limit)];
    all(tx, sql, params, |row| row.get(0))
}

pub(super) fn relearning_queue(
    tx: &Transaction<'_>,
    learner: i64,
    limit: usize,
) -> Result<Vec<RunRow>> {
    let sql = concat!(
        "SELECT ",
        run_columns!(),
        " FROM runs WHERE learner = ?1 AND relearning IS NOT NULL
          ORDER BY relearning DESC, started_at, id LIMIT ?2"
    );
    all(tx, sql, params![learner, cut(limit)], read_run)
}

pub(super) fn due_runs(
    tx: &Transaction<'_>,
    learner: i64,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<String>> {
    let sql = "SELECT id FROM runs WHERE learner = ?1 AND due_at IS NOT NULL AND due_at < ?2
         ORDER BY due_at, id LIMIT ?3";
    let params = params![learner, Moment(before), cut(limit)];
    all(tx, sql, params, |row| row.get(0))
}
