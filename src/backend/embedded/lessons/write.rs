//! Writing a commit of lessons: rows that are put if absent, rows that are put in place, and the
//! counts and postings that follow from both.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction, params};

use super::prints::{know, know_trigger, note_event, refresh_siblings};
use super::rows::{lesson_columns, read_lesson};
use crate::backend::embedded::error::{Failure, Work};
use crate::backend::embedded::rows::{Json, Moment, Whole, unwritable};
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::ids::FingerprintId;
use crate::domain::lesson::lesson::{Lesson, Owner};
use crate::domain::lesson::promotion::Decision;
use crate::store::lessons::form::RunLists;
use crate::store::lessons::rows::{
    ActivationRow, Conflict, LessonSource, OperationReceipt, Review, RunRow, StepRow,
};
use crate::store::lessons::transaction::LessonCommit;

/// Writes a commit to a learner.
pub(super) fn apply(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &Owner,
    commit: &LessonCommit,
) -> Work<()> {
    check_owner(owner, commit)?;
    for new in &commit.fingerprints {
        know(tx, learner, &new.fingerprint, &new.tags)?;
    }
    for run in &commit.runs {
        put_run(tx, learner, run)?;
    }
    for step in &commit.steps {
        add_step(tx, learner, step)?;
    }
    for error in &commit.errors {
        if add_error(tx, learner, error)? {
            note_event(tx, learner, error)?;
        }
    }
    let mut touched = BTreeSet::new();
    for lesson in &commit.lessons {
        put_lesson(tx, learner, lesson, &mut touched)?;
    }
    refresh_siblings(tx, learner, &touched)?;
    for source in &commit.sources {
        add_source(tx, learner, source)?;
    }
    for conflict in &commit.conflicts {
        add_conflict(tx, learner, conflict)?;
    }
    for row in &commit.activations {
        add_activation(tx, learner, row)?;
    }
    for decision in &commit.decisions {
        add_decision(tx, learner, decision)?;
    }
    for review in &commit.reviews {
        add_review(tx, learner, review)?;
    }
    match &commit.receipt {
        Some(receipt) => add_receipt(tx, learner, receipt),
        None => Ok(()),
    }
}

fn check_owner(owner: &Owner, commit: &LessonCommit) -> Work<()> {
    let lessons = commit.lessons.iter().map(|lesson| &lesson.owner);
    let mut owners = lessons.chain(commit.errors.iter().map(|error| &error.owner));
    match owners.find(|other| *other != owner) {
        None => Ok(()),
        Some(other) => Err(Failure::Refused(format!(
            "a row of {}/{} was given to the learner {}/{}; write it under its own",
            other.tenant(),
            other.learner(),
            owner.tenant(),
            owner.learner()
        ))),
    }
}

fn put_run(tx: &Transaction<'_>, learner: i64, run: &RunRow) -> Work<()> {
    let end = run.end.as_ref();
    let lists = end.map(RunLists::of).transpose().map_err(unwritable)?;
    let lists = lists.as_ref();
    tx.prepare_cached(
        "INSERT INTO runs (learner, id, task, domain, tool, intent, control, allowed_steps, steps,
             changes, started_at, last_at, ended_at, idle, passed, score, occurrences, in_force,
             followed, metrics)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20)
         ON CONFLICT (learner, id) DO UPDATE SET
             task = excluded.task, domain = excluded.domain, tool = excluded.tool,
             intent = excluded.intent, control = excluded.control,
             allowed_steps = excluded.allowed_steps, steps = excluded.steps,
             changes = excluded.changes, started_at = excluded.started_at,
             last_at = excluded.last_at, ended_at = excluded.ended_at, idle = excluded.idle,
             passed = excluded.passed, score = excluded.score,
             occurrences = excluded.occurrences, in_force = excluded.in_force,
             followed = excluded.followed, metrics = excluded.metrics",
    )?
    .execute(params![
        learner,
        run.id,
        run.place.task,
        run.place.domain,
        run.place.tool,
        run.intent,
        run.control,
        run.allowed_steps,
        run.steps,
        Whole(run.changes),
        Moment(run.started_at),
        Moment(run.last_at),
        end.map(|end| Moment(end.at)),
        end.map(|end| end.idle),
        end.and_then(|end| end.passed),
        end.and_then(|end| end.score),
        lists.map(|lists| &lists.occurrences),
        lists.map(|lists| &lists.in_force),
        lists.map(|lists| &lists.followed),
        end.map(|end| &end.metrics),
    ])?;
    tx.prepare_cached("UPDATE raised SET ended_at = ?3 WHERE learner = ?1 AND run = ?2")?
        .execute(params![learner, run.id, end.map(|end| Moment(end.at))])?;
    Ok(())
}

