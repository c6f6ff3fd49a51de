//! Listings: pages in a fixed order, and the rows of one run or one lesson.

use rusqlite::{Transaction, params};

use super::by_name::run_by_id;
use super::rows::{
    activation_columns, error_columns, lesson_columns, read_activation, read_conflict, read_error,
    read_lesson, read_review, read_source, read_step, step_columns, steps_with_bodies,
};
use crate::error::Result;
use crate::rows::{Json, all};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::LessonId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorFilter, ErrorPage, LessonPage, LessonRecords, LessonTotals,
};
use hindlore_store::lessons::rows::{ActivationRow, Conflict, RunContents};
use hindlore_store::lessons::{RUN_ROWS_MAX, page_limit};

/// The start of a listing from the newest to the oldest.
pub(super) const NEWEST: i64 = i64::MAX;

pub(super) fn cut(limit: usize) -> i64 {
    page_limit(limit) as i64
}

/// The point after which a listing continues: a timestamp and an id.
pub(super) fn after<I: Clone>(after: Option<&(Timestamp, I)>, first: I) -> (i64, I) {
    after.map_or((NEWEST, first), |(at, id)| (at.millis(), id.clone()))
}

pub(super) fn run(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    id: &str,
) -> Result<Option<RunContents>> {
    let Some(row) = run_by_id(tx, learner, id)? else {
        return Ok(None);
    };
    // The bound keeps the newest rows; they are put in their order below.
    let params = params![learner, id, RUN_ROWS_MAX as i64];
    let steps = concat!(
        "SELECT ",
        step_columns!(),
        steps_with_bodies!(),
        "WHERE s.learner = ?1 AND s.run = ?2 ORDER BY s.step DESC LIMIT ?3"
    );
    let steps = all(tx, steps, params, read_step)?;
    let errors = concat!(
        "SELECT ",
        error_columns!(),
        " FROM errors e WHERE e.learner = ?1 AND e.run = ?2
          ORDER BY e.step DESC, e.id DESC LIMIT ?3"
    );
    let errors = all(tx, errors, params, |row| read_error(row, owner))?;
    let activations = concat!(
        "SELECT ",
        activation_columns!(),
        " FROM activations WHERE learner = ?1 AND run = ?2 ORDER BY step DESC, id DESC LIMIT ?3"
    );
    let activations = all(tx, activations, params, read_activation)?;
    let contents = RunContents {
        row,
        steps,
        errors,
        activations,
    };
    Ok(Some(contents.in_order()))
}

pub(super) fn lessons(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    page: &LessonPage,
) -> Result<Vec<Lesson>> {
    // Below every id, so that a page without a start begins at the newest row.
    let (at, id) = after(page.after.as_ref(), LessonId([0; 10]));
    let read = |row: &rusqlite::Row<'_>| read_lesson(row, owner);
    match page.status {
        None => {
            let sql = concat!(
                "SELECT ",
                lesson_columns!(),
                " FROM lessons l WHERE l.learner = ?1 AND l.created_at <= ?2
                  AND (l.created_at < ?2 OR l.id > ?3)
                  ORDER BY l.created_at DESC, l.id LIMIT ?4"
            );
            all(tx, sql, params![learner, at, id.0, cut(page.limit)], read)
        }
        Some(status) => {
            let sql = concat!(
                "SELECT ",
                lesson_columns!(),
                " FROM lessons l WHERE l.learner = ?1 AND l.status = ?5 AND l.created_at <= ?2
                  AND (l.created_at < ?2 OR l.id > ?3)
                  ORDER BY l.created_at DESC, l.id LIMIT ?4"
            );
            let word = status.word();
            let params = params![learner, at, id.0, cut(page.limit), word];
            all(tx, sql, params, read)
        }
    }
}

pub(super) fn records(
    tx: &Transaction<'_>,
    learner: i64,
    lesson: LessonId,
    limit: usize,
) -> Result<LessonRecords> {
    let params = params![learner, lesson.0, cut(limit)];
    let sources = "SELECT lesson, run, origin, steps, events, at FROM lesson_sources
         WHERE learner = ?1 AND lesson = ?2 ORDER BY at DESC, run DESC, origin DESC LIMIT ?3";
    let decisions = "SELECT body FROM decisions WHERE learner = ?1 AND lesson = ?2
         ORDER BY at DESC, id DESC LIMIT ?3";
    let reviews = "SELECT id, lesson, from_status, to_status, author, note, at FROM reviews
         WHERE learner = ?1 AND lesson = ?2 ORDER BY at DESC, id DESC LIMIT ?3";
    let records = LessonRecords {
        sources: all(tx, sources, params, read_source)?,
        decisions: all(tx, decisions, params, |row| Ok(row.get::<_, Json<_>>(0)?.0))?,
        reviews: all(tx, reviews, params, read_review)?,
    };
    Ok(records.in_order())
}

pub(super) fn decisions(tx: &Transaction<'_>, learner: i64, limit: usize) -> Result<Vec<Decision>> {
    let sql = "SELECT body FROM decisions WHERE learner = ?1 ORDER BY at DESC, id LIMIT ?2";
    all(tx, sql, params![learner, cut(limit)], |row| {
        Ok(row.get::<_, Json<_>>(0)?.0)
    })
}

