//! Writing a lesson in place, with the postings by which it is found.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction, params};

use super::prints::know_trigger;
use super::rows::{lesson_columns, read_lesson};
use crate::error::Work;
use crate::rows::{Json, Moment, Whole};
use mnemograph_domain::lesson::ids::FingerprintId;
use mnemograph_domain::lesson::lesson::Lesson;

/// Puts a lesson in place; adds to `touched` the fingerprints that may trigger another number of live
/// lessons than before.
pub(super) fn put_lesson(
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
    let mut statement = tx.prepare_cached(if make {
        "INSERT INTO postings (learner, kind, name, live, evidence_at, lesson)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    } else {
        "DELETE FROM postings WHERE learner = ?1 AND kind = ?2 AND name = ?3 AND live = ?4
                 AND evidence_at = ?5 AND lesson = ?6"
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