fn add_step(tx: &Transaction<'_>, learner: i64, step: &StepRow) -> Work<()> {
    tx.prepare_cached(
        "INSERT INTO steps (learner, run, step, action, plan_step, failed, followed, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        learner,
        step.run,
        step.step,
        step.action,
        step.plan_step,
        step.failed,
        Json(&step.followed),
        Moment(step.at),
    ])?;
    Ok(())
}

/// Writes an error down; false when it is there already.
fn add_error(tx: &Transaction<'_>, learner: i64, error: &ErrorEvent) -> Work<bool> {
    let rows = tx
        .prepare_cached(
            "INSERT INTO errors (learner, id, run, step, fine, coarse, task, domain, tool, at,
                 channels, tags, progress, efficiency, failed_constraints, reason, error_text,
                 state, action, state_after)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20)
             ON CONFLICT (learner, id) DO NOTHING",
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
    Ok(rows == 1)
}

/// Puts a lesson in place; adds to `touched` the fingerprints that may trigger another number of live
/// lessons than before.
fn put_lesson(
    tx: &Transaction<'_>,
    learner: i64,
    lesson: &Lesson,
    touched: &mut BTreeSet<FingerprintId>,
) -> Work<()> {
    let before = tx
        .prepare_cached(concat!(
            "SELECT ",
            lesson_columns!(),
            " FROM lessons l WHERE l.learner = ?1 AND l.id = ?2"
        ))?
        .query_row(params![learner, lesson.id.0], |row| {
            read_lesson(row, &lesson.owner)
        })
        .optional()?;
    write_lesson(tx, learner, lesson)?;
    let same_postings = before.as_ref().is_some_and(|old| {
        (old.status.is_live(), old.evidence_at) == (lesson.status.is_live(), lesson.evidence_at)
            && (&old.triggers, &old.tags, &old.place)
                == (&lesson.triggers, &lesson.tags, &lesson.place)
    });
    if same_postings {
        return Ok(());
    }
    if let Some(old) = &before {
        change_postings(tx, learner, old, false)?;
    }
    for trigger in &lesson.triggers {
        know_trigger(tx, learner, *trigger)?;
    }
    change_postings(tx, learner, lesson, true)?;
    touched.extend(before.iter().flat_map(|old| old.triggers.iter().copied()));
    touched.extend(lesson.triggers.iter().copied());
    Ok(())
}