pub(super) fn errors(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    page: &ErrorPage,
) -> Result<Vec<ErrorEvent>> {
    macro_rules! listing {
        ($condition:literal) => {
            concat!(
                "SELECT ",
                error_columns!(),
                " FROM errors e WHERE e.learner = ?1 AND ",
                $condition,
                " AND e.at <= ?2 AND (e.at < ?2 OR e.id > ?3)
                  ORDER BY e.at DESC, e.id LIMIT ?4"
            )
        };
    }
    let (at, id) = after(
        page.after.as_ref(),
        hindlore_primitives::ids::EventId([0; 10]),
    );
    let (id, limit) = (id.0, cut(page.limit));
    let read = |row: &rusqlite::Row<'_>| read_error(row, owner);
    match &page.filter {
        ErrorFilter::All => {
            let params = params![learner, at, id, limit];
            all(tx, listing!("1"), params, read)
        }
        ErrorFilter::Run(run) => {
            let params = params![learner, at, id, limit, run];
            all(tx, listing!("e.run = ?5"), params, read)
        }
        ErrorFilter::Task(task) => {
            let params = params![learner, at, id, limit, task];
            all(tx, listing!("e.task = ?5"), params, read)
        }
        ErrorFilter::Domain(domain, tool) => {
            let params = params![learner, at, id, limit, domain, tool];
            all(tx, listing!("e.domain = ?5 AND e.tool IS ?6"), params, read)
        }
        ErrorFilter::Fingerprint(fingerprint) => {
            let sql = concat!(
                "SELECT ",
                error_columns!(),
                " FROM matches m JOIN errors e ON e.learner = m.learner AND e.id = m.error
                  WHERE m.learner = ?1 AND m.fingerprint = ?5 AND m.at <= ?2
                  AND (m.at < ?2 OR m.error > ?3)
                  ORDER BY m.at DESC, m.error LIMIT ?4"
            );
            let params = params![learner, at, id, limit, fingerprint.0];
            all(tx, sql, params, read)
        }
    }
}

pub(super) fn activations(
    tx: &Transaction<'_>,
    learner: i64,
    page: &ActivationPage,
) -> Result<Vec<ActivationRow>> {
    // Times descend while ids of equal times ascend: SQLite walks the index backwards and sorts only within equal times.
    let sql = concat!(
        "SELECT ",
        activation_columns!(),
        " FROM activations WHERE learner = ?1 AND lesson = ?2 AND at <= ?3
          AND (at < ?3 OR id > ?4)
          ORDER BY at DESC, id LIMIT ?5"
    );
    let (at, id) = page
        .after
        .map_or((NEWEST, [0; 10]), |(at, id)| (at.millis(), id.0));
    let params = params![learner, page.lesson.0, at, id, cut(page.limit)];
    all(tx, sql, params, read_activation)
}

pub(super) fn conflicts(
    tx: &Transaction<'_>,
    learner: i64,
    page: &ConflictPage,
) -> Result<Vec<Conflict>> {
    let (first, second) = page
        .after
        .map_or(([0; 10], [0; 10]), |(first, second)| (first.0, second.0));
    let limit = cut(page.limit);
    match page.lesson {
        None => {
            let sql = "SELECT first, second, reason, at, settled FROM conflicts
                 WHERE learner = ?1 AND (first, second) > (?2, ?3)
                 ORDER BY first, second LIMIT ?4";
            all(
                tx,
                sql,
                params![learner, first, second, limit],
                read_conflict,
            )
        }
        Some(lesson) => {
            let sql = "SELECT first, second, reason, at, settled FROM conflicts
                 WHERE learner = ?1 AND (first = ?5 OR second = ?5) AND (first, second) > (?2, ?3)
                 ORDER BY first, second LIMIT ?4";
            let params = params![learner, first, second, limit, lesson.0];
            all(tx, sql, params, read_conflict)
        }
    }
}

/// Counts the rows of a learner; every count comes from an index.
pub(super) fn totals(tx: &Transaction<'_>, learner: i64) -> Result<LessonTotals> {
    let count = |sql: &str| -> Result<u64> {
        let mut statement = tx.prepare_cached(sql)?;
        let number = statement.query_row([learner], |row| row.get::<_, crate::rows::Whole>(0))?;
        Ok(number.0)
    };
    macro_rules! lessons {
        ($status:literal) => {
            concat!(
                "SELECT count(*) FROM lessons WHERE learner = ?1 AND status = '",
                $status,
                "'"
            )
        };
    }
    macro_rules! activations {
        ($condition:literal) => {
            concat!(
                "SELECT count(*) FROM activations WHERE learner = ?1 AND ",
                $condition
            )
        };
    }
    Ok(LessonTotals {
        observed: count(lessons!("observed"))?,
        candidates: count(lessons!("candidate"))?,
        promoted: count(lessons!("promoted"))?,
        refuted: count(lessons!("refuted"))?,
        suppressed: count(lessons!("suppressed"))?,
        archived: count(lessons!("archived"))?,
        conflicts: count(
            "SELECT count(*) FROM conflicts
             WHERE learner = ?1 AND coalesce(settled ->> 'decision', 'reopened') = 'reopened'",
        )?,
        fingerprints: count("SELECT fingerprints FROM learners WHERE learner = ?1")?,
        errors: count("SELECT count(*) FROM errors WHERE learner = ?1")?,
        open_runs: count("SELECT count(*) FROM runs WHERE learner = ?1 AND ended_at IS NULL")?,
        ended_runs: count("SELECT count(*) FROM runs WHERE learner = ?1 AND ended_at IS NOT NULL")?,
        control_runs: count(
            "SELECT count(*) FROM runs WHERE learner = ?1 AND control = 1 AND ended_at IS NOT NULL",
        )?,
        withheld: count(activations!("withheld = 1"))?,
        activations: count(activations!("withheld = 0"))?,
        helped: count(activations!("withheld = 0 AND verdict = 1"))?,
        neutral: count(activations!("withheld = 0 AND verdict = 0"))?,
        harmed: count(activations!("withheld = 0 AND verdict = -1"))?,
        step_bodies: count("SELECT count(*) FROM step_bodies WHERE learner = ?1")?,
    })
}
