//! Finding lessons: by id, by trigger, and around a query.
//!
//! Every list is read from the front of an index until its limit.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction, params};

use super::by_name::lesson_by_id;
use super::postings::list_columns;
use super::rows::read_conflict;
use crate::error::Result;
use crate::rows::{Json, Moment, Whole, all};
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Status};
use hindlore_domain::lesson::lesson_policy::WalkLimits;
use hindlore_domain::lesson::retrieval::view::{Sibling, TagCount};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::postings::{PostingList, place_lists};
use hindlore_store::lessons::reading::{
    LessonsFound, Neighbourhood, NeighbourhoodAsk, Start, TagNeighbours,
};
use hindlore_store::lessons::rows::Conflict;
use hindlore_store::lessons::{TRIGGERED_MAX, WRONG_FORMS_MAX};

/// Reads lessons in the order of the ids, each once, with the conflicts among them.
pub(super) fn by_ids(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    ids: &[LessonId],
) -> Result<LessonsFound> {
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

/// The conflicts between two of these lessons, ascending by pair.
pub(super) fn conflicts_among(
    tx: &Transaction<'_>,
    learner: i64,
    ids: impl Iterator<Item = LessonId>,
) -> Result<Vec<Conflict>> {
    let ids: BTreeSet<LessonId> = ids.collect();
    let mut found = Vec::new();
    // A pair is stored under its smaller id, so looking up by the first id finds each pair once.
    for id in &ids {
        let sql = "SELECT first, second, reason, at, settled FROM conflicts
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
    owner: &LearnerId,
    ids: &[FingerprintId],
    limit: usize,
) -> Result<LessonsFound> {
    let mut wanted = Vec::new();
    for id in ids {
        wanted.extend(posted(tx, learner, &PostingList::Trigger(*id), limit)?);
    }
    let wanted: Vec<LessonId> = wanted.into_iter().map(|(_, id)| id).collect();
    by_ids(tx, learner, owner, &wanted)
}

/// Reads the watched lessons of wrong forms; a lesson has one key, so none comes twice for keys that differ.
pub(super) fn of_wrong_forms(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    keys: &[String],
    limit: usize,
) -> Result<LessonsFound> {
    let any = "SELECT EXISTS (SELECT 1 FROM lessons WHERE learner = ?1 AND wrong_form = ?2)";
    let sql = "SELECT id FROM lessons WHERE learner = ?1 AND wrong_form = ?2 AND status = ?4
         ORDER BY evidence_at DESC, id LIMIT ?3";
    let mut wanted = Vec::new();
    for key in keys {
        // Most keys of an action lead nowhere, so one probe comes before a query for each status.
        let mut probe = tx.prepare_cached(any)?;
        if !probe.query_row(params![learner, key], |row| row.get::<_, bool>(0))? {
            continue;
        }
        let mut left = limit;
        for status in Status::WATCHED {
            // One bound for all keys together: each has the rest that those before it left.
            let most = left.min(WRONG_FORMS_MAX.saturating_sub(wanted.len()));
            let params = params![learner, key, most as i64, status.word()];
            let found = all(tx, sql, params, |row| Ok(LessonId(row.get(0)?)))?;
            left -= found.len();
            wanted.extend(found);
        }
    }
    by_ids(tx, learner, owner, &wanted)
}

/// Reads the lessons that fingerprints trigger, in any status: those out of use first, then newest evidence first.
pub(super) fn ever_triggered_by(
    tx: &Transaction<'_>,
    learner: i64,
    owner: &LearnerId,
    ids: &[FingerprintId],
) -> Result<Vec<Lesson>> {
    let mut wanted: BTreeSet<(bool, Reverse<Timestamp>, LessonId)> = BTreeSet::new();
    for id in ids {
        let sql = "SELECT live, evidence_at, lesson FROM postings
             WHERE learner = ?1 AND kind = 'trigger' AND name = ?2
             ORDER BY live, evidence_at DESC, lesson LIMIT ?3";
        let params = params![learner, id.0, TRIGGERED_MAX as i64];
        let read = |row: &rusqlite::Row<'_>| {
            let at = row.get::<_, Moment>(1)?.0;
            Ok((row.get(0)?, Reverse(at), LessonId(row.get(2)?)))
        };
        wanted.extend(all(tx, sql, params, read)?);
    }
    // Bounded over all fingerprints together; the order of the set decides which lessons stay.
    let wanted = wanted.into_iter().take(TRIGGERED_MAX);
    let lessons = wanted.map(|(.., id)| lesson_by_id(tx, learner, owner, id));
    lessons.filter_map(Result::transpose).collect()
}

/// The first `limit` live lessons of a list: newest evidence first, then by id.
fn posted(
    tx: &Transaction<'_>,
    learner: i64,
    list: &PostingList,
    limit: usize,
) -> Result<Vec<(Timestamp, LessonId)>> {
    let sql = "SELECT evidence_at, lesson FROM postings
         WHERE learner = ?1 AND kind = ?2 AND name = ?3 AND live = 1
         ORDER BY evidence_at DESC, lesson LIMIT ?4";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let (kind, name) = list_columns(list);
    all(tx, sql, params![learner, kind, name, limit], |row| {
        Ok((row.get::<_, Moment>(0)?.0, LessonId(row.get(1)?)))
    })
}

fn ids_of(rows: Vec<(Timestamp, LessonId)>) -> Vec<LessonId> {
    rows.into_iter().map(|(_, id)| id).collect()
}

/// Reads the ids around a query.
pub(super) fn neighbourhood(
    tx: &Transaction<'_>,
    learner: i64,
    ask: &NeighbourhoodAsk,
) -> Result<Neighbourhood> {
    let limits = &ask.limits;
    let fingerprints = tx
        .prepare_cached("SELECT fingerprints FROM learners WHERE learner = ?1")?
        .query_row([learner], |row| row.get::<_, Whole>(0))?
        .0;
    let mut starts = Vec::new();
    for id in ask.starts.iter().take(limits.starts) {
        starts.extend(start(tx, learner, *id, limits)?);
    }
    // The rarest first, because a rare tag narrows the search the most.
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

fn count(tx: &Transaction<'_>, learner: i64, tag: &str) -> Result<Option<TagCount>> {
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
) -> Result<Option<Start>> {
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
    let tags = counts
        .filter_map(Result::transpose)
        .collect::<Result<_>>()?;
    let lessons = posted(
        tx,
        learner,
        &PostingList::Trigger(id),
        limits.lessons_per_start,
    )?;
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
) -> Result<TagNeighbours> {
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
        let list = PostingList::Trigger(sibling.id);
        let lessons = ids_of(posted(tx, learner, &list, limits.lessons_per_sibling)?);
        siblings.push((sibling, lessons));
    }
    let list = PostingList::Tag(count.tag.clone());
    let lessons = posted(tx, learner, &list, limits.lessons_per_tag)?;
    Ok(TagNeighbours {
        siblings,
        lessons: ids_of(lessons),
        count,
    })
}

/// The first lessons of the task, the domain and the tool, merged into one list.
fn places(tx: &Transaction<'_>, learner: i64, ask: &NeighbourhoodAsk) -> Result<Vec<LessonId>> {
    let limit = ask.limits.lessons_per_place;
    // The newest evidence of all three lists first, so that the limit drops the oldest.
    let mut found = BTreeSet::new();
    for list in place_lists(&ask.place) {
        let rows = posted(tx, learner, &list, limit)?;
        found.extend(rows.into_iter().map(|(at, id)| (Reverse(at), id)));
    }
    Ok(found.into_iter().take(limit).map(|(_, id)| id).collect())
}
