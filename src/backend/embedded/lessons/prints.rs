//! Fingerprints and tags with their kept counts, and which fingerprints are siblings: those with a tag
//! that trigger a live lesson.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::Work;
use crate::rows::{Json, Moment};
use mnemograph_domain::lesson::event::ErrorEvent;
use mnemograph_domain::lesson::fingerprint::Fingerprint;
use mnemograph_domain::lesson::ids::FingerprintId;
use mnemograph_store::lessons::TAGS_MAX;

/// Makes a fingerprint unless it is there; gives it the tags and the text that it lacks.
pub(super) fn know(
    tx: &Transaction<'_>,
    learner: i64,
    fingerprint: &Fingerprint,
    tags: &[String],
) -> Work<()> {
    let id = fingerprint.id;
    let known: Option<(Vec<String>, bool)> = tx
        .prepare_cached(
            "SELECT tags, normalised = '' FROM fingerprints WHERE learner = ?1 AND id = ?2",
        )?
        .query_row(params![learner, id.0], |row| {
            Ok((row.get::<_, Json<_>>(0)?.0, row.get(1)?))
        })
        .optional()?;
    let is_new = known.is_none();
    let (mut own, without_text) = known.unwrap_or_default();
    let missing: BTreeSet<&String> = tags.iter().filter(|tag| !own.contains(tag)).collect();
    let room = TAGS_MAX.saturating_sub(own.len());
    let missing: Vec<String> = missing.into_iter().take(room).cloned().collect();
    own.extend(missing.iter().cloned());
    own.sort_unstable();
    if is_new {
        tx.prepare_cached(
            "INSERT INTO fingerprints (learner, id, normalised, tags, events, runs)
             VALUES (?1, ?2, ?3, ?4, 0, 0)",
        )?
        .execute(params![learner, id.0, fingerprint.normalised, Json(&own)])?;
        tx.prepare_cached(
            "UPDATE learners SET fingerprints = fingerprints + 1 WHERE learner = ?1",
        )?
        .execute([learner])?;
    } else if !missing.is_empty() || (without_text && !fingerprint.normalised.is_empty()) {
        tx.prepare_cached(
            "UPDATE fingerprints SET tags = ?3, normalised = iif(normalised = '', ?4, normalised)
             WHERE learner = ?1 AND id = ?2",
        )?
        .execute(params![learner, id.0, Json(&own), fingerprint.normalised])?;
    }
    for tag in &missing {
        tie(tx, learner, id, tag)?;
    }
    Ok(())
}

/// Makes a fingerprint of which only the identity is known.
pub(super) fn know_trigger(tx: &Transaction<'_>, learner: i64, id: FingerprintId) -> Work<()> {
    let normalised = String::new();
    know(tx, learner, &Fingerprint { id, normalised }, &[])
}

fn tie(tx: &Transaction<'_>, learner: i64, id: FingerprintId, tag: &str) -> Work<()> {
    tx.prepare_cached(
        "INSERT INTO tags (learner, name, fingerprints) VALUES (?1, ?2, 1)
         ON CONFLICT (learner, name) DO UPDATE SET fingerprints = fingerprints + 1",
    )?
    .execute(params![learner, tag])?;
    tx.prepare_cached(
        "INSERT INTO fingerprint_tags (learner, tag, fingerprint, live)
         VALUES (?1, ?2, ?3, EXISTS (SELECT 1 FROM postings
             WHERE learner = ?1 AND kind = 'trigger' AND name = ?3 AND live = 1))",
    )?
    .execute(params![learner, tag, id.0])?;
    Ok(())
}

/// Takes a new event into its fingerprints: text, tags, counts, and the run that raised them.
pub(super) fn note_event(tx: &Transaction<'_>, learner: i64, event: &ErrorEvent) -> Work<()> {
    let fine = &event.fingerprints.fine;
    let coarse = Some(&event.fingerprints.coarse).filter(|coarse| coarse.id != fine.id);
    for fingerprint in [Some(fine), coarse].into_iter().flatten() {
        know(tx, learner, fingerprint, &event.tags)?;
        let id = fingerprint.id;
        let at = Moment(event.at);
        tx.prepare_cached(
            "INSERT INTO matches (learner, fingerprint, at, error) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![learner, id.0, at, event.id.0])?;
        let is_new = tx
            .prepare_cached(
                "INSERT INTO raised (learner, run, fingerprint, first_step, ended_at)
                 VALUES (?1, ?2, ?3, ?4, (SELECT ended_at FROM runs WHERE learner = ?1 AND id = ?2))
                 ON CONFLICT (learner, run, fingerprint) DO NOTHING",
            )?
            .execute(params![learner, event.run, id.0, event.step])?
            == 1;
        if !is_new {
            tx.prepare_cached(
                "UPDATE raised SET first_step = min(first_step, ?4)
                 WHERE learner = ?1 AND run = ?2 AND fingerprint = ?3",
            )?
            .execute(params![learner, event.run, id.0, event.step])?;
        }
        tx.prepare_cached(
            "UPDATE fingerprints SET events = events + 1, runs = runs + ?3,
                 first_at = min(coalesce(first_at, ?4), ?4),
                 last_at = max(coalesce(last_at, ?4), ?4)
             WHERE learner = ?1 AND id = ?2",
        )?
        .execute(params![learner, id.0, is_new, Moment(event.at)])?;
    }
    Ok(())
}

/// Notes on the tags of fingerprints whether they trigger a live lesson now.
pub(super) fn refresh_siblings(
    tx: &Transaction<'_>,
    learner: i64,
    fingerprints: &BTreeSet<FingerprintId>,
) -> Work<()> {
    for id in fingerprints {
        let live: bool = tx
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM postings
                     WHERE learner = ?1 AND kind = 'trigger' AND name = ?2 AND live = 1)",
            )?
            .query_row(params![learner, id.0], |row| row.get(0))?;
        tx.prepare_cached(
            "UPDATE fingerprint_tags SET live = ?3
             WHERE learner = ?1 AND fingerprint = ?2 AND live <> ?3
                 AND tag IN (SELECT value FROM json_each(
                     (SELECT tags FROM fingerprints WHERE learner = ?1 AND id = ?2)))",
        )?
        .execute(params![learner, id.0, live])?;
    }
    Ok(())
}
