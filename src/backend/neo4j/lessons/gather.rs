//! The only way to write lessons: lock the learner, read the rows in question, let the caller decide, write.
//!
//! Everything after the first statement runs under the lock of the learner, which all writers of lessons take, so several
//! statements see one state.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use neo4rs::Row;

use super::audit_rows::conflicts_in;
use super::error_rows::FingerprintProperties;
use super::hold::refuse_half_copied;
use super::keys::{FINGERPRINT_CHARS, Keys, keys_of, read_id};
use super::lesson_rows::{ActivationProperties, by_id, lessons_in};
use super::near::ever_triggered;
use super::run_node::RunNode;
use super::run_rows::{MeetingProperties, ReceiptProperties, column, listed};
use super::step_rows::StepProperties;
use super::write;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, count};
use crate::bolt::work::{Decision, Task, decided};
use crate::error::{Failure, Result};
use crate::memory::hold_learner;
use crate::statements::{
    LESSON_ACTIVATIONS_FOR, LESSON_HISTORY, LESSON_HOLD, LESSON_RELEASE, LESSONS_BY_ID,
};
use hindlore_domain::lesson::evidence::evidence_rows::ROWS_MAX;
use hindlore_domain::lesson::lesson::Lesson;
use hindlore_domain::lesson::run::RunRecord;
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::HISTORY_MAX;
use hindlore_store::lessons::rows::{ActivationRow, Conflict, RunRow};
use hindlore_store::lessons::transaction::{Ask, Gathered, HistoryAsk, LessonCommit};

/// A decision about lessons under the lock of their learner.
pub(super) struct Transact {
    pub(super) keys: Keys,
    pub(super) ask: Ask,
    /// `None` while it is running, and after a panic.
    pub(super) decide: Option<Decision<Gathered, LessonCommit>>,
}

#[async_trait]
impl Task for Transact {
    type Output = ();

    // After a lost answer the decision is simply made again on the current rows: receipts and derived ids make it count
    // once.
    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        self.ask.check().map_err(Failure::Refused)?;
        let mut held = hold(tx, &self.keys, &self.ask).await?;
        let is_new = held.is_empty();
        // A new learner has no node to lock: it is made first, and the rows are read again under its lock.
        if is_new {
            let owner = &self.keys.owner;
            hold_learner(tx, owner.tenant(), owner.learner()).await?;
            held = hold(tx, &self.keys, &self.ask).await?;
        }
        let gathered = gather(tx, &self.keys, &self.ask, &held).await?;
        let commit = decided(&mut self.decide, gathered).await?;
        if !commit.is_empty() {
            return write::apply(tx, &self.keys, &commit).await;
        }
        // Made only as a lock, so a learner without anything goes again.
        if is_new {
            tx.execute(LESSON_RELEASE, self.keys.owned()).await?;
        }
        Ok(())
    }
}

async fn hold(tx: &mut Transaction, keys: &Keys, ask: &Ask) -> Result<Vec<Row>> {
    let operation = ask.operation.as_ref().map(|name| keys.operation(name));
    let asked = keys
        .owned()
        .with_optional("operation", operation)
        .texts("runs", keys_of(&ask.runs, |run| keys.run(run)))
        .texts("events", keys_of(&ask.events, |id| keys.id(id)))
        .texts(
            "steps",
            keys_of(&ask.steps, |(run, step)| keys.step(run, *step)),
        )
        .texts(
            "step_ids",
            keys_of(&ask.step_ids, |(run, id)| keys.step_id(run, id)),
        )
        .texts("fingerprints", keys_of(&ask.fingerprints, |id| keys.id(id)))
        .with("id_length", count(FINGERPRINT_CHARS));
    let rows = tx.query(LESSON_HOLD, asked).await?;
    refuse_half_copied(&rows, keys)?;
    Ok(rows)
}

