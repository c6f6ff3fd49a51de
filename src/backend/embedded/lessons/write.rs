//! Writing a commit of lessons: rows written if absent, rows replaced, and the counts and postings derived from both.

use rusqlite::{OptionalExtension, Transaction, params};

use super::by_name::{fingerprint_by_id, lesson_by_id};
use super::fingerprints::{
    add_raised, first_step, list_error, put, raise_earlier, refresh_siblings, triggers_live,
};
use super::postings::{change_postings, write_lesson};
use super::write_runs::{add_step, delete_steps, empty_errors, put_run};
use crate::error::{Failure, Result};
use crate::rows::{Json, Moment, Whole};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::RECEIPTS_GONE_MAX;
use hindlore_store::lessons::postings::{placement, postings};
use hindlore_store::lessons::projection::{
    CommitNames, ExistingFingerprint, ExistingLesson, ExistingRows, project,
};
use hindlore_store::lessons::rows::{
    ActivationRow, Conflict, LessonSource, OperationReceipt, Review,
};
use hindlore_store::lessons::transaction::LessonCommit;

/// Writes a commit to a learner.
pub(super) fn apply(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    commit: &LessonCommit,
) -> Result<()> {
    let existing = existing(tx, learner, owner, commit)?;
    write(tx, learner, owner, commit, existing)
}

/// Writes a commit to a learner; `existing` are those rows of the commit that exist.
pub(super) fn write(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    commit: &LessonCommit,
    existing: ExistingRows,
) -> Result<()> {
    let changes = project(owner, commit, existing).map_err(Failure::Refused)?;
    // Runs first, because steps, errors and raised fingerprints refer to them.
    for run in &commit.runs {
        put_run(tx, learner, run)?;
    }
    for step in &commit.steps {
        add_step(tx, learner, step)?;
    }
    // After the new steps, so that a run which brings its last steps keeps none of them.
    for run in &commit.stripped {
        delete_steps(tx, learner, run)?;
    }
    for change in &changes.fingerprints {
        put(tx, learner, change)?;
    }
    for error in &changes.errors {
        add_error(tx, learner, error)?;
        list_error(tx, learner, error)?;
    }
    // After the new errors, so that none of the run keeps its texts.
    for run in &commit.emptied {
        empty_errors(tx, learner, run)?;
    }
    for new in &changes.raised {
        add_raised(tx, learner, new)?;
    }
    for raised in &changes.raised_earlier {
        raise_earlier(tx, learner, raised)?;
    }
    for lesson in &changes.lessons {
        write_lesson(tx, learner, lesson)?;
    }
    for change in &changes.postings {
        change_postings(tx, learner, change)?;
    }
    // After the postings, from which the siblings are derived.
    for id in &changes.refreshed {
        refresh_siblings(tx, learner, *id)?;
    }
    add_records(tx, learner, commit)
}

/// Writes sources, conflicts, activations, decisions, reviews and the receipt.
fn add_records(tx: &Transaction<'_>, learner: i64, commit: &LessonCommit) -> Result<()> {
    for source in &commit.sources {
        add_source(tx, learner, source)?;
    }
    for conflict in &commit.conflicts {
        add_conflict(tx, learner, conflict)?;
    }
    for row in &commit.activations {
        add_activation(tx, learner, row)?;
    }
    for row in &commit.revised {
        revise_activation(tx, learner, row)?;
    }
    for decision in &commit.decisions {
        add_decision(tx, learner, decision)?;
    }
    for review in &commit.reviews {
        add_review(tx, learner, review)?;
    }
    if let Some(receipt) = &commit.receipt {
        add_receipt(tx, learner, receipt)?;
    }
    match commit.receipts_before {
        Some(before) => delete_receipts(tx, learner, before),
        None => Ok(()),
    }
}

/// Reads those rows of a commit that exist.
fn existing(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    commit: &LessonCommit,
) -> Result<ExistingRows> {
    let names = CommitNames::new(commit);
    let mut rows = ExistingRows::default();
    let mut run = tx.prepare_cached("SELECT ended_at FROM runs WHERE learner = ?1 AND id = ?2")?;
    for id in names.runs {
        let ended_at = run.query_row(params![learner, id], |row| row.get::<_, Option<Moment>>(0));
        let ended_at = ended_at.optional()?;
        rows.runs
            .extend(ended_at.map(|at| (id.to_owned(), at.map(|at| at.0))));
    }
    let mut event =
        tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM errors WHERE learner = ?1 AND id = ?2)")?;
    for id in names.events {
        if event.query_row(params![learner, id.0], |row| row.get(0))? {
            rows.events.insert(id);
        }
    }
    for id in names.fingerprints {
        if let Some(row) = fingerprint_by_id(tx, learner, id)? {
            let is_live = triggers_live(tx, learner, id)?;
            rows.fingerprints
                .insert(id, ExistingFingerprint { row, is_live });
        }
    }
    for (run, id) in names.raised {
        let step = first_step(tx, learner, run, id)?;
        rows.raised
            .extend(step.map(|step| ((run.to_owned(), id), step)));
    }
    for id in names.lessons {
        if let Some(lesson) = lesson_by_id(tx, learner, owner, id)? {
            let lesson = ExistingLesson {
                placement: Some(placement(&lesson)),
                postings: postings(&lesson),
                triggers: lesson.triggers,
            };
            rows.lessons.insert(id, lesson);
        }
    }
    Ok(rows)
}

