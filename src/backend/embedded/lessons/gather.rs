//! Reading the rows that a decision names, under the lock.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{OptionalExtension, Transaction, params};

use super::by_name::{activation_by_id, fingerprint_by_id, lesson_by_id, run_by_id};
use super::near::{conflicts_among, ever_triggered_by};
use super::rows::{
    activation_columns, read_activation, read_receipt, read_run, read_step, run_columns,
    step_columns, steps_with_bodies,
};
use crate::error::{Failure, Result};
use crate::rows::all;
use hindlore_domain::lesson::evidence::evidence_rows::ROWS_MAX;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::run::RunRecord;
use hindlore_primitives::ids::{EventId, FingerprintId, LessonId};
use hindlore_store::lessons::HISTORY_MAX;
use hindlore_store::lessons::rows::{ActivationRow, FingerprintRow, RunRow, StepRow};
use hindlore_store::lessons::transaction::{Ask, Gathered, HistoryAsk, Raised};

/// Reads the rows of an [`Ask`]; a new learner has none.
pub(super) fn gather(
    tx: &Transaction<'_>,
    learner: Option<i64>,
    owner: &LearnerId,
    ask: &Ask,
) -> Result<Gathered> {
    ask.check().map_err(Failure::Refused)?;
    let Some(learner) = learner else {
        return Ok(Gathered::default());
    };
    let receipt = match &ask.operation {
        Some(operation) => tx
            .prepare_cached(
                "SELECT operation, body_digest, answer, at FROM operations
                 WHERE learner = ?1 AND operation = ?2",
            )?
            .query_row(params![learner, operation], read_receipt)
            .optional()?,
        None => None,
    };
    let lessons = lessons(tx, learner, owner, ask)?;
    Ok(Gathered {
        receipt,
        runs: runs(tx, learner, &ask.runs)?,
        events: events(tx, learner, &ask.events)?,
        steps: steps(tx, learner, ask)?,
        fingerprints: sorted_fingerprints(tx, learner, &ask.fingerprints)?,
        raised: raised(tx, learner, ask)?,
        conflicts: conflicts_among(tx, learner, lessons.iter().map(|lesson| lesson.id))?,
        lessons,
        activations: activations(tx, learner, ask)?,
        history: match &ask.history {
            Some(history) => history_of(tx, learner, history)?,
            None => Vec::new(),
        },
    })
}

fn runs(tx: &Transaction<'_>, learner: i64, ids: &[String]) -> Result<Vec<RunRow>> {
    // A set, so that the decision sees each row once and in a fixed order.
    let ids: BTreeSet<&String> = ids.iter().collect();
    let found = ids.into_iter().map(|id| run_by_id(tx, learner, id));
    found.filter_map(Result::transpose).collect()
}

fn events(tx: &Transaction<'_>, learner: i64, ids: &[EventId]) -> Result<Vec<EventId>> {
    let mut statement =
        tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM errors WHERE learner = ?1 AND id = ?2)")?;
    let mut found = Vec::new();
    for id in ids.iter().collect::<BTreeSet<_>>() {
        if statement.query_row(params![learner, id.0], |row| row.get(0))? {
            found.push(*id);
        }
    }
    Ok(found)
}

/// Reads steps by number and by id.
fn steps(tx: &Transaction<'_>, learner: i64, ask: &Ask) -> Result<Vec<StepRow>> {
    let mut found: BTreeMap<(String, u32), StepRow> = BTreeMap::new();
    let mut keep = |row: Option<StepRow>| {
        found.extend(row.map(|row| ((row.run.clone(), row.step), row)));
    };
    let mut by_number = tx.prepare_cached(concat!(
        "SELECT ",
        step_columns!(),
        steps_with_bodies!(),
        "WHERE s.learner = ?1 AND s.run = ?2 AND s.step = ?3"
    ))?;
    for (run, step) in ask.steps.iter().collect::<BTreeSet<_>>() {
        let row = by_number.query_row(params![learner, run, step], read_step);
        keep(row.optional()?);
    }
    let mut by_id = tx.prepare_cached(concat!(
        "SELECT ",
        step_columns!(),
        steps_with_bodies!(),
        "WHERE s.learner = ?1 AND s.run = ?2 AND s.id = ?3"
    ))?;
    for (run, id) in ask.step_ids.iter().collect::<BTreeSet<_>>() {
        let row = by_id.query_row(params![learner, run, id], read_step);
        keep(row.optional()?);
    }
    Ok(found.into_values().collect())
}

