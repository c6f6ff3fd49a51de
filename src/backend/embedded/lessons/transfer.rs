//! Moving all rows of a learner's lessons, and deleting them.

use rusqlite::{Transaction, params};

use super::learner::{find, make};
use super::rows::{
    activation_columns, error_columns, lesson_columns, read_activation, read_conflict, read_error,
    read_fingerprint, read_lesson, read_receipt, read_review, read_run, read_source, read_step,
    run_columns, step_columns, steps_with_bodies,
};
use super::write::{add_receipt, write};
use crate::error::Result;
use crate::rows::{Json, all};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::lessons::projection::ExistingRows;
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::{DecideCascade, Erased};

/// The tables of a learner, children before parents.
const TABLES: [&str; 16] = [
    "operations",
    "reviews",
    "decisions",
    "activations",
    "conflicts",
    "lesson_sources",
    "postings",
    "lessons",
    "raised",
    "matches",
    "errors",
    "fingerprint_tags",
    "tags",
    "fingerprints",
    "steps",
    "step_bodies",
];

/// Reads all rows of a learner's lessons.
pub(super) fn copy_out(tx: &Transaction<'_>, owner: &LearnerId) -> Result<Option<LessonsCopy>> {
    let Some(learner) = find(tx, owner)? else {
        return Ok(None);
    };
    let own = params![learner];
    let runs = concat!(
        "SELECT ",
        run_columns!(),
        " FROM runs WHERE learner = ?1 ORDER BY id"
    );
    let errors = concat!(
        "SELECT ",
        error_columns!(),
        " FROM errors e WHERE e.learner = ?1 ORDER BY e.id"
    );
    let lessons = concat!(
        "SELECT ",
        lesson_columns!(),
        " FROM lessons l WHERE l.learner = ?1 ORDER BY l.id"
    );
    let activations = concat!(
        "SELECT ",
        activation_columns!(),
        " FROM activations WHERE learner = ?1 ORDER BY id"
    );
    let fingerprints = "SELECT id, normalised, tags, events, runs, first_at, last_at
         FROM fingerprints WHERE learner = ?1 ORDER BY id";
    let steps = concat!(
        "SELECT ",
        step_columns!(),
        steps_with_bodies!(),
        "WHERE s.learner = ?1 ORDER BY s.run, s.step"
    );
    let sources = "SELECT lesson, run, origin, steps, events, at FROM lesson_sources
         WHERE learner = ?1 ORDER BY lesson, run, origin";
    let conflicts = "SELECT first, second, reason, at, settled FROM conflicts
         WHERE learner = ?1 ORDER BY first, second";
    let decisions = "SELECT body FROM decisions WHERE learner = ?1 ORDER BY id";
    let reviews = "SELECT id, lesson, from_status, to_status, author, note, at FROM reviews
         WHERE learner = ?1 ORDER BY id";
    let receipts = "SELECT operation, body_digest, answer, at FROM operations
         WHERE learner = ?1 ORDER BY operation";
    Ok(Some(LessonsCopy {
        owner: owner.clone(),
        fingerprints: all(tx, fingerprints, own, read_fingerprint)?,
        runs: all(tx, runs, own, read_run)?,
        steps: all(tx, steps, own, read_step)?,
        errors: all(tx, errors, own, |row| read_error(row, owner))?,
        lessons: all(tx, lessons, own, |row| read_lesson(row, owner))?,
        sources: all(tx, sources, own, read_source)?,
        conflicts: all(tx, conflicts, own, read_conflict)?,
        activations: all(tx, activations, own, read_activation)?,
        decisions: all(tx, decisions, own, |row| Ok(row.get::<_, Json<_>>(0)?.0))?,
        reviews: all(tx, reviews, own, read_review)?,
        receipts: all(tx, receipts, own, read_receipt)?,
    }))
}

/// Replaces all rows of a learner's lessons. Counts and postings are not copied but derived again from the rows.
pub(super) fn copy_in(tx: &Transaction<'_>, copy: LessonsCopy) -> Result<()> {
    let owner = copy.owner.clone();
    delete(tx, owner.tenant(), owner.learner())?;
    let learner = make(tx, &owner)?;
    let (commit, receipts) = copy.into_commit();
    // All rows are gone by now, so none of the commit exists.
    write(tx, learner, &owner, &commit, ExistingRows::default())?;
    for receipt in &receipts {
        add_receipt(tx, learner, receipt)?;
    }
    Ok(())
}

/// Deletes all rows of a learner's lessons and adds their counts to `erased`.
pub(crate) fn erase(
    tx: &Transaction<'_>,
    tenant: &str,
    learner: &str,
    erased: &mut Erased,
) -> Result<()> {
    let gone = delete(tx, tenant, learner)?;
    erased.lessons += gone.lessons;
    erased.runs += gone.runs;
    erased.errors += gone.errors;
    Ok(())
}

/// Replaces a learner's lessons by those that `decide` keeps; returns the counts of deleted rows.
pub(crate) fn strike(
    tx: &Transaction<'_>,
    owner: &LearnerId,
    decide: &mut DecideCascade,
) -> Result<Erased> {
    let Some(all) = copy_out(tx, owner)? else {
        return Ok(Erased::default());
    };
    let Some((left, erased)) = decide(all) else {
        return Ok(Erased::default());
    };
    if left.is_empty() {
        delete(tx, owner.tenant(), owner.learner()).map(|_| ())?
    } else {
        copy_in(tx, left)?
    }
    Ok(erased)
}

fn delete(tx: &Transaction<'_>, tenant: &str, name: &str) -> Result<Erased> {
    let mut erased = Erased::default();
    let sql = "SELECT learner FROM learners WHERE tenant = ?1 AND name = ?2";
    for learner in all(tx, sql, params![tenant, name], |row| row.get::<_, i64>(0))? {
        for table in TABLES {
            let sql = format!("DELETE FROM {table} WHERE learner = ?1");
            let rows = tx.prepare_cached(&sql)?.execute([learner])? as u64;
            match table {
                "lessons" => erased.lessons += rows,
                "errors" => erased.errors += rows,
                _ => {}
            }
        }
        // After their children, like the learner below.
        erased.runs += tx
            .prepare_cached("DELETE FROM runs WHERE learner = ?1")?
            .execute([learner])? as u64;
        tx.prepare_cached("DELETE FROM learners WHERE learner = ?1")?
            .execute([learner])?;
    }
    Ok(erased)
}
