//! Conversions between columns and runs, errors, lessons and activations.

use rusqlite::Row;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};

use crate::rows::{Json, Moment, Whole, Word};
use hindlore_domain::lesson::activation::Activation;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{Counts, LearnerId, Lesson, Place};
use hindlore_domain::lesson::rule::Rule;
use hindlore_errors::fingerprint::{Fingerprint, Fingerprints};
use hindlore_primitives::ids::{ActivationId, EventId, FingerprintId, LessonId};
use hindlore_store::lessons::form::RunLists;
use hindlore_store::lessons::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, OperationReceipt, Review, RunEnd,
    RunRow, StepRow,
};

/// A rule, without its limits: they were checked when it was written.
pub(super) struct StoredRule(pub(super) Rule);

impl FromSql for StoredRule {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Rule::parse(value.as_str()?)
            .map(Self)
            .map_err(|error| FromSqlError::Other(error.into()))
    }
}

fn damaged(error: serde_json::Error) -> rusqlite::Error {
    FromSqlError::Other(error.into()).into()
}

fn place(row: &Row<'_>, at: usize) -> rusqlite::Result<Place> {
    Ok(Place {
        task: row.get(at)?,
        domain: row.get(at + 1)?,
        tool: row.get(at + 2)?,
    })
}

/// The columns of a run, in the order of [`read_run`].
macro_rules! run_columns {
    () => {
        "id, task, domain, tool, intent, control, allowed_steps, steps, changes, started_at, \
         last_at, ended_at, idle, passed, score, occurrences, in_force, followed, metrics, \
         subjects, trajectory"
    };
}
pub(super) use run_columns;

/// Reads a run from the columns of [`run_columns`].
pub(super) fn read_run(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let ended = row.get::<_, Option<Moment>>(11)?;
    let end = match ended {
        None => None,
        Some(at) => Some(RunEnd {
            at: at.0,
            idle: row.get(12)?,
            passed: row.get(13)?,
            score: row.get(14)?,
            occurrences: RunLists::occurrences(row.get_ref(15)?.as_str()?).map_err(damaged)?,
            in_force: RunLists::in_force(row.get_ref(16)?.as_str()?).map_err(damaged)?,
            followed: RunLists::followed(row.get_ref(17)?.as_str()?).map_err(damaged)?,
            metrics: row.get(18)?,
            subjects: row
                .get::<_, Option<Json<_>>>(19)?
                .map(|subjects| subjects.0)
                .unwrap_or_default(),
        }),
    };
    Ok(RunRow {
        id: row.get(0)?,
        place: place(row, 1)?,
        intent: row.get(4)?,
        control: row.get(5)?,
        allowed_steps: row.get(6)?,
        steps: row.get(7)?,
        changes: row.get::<_, Whole>(8)?.0,
        started_at: row.get::<_, Moment>(9)?.0,
        last_at: row.get::<_, Moment>(10)?.0,
        end,
        trajectory: row
            .get::<_, Option<Json<_>>>(20)?
            .map(|fields| fields.0)
            .unwrap_or_default(),
    })
}

/// The columns of a step `s` with its body `b`, in the order of [`read_step`].
macro_rules! step_columns {
    () => {
        "s.run, s.step, coalesce(b.action, s.action), s.plan_step, s.failed, s.followed, s.at, s.id, \
         s.kind, coalesce(b.description, ''), b.metadata"
    };
}
pub(super) use step_columns;

/// The steps `s` with their bodies `b`.
macro_rules! steps_with_bodies {
    () => {
        " FROM steps s LEFT JOIN step_bodies b ON b.learner = s.learner AND b.hash = s.body "
    };
}
pub(super) use steps_with_bodies;

/// Reads a step from the columns of [`step_columns`].
pub(super) fn read_step(row: &Row<'_>) -> rusqlite::Result<StepRow> {
    Ok(StepRow {
        run: row.get(0)?,
        step: row.get(1)?,
        action: row.get(2)?,
        plan_step: row.get(3)?,
        failed: row.get(4)?,
        followed: row.get::<_, Json<_>>(5)?.0,
        at: row.get::<_, Moment>(6)?.0,
        id: row.get(7)?,
        kind: row.get::<_, Word<_>>(8)?.0,
        description: row.get(9)?,
        metadata: row.get(10)?,
    })
}