fn sorted_fingerprints(
    tx: &Transaction<'_>,
    learner: i64,
    ids: &[FingerprintId],
) -> Result<Vec<FingerprintRow>> {
    let ids: BTreeSet<FingerprintId> = ids.iter().copied().collect();
    let found = ids.iter().map(|id| fingerprint_by_id(tx, learner, *id));
    found.filter_map(Result::transpose).collect()
}

fn raised(tx: &Transaction<'_>, learner: i64, ask: &Ask) -> Result<Vec<Raised>> {
    let mut statement = tx.prepare_cached(
        "SELECT first_step FROM raised WHERE learner = ?1 AND run = ?2 AND fingerprint = ?3",
    )?;
    let mut found = Vec::new();
    for run in ask.runs.iter().collect::<BTreeSet<_>>() {
        for id in ask.fingerprints.iter().collect::<BTreeSet<_>>() {
            let step = statement
                .query_row(params![learner, run, id.0], |row| row.get(0))
                .optional()?;
            found.extend(step.map(|first_step| Raised {
                run: run.clone(),
                fingerprint: *id,
                first_step,
            }));
        }
    }
    Ok(found)
}

fn lessons(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    ask: &Ask,
) -> Result<Vec<Lesson>> {
    let mut found: BTreeMap<LessonId, Lesson> = BTreeMap::new();
    for id in ask.lessons.iter().collect::<BTreeSet<_>>() {
        let lesson = lesson_by_id(tx, learner, owner, *id)?;
        found.extend(lesson.map(|lesson| (lesson.id, lesson)));
    }
    for lesson in ever_triggered_by(tx, learner, owner, &ask.triggered_by)? {
        found.insert(lesson.id, lesson);
    }
    Ok(found.into_values().collect())
}

fn activations(tx: &Transaction<'_>, learner: i64, ask: &Ask) -> Result<Vec<ActivationRow>> {
    // Keyed by time, because the rules read activations from the oldest on.
    let mut found: BTreeMap<_, ActivationRow> = BTreeMap::new();
    let mut keep = |row: ActivationRow| {
        found.insert((row.activation.at, row.activation.id), row);
    };
    for id in &ask.activations {
        activation_by_id(tx, learner, *id)?
            .into_iter()
            .for_each(&mut keep);
    }
    let last = concat!(
        "SELECT ",
        activation_columns!(),
        " FROM activations WHERE learner = ?1 AND lesson = ?2 AND withheld = 0
          ORDER BY at DESC, id DESC LIMIT ?3"
    );
    for lesson in ask.activations_of.iter().collect::<BTreeSet<_>>() {
        let params = params![learner, lesson.0, ROWS_MAX as i64];
        all(tx, last, params, read_activation)?
            .into_iter()
            .for_each(&mut keep);
    }
    Ok(found.into_values().collect())
}

/// The ended runs to compare with: the newest of each list, without duplicates, oldest first.
fn history_of(tx: &Transaction<'_>, learner: i64, ask: &HistoryAsk) -> Result<Vec<RunRecord>> {
    let mut found: BTreeMap<_, RunRecord> = BTreeMap::new();
    let mut keep = |row: RunRow| {
        if let Some(record) = row.record() {
            found.insert((record.ended_at, record.id.clone()), record);
        }
    };
    let place = &ask.place;
    if let Some(task) = &place.task {
        let sql = concat!(
            "SELECT ",
            run_columns!(),
            " FROM runs WHERE learner = ?1 AND task = ?2 AND ended_at IS NOT NULL
              ORDER BY ended_at DESC, id DESC LIMIT ?3"
        );
        let params = params![learner, task, HISTORY_MAX as i64];
        all(tx, sql, params, read_run)?
            .into_iter()
            .for_each(&mut keep);
    }
    if let Some(domain) = &place.domain {
        let sql = concat!(
            "SELECT ",
            run_columns!(),
            " FROM runs WHERE learner = ?1 AND domain = ?2 AND tool IS ?3 AND ended_at IS NOT NULL
              ORDER BY ended_at DESC, id DESC LIMIT ?4"
        );
        let params = params![learner, domain, place.tool, HISTORY_MAX as i64];
        all(tx, sql, params, read_run)?
            .into_iter()
            .for_each(&mut keep);
    }
    Ok(found.into_values().collect())
}
