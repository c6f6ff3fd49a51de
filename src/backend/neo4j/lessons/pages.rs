//! Listings: pages in a fixed order, and the rows of one run or one lesson.

use async_trait::async_trait;
use neo4rs::Row;

use super::audit_rows::{ConflictProperties, ReviewProperties, SourceProperties, into_decision};
use super::error_rows::{EventWithTexts, FingerprintProperties};
use super::fields::Properties;
use super::hold::{hold, refuse_half_copied};
use super::keys::{Keys, behind, keys_of};
use super::lesson_rows::{ActivationProperties, VERDICTS, into_lesson};
use super::run_node::RunNode;
use super::run_rows::{CONTROL, PLAIN, column, listed};
use super::step_rows::StepProperties;
use crate::bolt::executor::Executor;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, count};
use crate::bolt::work::{Task, send};
use crate::error::{Failure, Result};
use crate::memory::state::Access;
use crate::statements::{
    LESSON_ACTIVATIONS, LESSON_ACTIVATIONS_FOR, LESSON_CONFLICTS, LESSON_CONFLICTS_OF,
    LESSON_DECISIONS, LESSON_ERRORS, LESSON_ERRORS_OF_DOMAIN, LESSON_ERRORS_OF_FINGERPRINT,
    LESSON_ERRORS_OF_RUN, LESSON_ERRORS_OF_TASK, LESSON_FINGERPRINTS, LESSON_RECORDS, LESSON_RUN,
    LESSON_TOTALS, LESSONS, LESSONS_OF_STATUS, Statement,
};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorFilter, ErrorPage, LessonPage, LessonRecords, LessonTotals,
};
use hindlore_store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, RunContents};
use hindlore_store::lessons::{RUN_ROWS_MAX, check_names, newest_first, page_limit};
use hindlore_store::order_key::falling;

/// The parameters of a page: the range of an order with the prefix `start`, after a position.
pub(super) fn page<I: std::fmt::Display>(
    keys: &Keys,
    start: &str,
    after: Option<(Timestamp, I)>,
    limit: usize,
) -> Map {
    let from = match after {
        Some((at, id)) => format!("{start}{}{id}", falling(at)),
        None => start.to_owned(),
    };
    keys.owned()
        .with("after", from)
        .with("end", behind(start))
        .with("limit", count(page_limit(limit)))
}

/// Reads a run with its rows. Decisions rest on it, so it takes the lock: without it, several statements could see half of
/// another transaction.
pub(super) struct ReadRun {
    pub(super) keys: Keys,
    pub(super) run: String,
    pub(super) access: Access,
}

#[async_trait]
impl Task for ReadRun {
    type Output = Option<RunContents>;

    async fn attempt(
        &mut self,
        tx: &mut Transaction,
        _was_lost: bool,
    ) -> Result<Option<RunContents>> {
        let keys = &self.keys;
        let locked = hold(tx, keys, self.access).await?;
        refuse_half_copied(&locked, keys)?;
        let asked = keys
            .owned()
            .with("run", keys.run(&self.run))
            .with("limit", count(RUN_ROWS_MAX));
        let rows = tx.query(LESSON_RUN, asked).await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let run: RunNode = row.get("run")?;
        let contents = RunContents {
            row: run.into_run()?,
            steps: listed(&rows, "steps", StepProperties::into_step)?,
            errors: listed(&rows, "errors", |event: EventWithTexts| {
                event.into_event(&keys.owner)
            })?,
            activations: listed(&rows, "activations", ActivationProperties::into_activation)?,
        };
        Ok(Some(contents.in_order()))
    }
}

pub(super) async fn lessons(
    executor: &Executor,
    keys: &Keys,
    asked: &LessonPage,
) -> Result<Vec<Lesson>> {
    let page = page(keys, &keys.key, asked.after, asked.limit);
    let rows = match asked.status {
        None => send(executor, LESSONS, page).await?,
        Some(status) => {
            let of_status = page.with("status", status.word());
            send(executor, LESSONS_OF_STATUS, of_status).await?
        }
    };
    let read = |properties: Properties| into_lesson(&properties, &keys.owner);
    let mut lessons = column(&rows, "lesson", read)?;
    newest_first(&mut lessons, |lesson| (lesson.created_at, lesson.id));
    Ok(lessons)
}

pub(super) async fn records(
    executor: &Executor,
    keys: &Keys,
    lesson: LessonId,
    limit: usize,
) -> Result<LessonRecords> {
    let asked = keys
        .owned()
        .with("lesson", keys.id(lesson))
        .with("limit", count(page_limit(limit)));
    let rows = send(executor, LESSON_RECORDS, asked).await?;
    let records = LessonRecords {
        sources: listed(&rows, "sources", SourceProperties::into_source)?,
        decisions: listed(&rows, "decisions", |properties: Properties| {
            into_decision(&properties, &keys.owner)
        })?,
        reviews: listed(&rows, "reviews", ReviewProperties::into_review)?,
    };
    Ok(records.in_order())
}

pub(super) async fn decisions(
    executor: &Executor,
    keys: &Keys,
    limit: usize,
) -> Result<Vec<Decision>> {
    let asked = keys.owned().with("limit", count(page_limit(limit)));
    let rows = send(executor, LESSON_DECISIONS, asked).await?;
    let read = |properties: Properties| into_decision(&properties, &keys.owner);
    let mut found = column(&rows, "decision", read)?;
    newest_first(&mut found, |row| (row.at, row.id));
    Ok(found)
}

