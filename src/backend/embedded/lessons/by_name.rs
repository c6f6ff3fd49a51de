//! Reading one row by its id.

use rusqlite::{OptionalExtension, Transaction, params};

use super::rows::{
    activation_columns, lesson_columns, read_activation, read_fingerprint, read_lesson, read_run,
    run_columns,
};
use crate::error::Result;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_store::lessons::rows::{ActivationRow, FingerprintRow, RunRow};

pub(super) fn run_by_id(tx: &Transaction<'_>, learner: i64, id: &str) -> Result<Option<RunRow>> {
    let sql = concat!(
        "SELECT ",
        run_columns!(),
        " FROM runs WHERE learner = ?1 AND id = ?2"
    );
    let mut statement = tx.prepare_cached(sql)?;
    Ok(statement
        .query_row(params![learner, id], read_run)
        .optional()?)
}

pub(super) fn fingerprint_by_id(
    tx: &Transaction<'_>,
    learner: i64,
    id: FingerprintId,
) -> Result<Option<FingerprintRow>> {
    let mut statement = tx.prepare_cached(
        "SELECT id, normalised, tags, events, runs, first_at, last_at FROM fingerprints
         WHERE learner = ?1 AND id = ?2",
    )?;
    Ok(statement
        .query_row(params![learner, id.0], read_fingerprint)
        .optional()?)
}

pub(super) fn activation_by_id(
    tx: &Transaction<'_>,
    learner: i64,
    id: ActivationId,
) -> Result<Option<ActivationRow>> {
    let sql = concat!(
        "SELECT ",
        activation_columns!(),
        " FROM activations WHERE learner = ?1 AND id = ?2"
    );
    let mut statement = tx.prepare_cached(sql)?;
    Ok(statement
        .query_row(params![learner, id.0], read_activation)
        .optional()?)
}

pub(super) fn lesson_by_id(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    id: LessonId,
) -> Result<Option<Lesson>> {
    let sql = concat!(
        "SELECT ",
        lesson_columns!(),
        " FROM lessons l WHERE l.learner = ?1 AND l.id = ?2"
    );
    let mut statement = tx.prepare_cached(sql)?;
    let read = |row: &rusqlite::Row<'_>| read_lesson(row, owner);
    Ok(statement
        .query_row(params![learner, id.0], read)
        .optional()?)
}
