//! Writing a commit of lessons: rows written if absent, rows replaced, and the counts and relationships derived from both.
//!
//! The learner's lock is held, so the rows read for comparison are still current. Large lists go in few large requests.

use neo4rs::Row;

use super::audit_rows::{conflict_row, decision_row, review_row, source_row};
use super::error_rows::{event_properties, fingerprint_properties};
use super::existing;
use super::keys::{Keys, OF_SIBLING};
use super::lesson_rows::{activation_row, lesson_properties, outcome_properties, posting_row};
use super::run_rows::{ending, receipt_order, receipt_properties, run_properties};
use super::step_rows::step_row;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, count};
use crate::error::{Failure, Result};
use crate::statements::{
    ADD_LESSON_ACTIVATIONS, ADD_LESSON_CONFLICTS, ADD_LESSON_DECISIONS, ADD_LESSON_ERRORS,
    ADD_LESSON_RECEIPTS, ADD_LESSON_REVIEWS, ADD_LESSON_SOURCES, ADD_RUN_STEPS, DELETE_RECEIPTS,
    EMPTY_ERRORS, JOIN_RUNS, KNOW_FINGERPRINTS, PLACE_LESSONS, PUT_LESSONS, PUT_RUNS,
    REFRESH_SIBLINGS, REVISE_ACTIVATIONS, STRIP_RUNS, Statement,
};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_errors::fingerprint::Level;
use hindlore_store::lessons::RECEIPTS_GONE_MAX;
use hindlore_store::lessons::postings::LIVE;
use hindlore_store::lessons::projection::{
    ExistingRows, FingerprintChange, RowChanges, by_new_tag, project,
};
use hindlore_store::lessons::rows::{ActivationRow, OperationReceipt};
use hindlore_store::lessons::transaction::{LessonCommit, Raised};
use hindlore_store::order_key::falling;

/// Rows of one request.
const ROWS: usize = 5_000;
/// Rows of one request when each may hold long texts.
const LONG_ROWS: usize = 500;

/// Writes a commit to a locked learner.
pub(super) async fn apply(tx: &mut Transaction, keys: &Keys, commit: &LessonCommit) -> Result<()> {
    commit.check_owner(&keys.owner).map_err(Failure::Refused)?;
    let existing = existing::read(tx, keys, commit).await?;
    write(tx, keys, commit, existing).await
}

/// Writes a commit to a locked learner; `existing` are those rows of the commit that exist.
pub(super) async fn write(
    tx: &mut Transaction,
    keys: &Keys,
    commit: &LessonCommit,
    existing: ExistingRows,
) -> Result<()> {
    let changes = project(&keys.owner, commit, existing).map_err(Failure::Refused)?;
    put_runs(tx, keys, commit).await?;
    let steps = commit.steps.iter().map(|step| step_row(keys, step));
    execute_all(tx, ADD_RUN_STEPS, "steps", steps.collect()).await?;
    // After the new steps, so that a run which brings its last steps keeps none of them.
    if !commit.stripped.is_empty() {
        let runs = commit.stripped.iter().map(|run| keys.run(run));
        tx.execute(STRIP_RUNS, Map::new().texts("runs", runs))
            .await?;
    }
    // Before the errors, which are related to them.
    put_fingerprints(tx, keys, &changes.fingerprints).await?;
    add_errors(tx, keys, &changes).await?;
    // After the new errors, so that none of the run keeps its texts.
    if !commit.emptied.is_empty() {
        let runs = commit.emptied.iter().map(|run| keys.run(run));
        tx.execute(EMPTY_ERRORS, Map::new().texts("runs", runs))
            .await?;
    }
    put_lessons(tx, keys, &changes).await?;
    let posted = changes.postings.iter().map(|one| posting_row(keys, one));
    execute_all(tx, PLACE_LESSONS, "lessons", posted.collect()).await?;
    // After the postings, from which the siblings are derived.
    refresh_siblings(tx, keys, &changes).await?;
    add_records(tx, keys, commit).await?;
    if let Some(receipt) = &commit.receipt {
        add_receipts(tx, keys, std::slice::from_ref(receipt)).await?;
    }
    match commit.receipts_before {
        Some(before) => {
            let some = Map::new()
                .with("first", keys.key.as_str())
                .with("before", receipt_order(keys, before))
                .with("limit", count(RECEIPTS_GONE_MAX));
            tx.execute(DELETE_RECEIPTS, some).await
        }
        None => Ok(()),
    }
}

/// Sends rows in requests of bounded size; returns all answers.
async fn query_all(
    tx: &mut Transaction,
    statement: Statement,
    name: &str,
    rows: Vec<Map>,
    common: &Map,
) -> Result<Vec<Row>> {
    let mut answers = Vec::new();
    for some in rows.chunks(LONG_ROWS) {
        let asked = common.clone().list(name, some.to_vec());
        answers.extend(tx.query(statement, asked).await?);
    }
    Ok(answers)
}

