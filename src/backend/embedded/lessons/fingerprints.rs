//! Fingerprints and tags with their stored counters, and the siblings of a tag: its fingerprints that trigger a live
//! lesson.

use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::Result;
use crate::rows::{Json, Moment, Whole};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_primitives::ids::FingerprintId;
use hindlore_store::lessons::projection::{FingerprintChange, NewRaised, levels};
use hindlore_store::lessons::transaction::Raised;

/// True when a fingerprint triggers a live lesson.
pub(super) fn triggers_live(tx: &Transaction<'_>, learner: i64, id: FingerprintId) -> Result<bool> {
    let mut statement = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM postings
             WHERE learner = ?1 AND kind = 'trigger' AND name = ?2 AND live = 1)",
    )?;
    Ok(statement.query_row(params![learner, id.0], |row| row.get(0))?)
}

/// The first step of a run that raised a fingerprint; `None` when no step did.
pub(super) fn first_step(
    tx: &Transaction<'_>,
    learner: i64,
    run: &str,
    id: FingerprintId,
) -> Result<Option<u32>> {
    let mut statement = tx.prepare_cached(
        "SELECT first_step FROM raised WHERE learner = ?1 AND run = ?2 AND fingerprint = ?3",
    )?;
    let step = statement.query_row(params![learner, run, id.0], |row| row.get(0));
    Ok(step.optional()?)
}

/// Inserts or replaces a fingerprint, and adds it to its new tags.
pub(super) fn put(tx: &Transaction<'_>, learner: i64, change: &FingerprintChange) -> Result<()> {
    let row = &change.row;
    let id = row.fingerprint.id;
    tx.prepare_cached(
        "INSERT INTO fingerprints (learner, id, normalised, tags, events, runs, first_at, last_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (learner, id) DO UPDATE SET
             normalised = excluded.normalised, tags = excluded.tags, events = excluded.events,
             runs = excluded.runs, first_at = excluded.first_at, last_at = excluded.last_at",
    )?
    .execute(params![
        learner,
        id.0,
        row.fingerprint.normalised,
        Json(&row.tags),
        Whole(row.events),
        Whole(row.runs),
        row.first_at.map(Moment),
        row.last_at.map(Moment),
    ])?;
    // Kept as a number, because every walk needs it and counting the rows would read them all.
    if change.is_new {
        let sql = "UPDATE learners SET fingerprints = fingerprints + 1 WHERE learner = ?1";
        tx.prepare_cached(sql)?.execute([learner])?;
    }
    for tag in &change.new_tags {
        tx.prepare_cached(
            "INSERT INTO tags (learner, name, fingerprints) VALUES (?1, ?2, 1)
             ON CONFLICT (learner, name) DO UPDATE SET fingerprints = fingerprints + 1",
        )?
        .execute(params![learner, tag])?;
        tx.prepare_cached(
            "INSERT INTO fingerprint_tags (learner, tag, fingerprint, live) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![learner, tag, id.0, change.is_live])?;
    }
    Ok(())
}

/// Lists a new error under its fingerprints.
pub(super) fn list_error(tx: &Transaction<'_>, learner: i64, error: &ErrorEvent) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO matches (learner, fingerprint, at, error) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for fingerprint in levels(error) {
        statement.execute(params![
            learner,
            fingerprint.id.0,
            Moment(error.at),
            error.id.0
        ])?;
    }
    Ok(())
}

/// Records that a run raised a fingerprint for the first time.
pub(super) fn add_raised(tx: &Transaction<'_>, learner: i64, new: &NewRaised) -> Result<()> {
    let raised = &new.raised;
    tx.prepare_cached(
        "INSERT INTO raised (learner, run, fingerprint, first_step, ended_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        learner,
        raised.run,
        raised.fingerprint.0,
        raised.first_step,
        new.ended_at.map(Moment),
    ])?;
    Ok(())
}

/// Moves the first step at which a run raised a fingerprint to an earlier one.
pub(super) fn raise_earlier(tx: &Transaction<'_>, learner: i64, raised: &Raised) -> Result<()> {
    tx.prepare_cached(
        "UPDATE raised SET first_step = ?4 WHERE learner = ?1 AND run = ?2 AND fingerprint = ?3",
    )?
    .execute(params![
        learner,
        raised.run,
        raised.fingerprint.0,
        raised.first_step
    ])?;
    Ok(())
}

/// Updates the tags of a fingerprint with whether it now triggers a live lesson.
pub(super) fn refresh_siblings(
    tx: &Transaction<'_>,
    learner: i64,
    id: FingerprintId,
) -> Result<()> {
    let live = triggers_live(tx, learner, id)?;
    tx.prepare_cached(
        "UPDATE fingerprint_tags SET live = ?3
         WHERE learner = ?1 AND fingerprint = ?2 AND live <> ?3
             AND tag IN (SELECT value FROM json_each(
                 (SELECT tags FROM fingerprints WHERE learner = ?1 AND id = ?2)))",
    )?
    .execute(params![learner, id.0, live])?;
    Ok(())
}
