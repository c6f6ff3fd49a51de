//! Finding lessons: by id, by the fingerprint that triggers them, and around a question.
//!
//! Every list is read from the front of an index and stops at its limit.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{OptionalExtension, Transaction, params};

use super::gather::all;
use super::rows::{lesson_columns, read_conflict, read_lesson};
use crate::error::Work;
use crate::rows::{Json, Moment, Whole};
use mnemograph_domain::lesson::ids::{FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::{Lesson, Owner};
use mnemograph_domain::lesson::numbers::WalkLimits;
use mnemograph_domain::lesson::retrieval::view::{Sibling, TagCount};
use mnemograph_domain::timestamp::Timestamp;
use mnemograph_store::lessons::TRIGGERED_MAX;
use mnemograph_store::lessons::reading::{
    LessonsFound, Neighbourhood, NeighbourhoodAsk, Start, TagNeighbours,
};
use mnemograph_store::lessons::rows::Conflict;

pub(super) fn lesson_by_id(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &Owner,
    id: LessonId,
) -> Work<Option<Lesson>> {
    let sql = concat!(
        "SELECT ",
        lesson_columns!(),
        " FROM lessons l WHERE l.learner = ?1 AND l.id = ?2"
    );
    let mut statement = tx.prepare_cached(sql)?;
    let read = |row: &rusqlite::Row<'_>| read_lesson(row, owner);
    Ok(statement
        .query_row(params![learner, id.0], read)
        .optional()?)
}

/// Reads lessons in the order of the ids, each once, with the conflicts among them.
pub(super) fn by_ids(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &Owner,
    ids: &[LessonId],
) -> Work<LessonsFound> {
    let mut seen = BTreeSet::new();
    let mut lessons = Vec::new();
    for id in ids {
        if seen.insert(*id) {
            lessons.extend(lesson_by_id(tx, learner, owner, *id)?);
        }
    }
    Ok(LessonsFound {
        conflicts: conflicts_among(tx, learner, lessons.iter().map(|lesson| lesson.id))?,
        lessons,
    })
}

/// The conflicts of which both lessons are among these, ascending.
pub(super) fn conflicts_among(
    tx: &Transaction<'_>,
    learner: i64,
    ids: impl Iterator<Item = LessonId>,
) -> Work<Vec<Conflict>> {
    let ids: BTreeSet<LessonId> = ids.collect();
    let mut found = Vec::new();
    for id in &ids {
        let sql = "SELECT first, second, reason, at FROM conflicts
             WHERE learner = ?1 AND first = ?2 ORDER BY second";
        let rows = all(tx, sql, params![learner, id.0], read_conflict)?;
        found.extend(rows.into_iter().filter(|row| ids.contains(&row.second)));
    }
    Ok(found)
}

/// Reads the live lessons that fingerprints trigger, each once.
pub(super) fn triggered_by(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &Owner,
    ids: &[FingerprintId],
    limit: usize,
) -> Work<LessonsFound> {
    let mut wanted = Vec::new();
    for id in ids {
        wanted.extend(posted(tx, (learner, "trigger", &id.0), limit)?);
    }
    let wanted: Vec<LessonId> = wanted.into_iter().map(|(_, id)| id).collect();
    by_ids(tx, learner, owner, &wanted)
}

/// Reads the lessons that fingerprints trigger in any status: those out of use, then the newest.
pub(super) fn ever_triggered_by(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &Owner,
    ids: &[FingerprintId],
) -> Work<Vec<Lesson>> {
    let mut wanted: BTreeSet<(bool, std::cmp::Reverse<Timestamp>, LessonId)> = BTreeSet::new();
    for id in ids {
        let sql = "SELECT live, evidence_at, lesson FROM postings
             WHERE learner = ?1 AND kind = 'trigger' AND name = ?2
             ORDER BY live, evidence_at DESC, lesson LIMIT ?3";
        let params = params![learner, id.0, TRIGGERED_MAX as i64];
        let read = |row: &rusqlite::Row<'_>| {
            let at = row.get::<_, Moment>(1)?.0;
            Ok((row.get(0)?, std::cmp::Reverse(at), LessonId(row.get(2)?)))
        };
        wanted.extend(all(tx, sql, params, read)?);
    }
    let wanted = wanted.into_iter().take(TRIGGERED_MAX);
    let lessons = wanted.map(|(.., id)| lesson_by_id(tx, learner, owner, id));
    lessons.filter_map(Result::transpose).collect()
}

/// What a posting is found by: learner, kind, and the name as it is stored.
type Key<'k> = (i64, &'k str, &'k dyn rusqlite::ToSql);

/// The first live lessons behind a name: newest evidence first, then by id.
fn posted(
    tx: &Transaction<'_>,
    (learner, kind, name): Key<'_>,
    limit: usize,
) -> Work<Vec<(Timestamp, LessonId)>> {
    let sql = "SELECT evidence_at, lesson FROM postings
         WHERE learner = ?1 AND kind = ?2 AND name = ?3 AND live = 1
         ORDER BY evidence_at DESC, lesson LIMIT ?4";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(tx, sql, params![learner, kind, name, limit], |row| {
        Ok((row.get::<_, Moment>(0)?.0, LessonId(row.get(1)?)))
    })
}