pub(super) async fn fingerprints(
    executor: &Executor,
    keys: &Keys,
    ids: &[FingerprintId],
) -> Result<Vec<FingerprintRow>> {
    check_names(ids.len()).map_err(Failure::Refused)?;
    let asked = keys
        .owned()
        .texts("fingerprints", keys_of(ids, |id| keys.id(id)));
    let rows = send(executor, LESSON_FINGERPRINTS, asked).await?;
    let found = column(&rows, "fingerprint", FingerprintProperties::into_row)?;
    let at = |id: FingerprintId| found.iter().find(|row| row.fingerprint.id == id).cloned();
    Ok(ids.iter().filter_map(|id| at(*id)).collect())
}

fn errors_by(keys: &Keys, filter: &ErrorFilter) -> (Statement, String) {
    match filter {
        ErrorFilter::All => (LESSON_ERRORS, keys.key.clone()),
        ErrorFilter::Run(run) => (LESSON_ERRORS_OF_RUN, keys.run(run)),
        ErrorFilter::Fingerprint(id) => (LESSON_ERRORS_OF_FINGERPRINT, keys.id(id)),
        ErrorFilter::Task(task) => (LESSON_ERRORS_OF_TASK, keys.of_task(task)),
        ErrorFilter::Domain(domain, tool) => {
            let start = keys.of_domain(domain, tool.as_deref());
            (LESSON_ERRORS_OF_DOMAIN, start)
        }
    }
}

pub(super) async fn errors(
    executor: &Executor,
    keys: &Keys,
    asked: &ErrorPage,
) -> Result<Vec<ErrorEvent>> {
    let (statement, start) = errors_by(keys, &asked.filter);
    let asked = page(keys, &start, asked.after, asked.limit);
    let rows: Vec<Row> = send(executor, statement, asked).await?;
    let events = rows
        .iter()
        .map(|row| EventWithTexts::from_row(row)?.into_event(&keys.owner));
    let mut events = events.collect::<Result<Vec<_>>>()?;
    newest_first(&mut events, |event| (event.at, event.id));
    Ok(events)
}

pub(super) async fn activations_by_id(
    executor: &Executor,
    keys: &Keys,
    ids: &[ActivationId],
) -> Result<Vec<ActivationRow>> {
    check_names(ids.len()).map_err(Failure::Refused)?;
    let asked = keys
        .owned()
        .texts("activations", keys_of(ids, |id| keys.id(id)))
        .texts("lessons", [])
        // No lesson is named, so the limit of rows for each has no effect.
        .with("limit", 0_i64);
    let rows = send(executor, LESSON_ACTIVATIONS_FOR, asked).await?;
    let found = column(&rows, "activation", ActivationProperties::into_activation)?;
    let at = |id: ActivationId| found.iter().find(|row| row.activation.id == id).cloned();
    Ok(ids.iter().filter_map(|id| at(*id)).collect())
}

pub(super) async fn activations(
    executor: &Executor,
    keys: &Keys,
    asked: &ActivationPage,
) -> Result<Vec<ActivationRow>> {
    let asked = page(keys, &keys.id(asked.lesson), asked.after, asked.limit);
    let rows = send(executor, LESSON_ACTIVATIONS, asked).await?;
    let mut found = column(&rows, "activation", ActivationProperties::into_activation)?;
    newest_first(&mut found, |row| (row.activation.at, row.activation.id));
    Ok(found)
}

pub(super) async fn conflicts(
    executor: &Executor,
    keys: &Keys,
    asked: &ConflictPage,
) -> Result<Vec<Conflict>> {
    let after = asked.after;
    let after = after.map_or_else(|| keys.key.clone(), |(a, b)| keys.pair(a, b));
    let from = keys
        .owned()
        .with("after", after)
        .with("limit", count(page_limit(asked.limit)));
    let rows = match asked.lesson {
        None => {
            send(
                executor,
                LESSON_CONFLICTS,
                from.with("end", behind(&keys.key)),
            )
            .await?
        }
        Some(lesson) => {
            let of = from.with("lesson", keys.id(lesson));
            send(executor, LESSON_CONFLICTS_OF, of).await?
        }
    };
    let mut found = column(&rows, "conflict", ConflictProperties::into_conflict)?;
    found.sort_unstable_by_key(|row| (row.first, row.second));
    Ok(found)
}

pub(super) async fn totals(executor: &Executor, keys: &Keys) -> Result<LessonTotals> {
    let words = |words: &[&str]| words.iter().map(|word| keys.word(word)).collect::<Vec<_>>();
    let statuses = Status::ALL.iter().map(|status| status.word().to_owned());
    let asked = keys
        .owned()
        .texts("statuses", statuses)
        .with("open", keys.key.as_str())
        .texts("endings", words(&[PLAIN, CONTROL]))
        .texts("verdicts", words(&VERDICTS));
    let rows = send(executor, LESSON_TOTALS, asked).await?;
    let Some(row) = rows.first() else {
        return Ok(LessonTotals::default());
    };
    let [
        observed,
        candidates,
        promoted,
        refuted,
        suppressed,
        archived,
    ]: [u64; 6] = row.get("lessons")?;
    let [plain, control]: [u64; 2] = row.get("ended_runs")?;
    let [withheld, open, helped, neutral, harmed]: [u64; 5] = row.get("activations")?;
    Ok(LessonTotals {
        observed,
        candidates,
        promoted,
        refuted,
        suppressed,
        archived,
        conflicts: row.get("conflicts")?,
        fingerprints: row.get("fingerprints")?,
        errors: row.get("errors")?,
        open_runs: row.get("open_runs")?,
        ended_runs: plain + control,
        control_runs: control,
        withheld,
        activations: open + helped + neutral + harmed,
        helped,
        neutral,
        harmed,
        step_bodies: row.get("step_bodies")?,
    })
}