/// The columns of an error `e` with those of its two fingerprints `f` and `c`, in the order of
/// [`read_error`].
macro_rules! error_columns {
    () => {
        "e.id, e.run, e.step, e.fine, e.coarse, e.task, e.domain, e.tool, e.at, e.channels, \
         e.tags, e.progress, e.efficiency, e.failed_constraints, e.reason, e.error_text, e.state, \
         e.action, e.state_after, \
         (SELECT normalised FROM fingerprints WHERE learner = e.learner AND id = e.fine), \
         (SELECT normalised FROM fingerprints WHERE learner = e.learner AND id = e.coarse)"
    };
}
pub(super) use error_columns;

/// Reads an error from the columns of [`error_columns`].
pub(super) fn read_error(row: &Row<'_>, owner: &LearnerId) -> rusqlite::Result<ErrorEvent> {
    let print = |id: usize, text: usize| -> rusqlite::Result<Fingerprint> {
        Ok(Fingerprint {
            id: FingerprintId(row.get(id)?),
            normalised: row.get(text)?,
        })
    };
    Ok(ErrorEvent {
        id: EventId(row.get(0)?),
        owner: owner.clone(),
        run: row.get(1)?,
        step: row.get(2)?,
        channels: row.get::<_, Json<_>>(9)?.0,
        error: row.get(15)?,
        state: row.get(16)?,
        action: row.get(17)?,
        state_after: row.get(18)?,
        reason: row.get(14)?,
        place: place(row, 5)?,
        tags: row.get::<_, Json<_>>(10)?.0,
        fingerprints: Fingerprints {
            fine: print(3, 19)?,
            coarse: print(4, 20)?,
        },
        progress: row.get(11)?,
        efficiency: row.get(12)?,
        failed_constraints: row.get::<_, Json<_>>(13)?.0,
        at: row.get::<_, Moment>(8)?.0,
    })
}

/// The columns of a lesson `l`, in the order of [`read_lesson`].
macro_rules! lesson_columns {
    () => {
        "l.id, l.rule, l.reach, l.task, l.domain, l.tool, l.status, l.reliability, l.impact, \
         l.retrieved, l.helpful, l.harmful, l.created_at, l.evidence_at, l.used_at, \
         l.unused_opportunities, l.restates, l.triggers, l.tags, l.source_runs, l.history, \
         l.contests, l.proof"
    };
}
pub(super) use lesson_columns;

/// Reads a lesson from the columns of [`lesson_columns`].
pub(super) fn read_lesson(row: &Row<'_>, owner: &LearnerId) -> rusqlite::Result<Lesson> {
    Ok(Lesson {
        id: LessonId(row.get(0)?),
        owner: owner.clone(),
        rule: row.get::<_, StoredRule>(1)?.0,
        reach: row.get::<_, Word<_>>(2)?.0,
        place: place(row, 3)?,
        status: row.get::<_, Word<_>>(6)?.0,
        reliability: row.get(7)?,
        impact: row.get(8)?,
        counts: Counts {
            retrieved: row.get::<_, Whole>(9)?.0,
            helpful: row.get::<_, Whole>(10)?.0,
            harmful: row.get::<_, Whole>(11)?.0,
        },
        created_at: row.get::<_, Moment>(12)?.0,
        evidence_at: row.get::<_, Moment>(13)?.0,
        used_at: row.get::<_, Option<Moment>>(14)?.map(|moment| moment.0),
        unused_opportunities: row.get(15)?,
        restates: row.get::<_, Option<[u8; 10]>>(16)?.map(LessonId),
        triggers: row.get::<_, Json<_>>(17)?.0,
        tags: row.get::<_, Json<_>>(18)?.0,
        source_runs: row.get::<_, Json<_>>(19)?.0,
        history: row.get::<_, Json<_>>(20)?.0,
        contests: row.get::<_, Json<_>>(21)?.0,
        proof: row.get::<_, Json<_>>(22)?.0,
    })
}