/// Sends rows in requests of bounded size, and discards the answers.
async fn execute_all(
    tx: &mut Transaction,
    statement: Statement,
    name: &str,
    rows: Vec<Map>,
) -> Result<()> {
    for some in rows.chunks(LONG_ROWS) {
        let parameters = Map::new().list(name, some.to_vec());
        tx.execute(statement, parameters).await?;
    }
    Ok(())
}

async fn put_runs(tx: &mut Transaction, keys: &Keys, commit: &LessonCommit) -> Result<()> {
    let mut rows = Vec::new();
    for run in &commit.runs {
        let ended = run.end.as_ref().map(|end| ending(end.at, &run.id));
        let row = Map::new()
            .with("run", run_properties(keys, run)?)
            .with("ending", ended);
        rows.push(row);
    }
    query_all(tx, PUT_RUNS, "runs", rows, &keys.owned()).await?;
    // After all runs: a parent may come along with its parts.
    let parts = commit.runs.iter().filter_map(|run| {
        let parent = run.trajectory.parent.as_deref()?;
        let row = Map::new().with("run", keys.run(&run.id));
        Some(row.with("parent", keys.run(parent)))
    });
    execute_all(tx, JOIN_RUNS, "runs", parts.collect()).await
}

/// Inserts and replaces fingerprints, and relates them to their new tags.
async fn put_fingerprints(
    tx: &mut Transaction,
    keys: &Keys,
    changes: &[FingerprintChange],
) -> Result<()> {
    for some in changes.chunks(ROWS) {
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for change in some {
            let properties = fingerprint_properties(keys, &change.row)?;
            if change.is_new {
                new.push(properties);
            } else {
                changed.push(properties);
            }
        }
        let ties = by_new_tag(some).into_iter().map(|(tag, fingerprints)| {
            let ties = fingerprints.into_iter().map(|one| {
                let id = one.row.fingerprint.id;
                let posting = format!("{}{OF_SIBLING}{id}", keys.tag(tag));
                Map::new()
                    .with("hindlore_key", keys.id(id))
                    .with("hindlore_posting", one.is_live.then_some(posting))
            });
            Map::new()
                .with("tag", keys.tag_node(tag))
                .list("fingerprints", ties.collect())
        });
        let parameters = keys
            .owned()
            .list("new", new)
            .list("changed", changed)
            .list("ties", ties.collect());
        tx.execute(KNOW_FINGERPRINTS, parameters).await?;
    }
    Ok(())
}

/// An error as a row of `lessons/add_errors`. When both levels are the same fingerprint, it is listed once.
fn error_row(keys: &Keys, error: &ErrorEvent) -> Map {
    let (fine, coarse) = (error.fingerprints.fine.id, error.fingerprints.coarse.id);
    let levels = [
        (Level::Fine, fine, true),
        (Level::Coarse, coarse, coarse != fine),
    ];
    let matches = levels.map(|(level, id, is_listed)| {
        let key = keys.id(id);
        let order = is_listed.then(|| format!("{key}{}{}", falling(error.at), error.id));
        Map::new()
            .with("hindlore_key", key)
            .with("level", level.word())
            .with("hindlore_by_time", order)
    });
    Map::new()
        .with("run", keys.run(&error.run))
        .with("event", event_properties(keys, error))
        .list("matches", matches.into())
}

async fn add_errors(tx: &mut Transaction, keys: &Keys, changes: &RowChanges<'_>) -> Result<()> {
    let errors: Vec<Map> = changes
        .errors
        .iter()
        .map(|error| error_row(keys, error))
        .collect();
    let meetings = changes.raised.iter().map(|one| {
        let met = &one.raised;
        let (run, print) = (keys.run(&met.run), keys.id(met.fingerprint));
        let order = one
            .ended_at
            .map(|at| format!("{print}{}", ending(at, &met.run)));
        let properties = Map::new()
            .with("hindlore_key", keys.meeting(&met.run, met.fingerprint))
            .with("tenant", keys.owner.tenant())
            .with("learner", keys.owner.learner())
            .with("title", format!("from step {}", met.first_step))
            .with("run", met.run.as_str())
            .with("fingerprint", met.fingerprint.to_string())
            .with("first_step", i64::from(met.first_step))
            .with("hindlore_by_end", order);
        Map::new()
            .with("run", run)
            .with("fingerprint", print)
            .with("met", properties)
    });
    let meetings: Vec<Map> = meetings.collect();
    let earlier = changes.raised_earlier.iter().map(|met: &Raised| {
        Map::new()
            .with("hindlore_key", keys.meeting(&met.run, met.fingerprint))
            .with("first_step", i64::from(met.first_step))
    });
    let earlier: Vec<Map> = earlier.collect();
    // The three lists go along in the same requests; the longest decides how many there are.
    let requests = errors
        .len()
        .div_ceil(LONG_ROWS)
        .max(meetings.len().div_ceil(ROWS));
    let requests = requests.max(earlier.len().div_ceil(ROWS));
    for at in 0..requests {
        let some =
            |rows: &[Map], size: usize| rows.chunks(size).nth(at).unwrap_or_default().to_vec();
        let parameters = Map::new()
            .list("errors", some(&errors, LONG_ROWS))
            .list("meetings", some(&meetings, ROWS))
            .list("earlier", some(&earlier, ROWS));
        tx.execute(ADD_LESSON_ERRORS, parameters).await?;
    }
    Ok(())
}

