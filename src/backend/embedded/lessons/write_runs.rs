//! Writing runs and their steps. The body of a step is kept once, under its hash.

use rusqlite::{Transaction, params};

use crate::error::Result;
use crate::rows::{Json, Moment, Whole, unwritable};
use hindlore_store::lessons::form::RunLists;
use hindlore_store::lessons::rows::{RunRow, StepRow};

/// Inserts or replaces a run.
pub(super) fn put_run(tx: &Transaction<'_>, learner: i64, run: &RunRow) -> Result<()> {
    let (end, fields) = (run.end.as_ref(), &run.trajectory);
    let lists = end.map(RunLists::new).transpose().map_err(unwritable)?;
    let lists = lists.as_ref();
    tx.prepare_cached(
        "INSERT INTO runs (learner, id, task, domain, tool, intent, control, allowed_steps, steps,
             changes, started_at, last_at, ended_at, idle, passed, score, occurrences, in_force,
             followed, metrics, subjects, trajectory, task_type, agent, user, parent, status,
             relearning, due_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29)
         ON CONFLICT (learner, id) DO UPDATE SET
             task = excluded.task, domain = excluded.domain, tool = excluded.tool,
             intent = excluded.intent, control = excluded.control,
             allowed_steps = excluded.allowed_steps, steps = excluded.steps,
             changes = excluded.changes, started_at = excluded.started_at,
             last_at = excluded.last_at, ended_at = excluded.ended_at, idle = excluded.idle,
             passed = excluded.passed, score = excluded.score,
             occurrences = excluded.occurrences, in_force = excluded.in_force,
             followed = excluded.followed, metrics = excluded.metrics,
             subjects = excluded.subjects, trajectory = excluded.trajectory,
             task_type = excluded.task_type, agent = excluded.agent, user = excluded.user,
             parent = excluded.parent, status = excluded.status,
             relearning = excluded.relearning, due_at = excluded.due_at",
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
        end.map(|end| Json(&end.subjects)),
        Json(fields),
        fields.task_type,
        fields.agent,
        fields.user,
        fields.parent,
        run.status().map(|status| status.word()),
        fields.relearning,
        fields.due_at.map(Moment),
    ])?;
    tx.prepare_cached("UPDATE raised SET ended_at = ?3 WHERE learner = ?1 AND run = ?2")?
        .execute(params![learner, run.id, end.map(|end| Moment(end.at))])?;
    Ok(())
}

/// Inserts a step, if absent, and its body, if no other step has it.
pub(super) fn add_step(tx: &Transaction<'_>, learner: i64, step: &StepRow) -> Result<()> {
    let hash = step.body_hash();
    let added = tx
        .prepare_cached(
            "INSERT INTO steps (learner, run, step, action, plan_step, failed, followed, at, id, kind, body)
             VALUES (?1, ?2, ?3, '', ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (learner, run, step) DO NOTHING",
        )?
        .execute(params![
            learner,
            step.run,
            step.step,
            step.plan_step,
            step.failed,
            Json(&step.followed),
            Moment(step.at),
            step.id,
            step.kind.word(),
            hash,
        ])?;
    // A known step has its body already.
    if added == 0 {
        return Ok(());
    }
    tx.prepare_cached(
        "INSERT INTO step_bodies (learner, hash, action, description, metadata)
         VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        learner,
        hash,
        step.action,
        step.description,
        step.metadata
    ])?;
    Ok(())
}

/// Deletes the steps of a run, with the bodies that no other step has.
pub(super) fn delete_steps(tx: &Transaction<'_>, learner: i64, run: &str) -> Result<()> {
    // Bodies first, because only the steps of the run lead to them.
    tx.prepare_cached(
        "DELETE FROM step_bodies WHERE learner = ?1
             AND hash IN (SELECT body FROM steps WHERE learner = ?1 AND run = ?2)
             AND NOT EXISTS (SELECT 1 FROM steps s WHERE s.learner = ?1 AND s.body = step_bodies.hash
                 AND s.run <> ?2)",
    )?
    .execute(params![learner, run])?;
    tx.prepare_cached("DELETE FROM steps WHERE learner = ?1 AND run = ?2")?
        .execute(params![learner, run])?;
    Ok(())
}

/// Takes the texts of a run's errors away; their fingerprints, channels, tags, numbers and times stay.
pub(super) fn empty_errors(tx: &Transaction<'_>, learner: i64, run: &str) -> Result<()> {
    tx.prepare_cached(
        "UPDATE errors SET error_text = '', state = '', action = '', state_after = '', reason = ''
         WHERE learner = ?1 AND run = ?2",
    )?
    .execute(params![learner, run])?;
    Ok(())
}