fn write_lesson(tx: &Transaction<'_>, learner: i64, lesson: &Lesson) -> Work<()> {
    tx.prepare_cached(
        "INSERT INTO lessons (learner, id, rule, reach, task, domain, tool, status, reliability,
             impact, retrieved, helpful, harmful, created_at, evidence_at, used_at,
             unused_opportunities, restates, triggers, tags, source_runs, history, contests)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22, ?23)
         ON CONFLICT (learner, id) DO UPDATE SET
             rule = excluded.rule, reach = excluded.reach, task = excluded.task,
             domain = excluded.domain, tool = excluded.tool, status = excluded.status,
             reliability = excluded.reliability, impact = excluded.impact,
             retrieved = excluded.retrieved, helpful = excluded.helpful,
             harmful = excluded.harmful, created_at = excluded.created_at,
             evidence_at = excluded.evidence_at, used_at = excluded.used_at,
             unused_opportunities = excluded.unused_opportunities, restates = excluded.restates,
             triggers = excluded.triggers, tags = excluded.tags,
             source_runs = excluded.source_runs, history = excluded.history,
             contests = excluded.contests",
    )?
    .execute(params![
        learner,
        lesson.id.0,
        lesson.rule.as_str(),
        lesson.reach.word(),
        lesson.place.task,
        lesson.place.domain,
        lesson.place.tool,
        lesson.status.word(),
        lesson.reliability,
        lesson.impact,
        Whole(lesson.counts.retrieved),
        Whole(lesson.counts.helpful),
        Whole(lesson.counts.harmful),
        Moment(lesson.created_at),
        Moment(lesson.evidence_at),
        lesson.used_at.map(Moment),
        lesson.unused_opportunities,
        lesson.restates.map(|id| id.0),
        Json(&lesson.triggers),
        Json(&lesson.tags),
        Json(&lesson.source_runs),
        Json(&lesson.history),
        Json(&lesson.contests),
    ])?;
    Ok(())
}

/// Makes or takes away the postings of a lesson.
fn change_postings(tx: &Transaction<'_>, learner: i64, lesson: &Lesson, make: bool) -> Work<()> {
    let mut statement = tx.prepare_cached(match make {
        true => {
            "INSERT INTO postings (learner, kind, name, live, evidence_at, lesson)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        }
        false => {
            "DELETE FROM postings WHERE learner = ?1 AND kind = ?2 AND name = ?3 AND live = ?4
                 AND evidence_at = ?5 AND lesson = ?6"
        }
    })?;
    let (live, at) = (lesson.status.is_live(), lesson.evidence_at);
    for trigger in &lesson.triggers {
        let row = params![learner, "trigger", trigger.0, live, Moment(at), lesson.id.0];
        statement.execute(row)?;
    }
    for tag in &lesson.tags {
        statement.execute(params![learner, "tag", tag, live, Moment(at), lesson.id.0])?;
    }
    let place = &lesson.place;
    for (kind, name) in [
        ("task", &place.task),
        ("domain", &place.domain),
        ("tool", &place.tool),
    ] {
        if let Some(name) = name {
            statement.execute(params![learner, kind, name, live, Moment(at), lesson.id.0])?;
        }
    }
    Ok(())
}

fn add_source(tx: &Transaction<'_>, learner: i64, source: &LessonSource) -> Work<()> {
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

fn add_conflict(tx: &Transaction<'_>, learner: i64, conflict: &Conflict) -> Work<()> {
    tx.prepare_cached(
        "INSERT INTO conflicts (learner, first, second, reason, at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (learner, first, second) DO NOTHING",
    )?
    .execute(params![
        learner,
        conflict.first.0,
        conflict.second.0,
        conflict.reason,
        Moment(conflict.at),
    ])?;
    Ok(())
}

fn add_activation(tx: &Transaction<'_>, learner: i64, row: &ActivationRow) -> Work<()> {
    let activation = &row.activation;
    let outcome = activation.outcome.as_ref();
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
        outcome.map(|outcome| sign(outcome.utility)),
        outcome.map(Json),
        Json(&activation.beat),
        Json(&row.triggers),
        row.explanation,
    ])?;
    Ok(())
}

fn sign(utility: f64) -> i64 {
    i64::from(utility > 0.0) - i64::from(utility < 0.0)
}

fn add_decision(tx: &Transaction<'_>, learner: i64, decision: &Decision) -> Work<()> {
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

fn add_review(tx: &Transaction<'_>, learner: i64, review: &Review) -> Work<()> {
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

/// A receipt that is there is never written over: the constraint refuses it.
pub(super) fn add_receipt(
    tx: &Transaction<'_>,
    learner: i64,
    receipt: &OperationReceipt,
) -> Work<()> {
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