async fn put_lessons(tx: &mut Transaction, keys: &Keys, changes: &RowChanges<'_>) -> Result<()> {
    let rows = changes.lessons.iter();
    let rows = rows.map(|lesson| lesson_properties(keys, lesson));
    let rows = rows.collect::<Result<Vec<_>>>()?;
    query_all(tx, PUT_LESSONS, "lessons", rows, &keys.owned()).await?;
    Ok(())
}

async fn refresh_siblings(
    tx: &mut Transaction,
    keys: &Keys,
    changes: &RowChanges<'_>,
) -> Result<()> {
    let touched: Vec<String> = changes.refreshed.iter().map(|id| keys.id(id)).collect();
    for some in touched.chunks(ROWS) {
        let parameters = Map::new()
            .texts("fingerprints", some.to_vec())
            .with("live", LIVE)
            .with("sibling", OF_SIBLING);
        tx.execute(REFRESH_SIBLINGS, parameters).await?;
    }
    Ok(())
}

/// Gives activations other outcomes.
async fn revise(tx: &mut Transaction, keys: &Keys, rows: &[ActivationRow]) -> Result<()> {
    let rows = rows.iter().map(|row| {
        let outcome = outcome_properties(keys, &row.activation)?;
        Ok(Map::new()
            .with("hindlore_key", keys.id(row.activation.id))
            .with("outcome", outcome))
    });
    let rows = rows.collect::<Result<Vec<_>>>()?;
    execute_all(tx, REVISE_ACTIVATIONS, "activations", rows).await
}

/// Writes sources, conflicts, activations, decisions and reviews. A MATCH would skip a missing lesson in silence, so the
/// written rows are counted.
async fn add_records(tx: &mut Transaction, keys: &Keys, commit: &LessonCommit) -> Result<()> {
    revise(tx, keys, &commit.revised).await?;
    let nothing = Map::new();
    let owned = keys.owned();
    let sources = commit.sources.iter().map(|one| source_row(keys, one));
    let sources: Vec<Map> = sources.collect();
    let conflicts = commit.conflicts.iter().map(|one| conflict_row(keys, one));
    let conflicts = conflicts.collect::<Result<Vec<_>>>()?;
    let activations = commit
        .activations
        .iter()
        .map(|one| activation_row(keys, one));
    let activations = activations.collect::<Result<Vec<_>>>()?;
    let decisions = commit.decisions.iter().map(|one| decision_row(keys, one));
    let decisions = decisions.collect::<Result<Vec<_>>>()?;
    let reviews = commit.reviews.iter().map(|one| review_row(keys, one));
    let reviews: Vec<Map> = reviews.collect();
    for (statement, name, rows, common) in [
        (ADD_LESSON_SOURCES, "sources", sources, &nothing),
        (ADD_LESSON_CONFLICTS, "conflicts", conflicts, &nothing),
        (ADD_LESSON_ACTIVATIONS, "activations", activations, &owned),
        (ADD_LESSON_DECISIONS, "decisions", decisions, &nothing),
        (ADD_LESSON_REVIEWS, "reviews", reviews, &nothing),
    ] {
        let expected = rows.len();
        let answers = query_all(tx, statement, name, rows, common).await?;
        let mut kept = 0_usize;
        for answer in &answers {
            kept += answer.get::<usize>("kept")?;
        }
        if kept != expected {
            return Err(Failure::Refused(format!(
                "{kept} of {expected} {name} name a lesson that is there; write the lesson along with them"
            )));
        }
    }
    Ok(())
}

/// Writes receipts. An existing one is never overwritten: the uniqueness constraint refuses it.
pub(super) async fn add_receipts(
    tx: &mut Transaction,
    keys: &Keys,
    receipts: &[OperationReceipt],
) -> Result<()> {
    let rows = receipts.iter().map(|one| receipt_properties(keys, one));
    query_all(
        tx,
        ADD_LESSON_RECEIPTS,
        "receipts",
        rows.collect(),
        &keys.owned(),
    )
    .await?;
    Ok(())
}