fn add_error(tx: &Transaction<'_>, learner: i64, error: &ErrorEvent) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO errors (learner, id, run, step, fine, coarse, task, domain, tool, at,
                 channels, tags, progress, efficiency, failed_constraints, reason, error_text,
                 state, action, state_after)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20)",
    )?
    .execute(params![
        learner,
        error.id.0,
        error.run,
        error.step,
        error.fingerprints.fine.id.0,
        error.fingerprints.coarse.id.0,
        error.place.task,
        error.place.domain,
        error.place.tool,
        Moment(error.at),
        Json(&error.channels),
        Json(&error.tags),
        error.progress,
        error.efficiency,
        Json(&error.failed_constraints),
        error.reason,
        error.error,
        error.state,
        error.action,
        error.state_after,
    ])?;
    Ok(())
}

fn add_source(tx: &Transaction<'_>, learner: i64, source: &LessonSource) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO lesson_sources (learner, lesson, run, origin, steps, events, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        learner,
        source.lesson.0,
        source.run,
        source.origin.word(),
        Json(&source.steps),
        Json(&source.events),
        Moment(source.at),
    ])?;
    Ok(())
}

fn add_conflict(tx: &Transaction<'_>, learner: i64, conflict: &Conflict) -> Result<()> {
    // A conflict that is found again must not reopen a decision, so only a decision changes the row.
    tx.prepare_cached(
        "INSERT INTO conflicts (learner, first, second, reason, at, settled) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (learner, first, second) DO UPDATE SET settled = excluded.settled
         WHERE excluded.settled IS NOT NULL",
    )?
    .execute(params![
        learner,
        conflict.first.0,
        conflict.second.0,
        conflict.reason,
        Moment(conflict.at),
        conflict.settled.as_ref().map(Json),
    ])?;
    Ok(())
}

fn add_activation(tx: &Transaction<'_>, learner: i64, row: &ActivationRow) -> Result<()> {
    let activation = &row.activation;
    let outcome = activation.outcome.as_ref();
    // A settled outcome is final: a later report finds it and changes nothing.
    tx.prepare_cached(
        "INSERT INTO activations (learner, id, run, lesson, moment, step, trigger_id,
             trigger_level, lane, score, withheld, at, verdict, outcome, beat, triggers,
             explanation)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
         ON CONFLICT (learner, id) DO UPDATE SET verdict = excluded.verdict,
             outcome = excluded.outcome
             WHERE outcome IS NULL AND excluded.outcome IS NOT NULL",
    )?
    .execute(params![
        learner,
        activation.id.0,
        activation.run,
        activation.lesson.0,
        activation.moment.word(),
        activation.step,
        activation.trigger.map(|(id, _)| id.0),
        activation.trigger.map(|(_, level)| level.word()),
        activation.lane.word(),
        activation.score,
        activation.withheld,
        Moment(activation.at),
        outcome.map(|outcome| i64::from(outcome.sign())),
        outcome.map(Json),
        Json(&activation.beat),
        Json(&row.triggers),
        row.explanation,
    ])?;
    Ok(())
}

fn revise_activation(tx: &Transaction<'_>, learner: i64, row: &ActivationRow) -> Result<()> {
    let activation = &row.activation;
    let outcome = activation.outcome.as_ref();
    // The decision chose to replace this outcome, so the rule that a settled one is final does not hold here.
    tx.prepare_cached(
        "UPDATE activations SET verdict = ?3, outcome = ?4 WHERE learner = ?1 AND id = ?2",
    )?
    .execute(params![
        learner,
        activation.id.0,
        outcome.map(|outcome| i64::from(outcome.sign())),
        outcome.map(Json),
    ])?;
    Ok(())
}

fn add_decision(tx: &Transaction<'_>, learner: i64, decision: &Decision) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO decisions (learner, id, lesson, at, body) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (learner, id) DO NOTHING",
    )?
    .execute(params![
        learner,
        decision.id.0,
        decision.lesson.0,
        Moment(decision.at),
        Json(decision),
    ])?;
    Ok(())
}

fn add_review(tx: &Transaction<'_>, learner: i64, review: &Review) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO reviews (learner, id, lesson, from_status, to_status, author, note, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (learner, id) DO NOTHING",
    )?
    .execute(params![
        learner,
        review.id,
        review.lesson.0,
        review.from.word(),
        review.to.word(),
        review.author,
        review.note,
        Moment(review.at),
    ])?;
    Ok(())
}

/// Writes a receipt. An existing one is never overwritten: the primary key refuses it.
pub(super) fn add_receipt(
    tx: &Transaction<'_>,
    learner: i64,
    receipt: &OperationReceipt,
) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO operations (learner, operation, body_digest, answer, at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        learner,
        receipt.operation,
        receipt.body_digest,
        receipt.answer,
        Moment(receipt.at),
    ])?;
    Ok(())
}

/// Deletes the oldest receipts from before a time.
fn delete_receipts(tx: &Transaction<'_>, learner: i64, before: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "DELETE FROM operations WHERE learner = ?1 AND operation IN
             (SELECT operation FROM operations WHERE learner = ?1 AND at < ?2 ORDER BY at LIMIT ?3)",
    )?
    .execute(params![learner, Moment(before), Whole(RECEIPTS_GONE_MAX as u64)])?;
    Ok(())
}
