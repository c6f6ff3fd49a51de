//! Writing lessons and their postings.

use rusqlite::types::ToSql;
use rusqlite::{Statement, Transaction, params};

use crate::error::Result;
use crate::rows::{Json, Moment, Whole};
use hindlore_domain::lesson::lesson::Lesson;
use hindlore_store::lessons::postings::{Posting, PostingList, wrong_form};
use hindlore_store::lessons::projection::PostingChange;

/// Inserts or replaces a lesson.
pub(super) fn write_lesson(tx: &Transaction<'_>, learner: i64, lesson: &Lesson) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO lessons (learner, id, rule, reach, task, domain, tool, status, reliability,
             impact, retrieved, helpful, harmful, created_at, evidence_at, used_at,
             unused_opportunities, restates, triggers, tags, source_runs, history, contests,
             proof, wrong_form)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22, ?23, ?24, ?25)
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
             contests = excluded.contests, proof = excluded.proof,
             wrong_form = excluded.wrong_form",
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
        Json(&lesson.proof),
        wrong_form(&lesson.rule, lesson.status),
    ])?;
    Ok(())
}

/// Inserts and deletes postings of a lesson.
pub(super) fn change_postings(
    tx: &Transaction<'_>,
    learner: i64,
    change: &PostingChange<'_>,
) -> Result<()> {
    let mut delete = tx.prepare_cached(
        "DELETE FROM postings WHERE learner = ?1 AND kind = ?2 AND name = ?3 AND live = ?4
             AND evidence_at = ?5 AND lesson = ?6",
    )?;
    for posting in &change.removed {
        execute(&mut delete, learner, posting)?;
    }
    let mut insert = tx.prepare_cached(
        "INSERT INTO postings (learner, kind, name, live, evidence_at, lesson)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for posting in &change.added {
        execute(&mut insert, learner, posting)?;
    }
    Ok(())
}

fn execute(statement: &mut Statement<'_>, learner: i64, posting: &Posting) -> Result<()> {
    let (kind, name) = list_columns(&posting.list);
    let (live, at) = (posting.is_live, Moment(posting.evidence_at));
    statement.execute(params![learner, kind, name, live, at, posting.lesson.0])?;
    Ok(())
}

/// The values of the columns `kind` and `name` for a list.
pub(super) fn list_columns(list: &PostingList) -> (&'static str, &dyn ToSql) {
    match list {
        PostingList::Trigger(id) => ("trigger", &id.0),
        PostingList::Tag(name) => ("tag", name),
        PostingList::Task(name) => ("task", name),
        PostingList::Domain(name) => ("domain", name),
        PostingList::Tool(name) => ("tool", name),
    }
}