/// The columns of an activation, in the order of [`read_activation`].
macro_rules! activation_columns {
    () => {
        "id, run, lesson, moment, step, trigger_id, trigger_level, lane, score, withheld, at, \
         outcome, beat, triggers, explanation"
    };
}
pub(super) use activation_columns;

/// Reads an activation from the columns of [`activation_columns`].
pub(super) fn read_activation(row: &Row<'_>) -> rusqlite::Result<ActivationRow> {
    let trigger = row.get::<_, Option<[u8; 10]>>(5)?.map(FingerprintId);
    let level = row.get::<_, Option<Word<_>>>(6)?.map(|level| level.0);
    let activation = Activation {
        id: ActivationId(row.get(0)?),
        run: row.get(1)?,
        lesson: LessonId(row.get(2)?),
        moment: row.get::<_, Word<_>>(3)?.0,
        step: row.get(4)?,
        trigger: trigger.zip(level),
        lane: row.get::<_, Word<_>>(7)?.0,
        score: row.get(8)?,
        withheld: row.get(9)?,
        beat: row.get::<_, Json<_>>(12)?.0,
        at: row.get::<_, Moment>(10)?.0,
        outcome: row.get::<_, Option<Json<_>>>(11)?.map(|outcome| outcome.0),
    };
    Ok(ActivationRow {
        activation,
        triggers: row.get::<_, Json<_>>(13)?.0,
        explanation: row.get(14)?,
    })
}

/// Reads a fingerprint from id, normalised, tags, events, runs, first_at, last_at.
pub(super) fn read_fingerprint(row: &Row<'_>) -> rusqlite::Result<FingerprintRow> {
    Ok(FingerprintRow {
        fingerprint: Fingerprint {
            id: FingerprintId(row.get(0)?),
            normalised: row.get(1)?,
        },
        tags: row.get::<_, Json<_>>(2)?.0,
        events: row.get::<_, Whole>(3)?.0,
        runs: row.get::<_, Whole>(4)?.0,
        first_at: row.get::<_, Option<Moment>>(5)?.map(|moment| moment.0),
        last_at: row.get::<_, Option<Moment>>(6)?.map(|moment| moment.0),
    })
}

/// Reads a conflict from first, second, reason, at, settled.
pub(super) fn read_conflict(row: &Row<'_>) -> rusqlite::Result<Conflict> {
    Ok(Conflict {
        first: LessonId(row.get(0)?),
        second: LessonId(row.get(1)?),
        reason: row.get(2)?,
        at: row.get::<_, Moment>(3)?.0,
        settled: row.get::<_, Option<Json<_>>>(4)?.map(|settled| settled.0),
    })
}

/// Reads a source from lesson, run, origin, steps, events, at.
pub(super) fn read_source(row: &Row<'_>) -> rusqlite::Result<LessonSource> {
    Ok(LessonSource {
        lesson: LessonId(row.get(0)?),
        run: row.get(1)?,
        origin: row.get::<_, Word<_>>(2)?.0,
        steps: row.get::<_, Json<_>>(3)?.0,
        events: row.get::<_, Json<_>>(4)?.0,
        at: row.get::<_, Moment>(5)?.0,
    })
}

/// Reads a review from id, lesson, from_status, to_status, author, note, at.
pub(super) fn read_review(row: &Row<'_>) -> rusqlite::Result<Review> {
    Ok(Review {
        id: row.get(0)?,
        lesson: LessonId(row.get(1)?),
        from: row.get::<_, Word<_>>(2)?.0,
        to: row.get::<_, Word<_>>(3)?.0,
        author: row.get(4)?,
        note: row.get(5)?,
        at: row.get::<_, Moment>(6)?.0,
    })
}

/// Reads a receipt from operation, body_digest, answer, at.
pub(super) fn read_receipt(row: &Row<'_>) -> rusqlite::Result<OperationReceipt> {
    Ok(OperationReceipt {
        operation: row.get(0)?,
        body_digest: row.get(1)?,
        answer: row.get(2)?,
        at: row.get::<_, Moment>(3)?.0,
    })
}