fn ids_of(rows: Vec<(Timestamp, LessonId)>) -> Vec<LessonId> {
    rows.into_iter().map(|(_, id)| id).collect()
}

/// Reads the ids around a question.
pub(super) fn neighbourhood(
    tx: &Transaction<'_>,
    learner: i64,
    ask: &NeighbourhoodAsk,
) -> Work<Neighbourhood> {
    let limits = &ask.limits;
    let fingerprints = tx
        .prepare_cached("SELECT fingerprints FROM learners WHERE learner = ?1")?
        .query_row([learner], |row| row.get::<_, Whole>(0))?
        .0;
    let mut starts = Vec::new();
    for id in ask.starts.iter().take(limits.starts) {
        starts.extend(start(tx, learner, *id, limits)?);
    }
    let mut rarest: BTreeSet<(u64, String)> = BTreeSet::new();
    for name in &ask.tags {
        rarest.extend(count(tx, learner, name)?.map(|row| (row.fingerprints, row.tag)));
    }
    let own = starts.iter().flat_map(|start| &start.tags);
    rarest.extend(own.map(|row| (row.fingerprints, row.tag.clone())));
    rarest.retain(|(_, tag)| !ask.without.contains(tag));
    let mut tags = Vec::new();
    for (fingerprints, tag) in rarest.into_iter().take(limits.tags) {
        let tag = TagCount { tag, fingerprints };
        tags.push(behind(tx, learner, tag, limits)?);
    }
    Ok(Neighbourhood {
        fingerprints,
        starts,
        tags,
        places: places(tx, learner, ask)?,
    })
}

fn count(tx: &Transaction<'_>, learner: i64, tag: &str) -> Work<Option<TagCount>> {
    let mut statement =
        tx.prepare_cached("SELECT fingerprints FROM tags WHERE learner = ?1 AND name = ?2")?;
    let found = statement
        .query_row(params![learner, tag], |row| row.get::<_, Whole>(0))
        .optional()?;
    Ok(found.map(|fingerprints| TagCount {
        tag: tag.to_owned(),
        fingerprints: fingerprints.0,
    }))
}

fn start(
    tx: &Transaction<'_>,
    learner: i64,
    id: FingerprintId,
    limits: &WalkLimits,
) -> Work<Option<Start>> {
    let names: Option<Vec<String>> = tx
        .prepare_cached("SELECT tags FROM fingerprints WHERE learner = ?1 AND id = ?2")?
        .query_row(params![learner, id.0], |row| {
            Ok(row.get::<_, Json<_>>(0)?.0)
        })
        .optional()?;
    let Some(names) = names else {
        return Ok(None);
    };
    let counts = names.iter().map(|name| count(tx, learner, name));
    let tags = counts.filter_map(Result::transpose).collect::<Work<_>>()?;
    let lessons = posted(tx, (learner, "trigger", &id.0), limits.lessons_per_start)?;
    Ok(Some(Start {
        id,
        tags,
        lessons: ids_of(lessons),
    }))
}

fn behind(
    tx: &Transaction<'_>,
    learner: i64,
    count: TagCount,
    limits: &WalkLimits,
) -> Work<TagNeighbours> {
    let sql = "SELECT t.fingerprint, f.normalised FROM fingerprint_tags t
         JOIN fingerprints f ON f.learner = t.learner AND f.id = t.fingerprint
         WHERE t.learner = ?1 AND t.tag = ?2 AND t.live = 1
         ORDER BY t.fingerprint LIMIT ?3";
    let params = params![learner, count.tag, limits.siblings_per_tag as i64];
    let found = all(tx, sql, params, |row| {
        Ok(Sibling {
            id: FingerprintId(row.get(0)?),
            normalised: row.get(1)?,
        })
    })?;
    let mut siblings = Vec::new();
    for sibling in found {
        let key: Key<'_> = (learner, "trigger", &sibling.id.0);
        let lessons = ids_of(posted(tx, key, limits.lessons_per_sibling)?);
        siblings.push((sibling, lessons));
    }
    let lessons = posted(tx, (learner, "tag", &count.tag), limits.lessons_per_tag)?;
    Ok(TagNeighbours {
        siblings,
        lessons: ids_of(lessons),
        count,
    })
}

/// The first lessons of the task, the domain and the tool together.
fn places(tx: &Transaction<'_>, learner: i64, ask: &NeighbourhoodAsk) -> Work<Vec<LessonId>> {
    let limit = ask.limits.lessons_per_place;
    let place = &ask.place;
    let mut found: BTreeMap<(std::cmp::Reverse<Timestamp>, LessonId), ()> = BTreeMap::new();
    for (kind, name) in [
        ("task", &place.task),
        ("domain", &place.domain),
        ("tool", &place.tool),
    ] {
        if let Some(name) = name {
            let rows = posted(tx, (learner, kind, name), limit)?;
            found.extend(
                rows.into_iter()
                    .map(|(at, id)| ((std::cmp::Reverse(at), id), ())),
            );
        }
    }
    Ok(found.into_keys().take(limit).map(|(_, id)| id).collect())
}