async fn gather(tx: &mut Transaction, keys: &Keys, ask: &Ask, held: &[Row]) -> Result<Gathered> {
    let mut receipts = listed(held, "receipts", ReceiptProperties::into_receipt)?;
    let mut runs = listed(held, "runs", RunNode::into_run)?;
    // The server collects lists in no particular order, and a decision needs a fixed one.
    runs.sort_unstable_by(|a, b| a.id.cmp(&b.id));
    let mut events = listed(held, "events", |id: String| read_id(&id))?;
    events.sort_unstable();
    let mut steps = listed(held, "steps", StepProperties::into_step)?;
    steps.sort_unstable_by(|a, b| (&a.run, a.step).cmp(&(&b.run, b.step)));
    let mut fingerprints = listed(held, "fingerprints", FingerprintProperties::into_row)?;
    fingerprints.sort_unstable_by_key(|row| row.fingerprint.id);
    let mut raised = listed(held, "raised", MeetingProperties::into_raised)?;
    raised.sort_unstable();
    let (lessons, conflicts) = lessons(tx, keys, ask).await?;
    Ok(Gathered {
        receipt: receipts.pop(),
        runs,
        events,
        steps,
        fingerprints,
        raised,
        lessons,
        conflicts,
        activations: activations(tx, keys, ask).await?,
        history: match &ask.history {
            Some(asked) => history(tx, keys, asked).await?,
            None => Vec::new(),
        },
    })
}

async fn lessons(
    tx: &mut Transaction,
    keys: &Keys,
    ask: &Ask,
) -> Result<(Vec<Lesson>, Vec<Conflict>)> {
    let mut wanted: BTreeSet<LessonId> = ask.lessons.iter().copied().collect();
    wanted.extend(ever_triggered(tx, keys, &ask.triggered_by).await?);
    let wanted: Vec<LessonId> = wanted.into_iter().collect();
    if wanted.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let rows = tx.query(LESSONS_BY_ID, by_id(keys, &wanted)).await?;
    let mut lessons = lessons_in(&rows, keys)?;
    lessons.sort_unstable_by_key(|lesson| lesson.id);
    Ok((lessons, conflicts_in(&rows)?))
}

async fn activations(tx: &mut Transaction, keys: &Keys, ask: &Ask) -> Result<Vec<ActivationRow>> {
    if ask.activations.is_empty() && ask.activations_of.is_empty() {
        return Ok(Vec::new());
    }
    let asked = keys
        .owned()
        .texts("activations", keys_of(&ask.activations, |id| keys.id(id)))
        .texts("lessons", keys_of(&ask.activations_of, |id| keys.id(id)))
        .with("limit", count(ROWS_MAX));
    let rows = tx.query(LESSON_ACTIVATIONS_FOR, asked).await?;
    let found = column(&rows, "activation", ActivationProperties::into_activation)?;
    let in_order = found
        .into_iter()
        .map(|row| ((row.activation.at, row.activation.id), row));
    Ok(in_order.collect::<BTreeMap<_, _>>().into_values().collect())
}

/// The ended runs to compare with, without duplicates, oldest first.
async fn history(tx: &mut Transaction, keys: &Keys, ask: &HistoryAsk) -> Result<Vec<RunRecord>> {
    let place = &ask.place;
    let of_task = place.task.as_deref().map(|task| keys.of_task(task));
    let of_domain = place.domain.as_deref();
    let of_domain = of_domain.map(|domain| keys.of_domain(domain, place.tool.as_deref()));
    let asked = Map::new()
        .with_optional("task", of_task)
        .with_optional("domain", of_domain)
        .with("limit", count(HISTORY_MAX));
    let rows = tx.query(LESSON_HISTORY, asked).await?;
    let found = column(&rows, "run", RunNode::into_run)?;
    let records = found.iter().filter_map(RunRow::record);
    let in_order = records.map(|run| ((run.ended_at, run.id.clone()), run));
    Ok(in_order.collect::<BTreeMap<_, _>>().into_values().collect())
}
