//! Finding lessons: by id, by trigger, and around a query.
//!
//! None of these takes a lock: their results are advice, and a decision reads them again under the lock. Every list is
//! read from the front of an index until its limit.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use neo4rs::Row;
use serde::Deserialize;

use super::audit_rows::conflicts_in;
use super::keys::{
    FINGERPRINT_CHARS, Keys, LESSON_CHARS, OF_LIVE_LESSON, OF_SIBLING, keys_of, place_of, posted,
    read_id,
};
use super::lesson_rows::{by_id, lessons_in, readable};
use super::run_rows::listed;
use crate::bolt::executor::Executor;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, count};
use crate::bolt::work::{Task, send};
use crate::error::{Failure, Result};
use crate::statements::{
    LESSON_NEIGHBOURHOOD, LESSON_POSTINGS, LESSONS_BY_ID, LESSONS_OF_WRONG_FORMS,
    LESSONS_TRIGGERED_BY,
};
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_domain::lesson::retrieval::view::{Sibling, TagCount};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::lessons::postings::{LIVE, place_lists};
use hindlore_store::lessons::reading::{
    LessonsFound, Neighbourhood, NeighbourhoodAsk, Start, TagNeighbours,
};
use hindlore_store::lessons::{TRIGGERED_MAX, WRONG_FORMS_MAX, check_names, page_limit};

/// Reads lessons in the order of the ids, each once.
fn in_order(lessons: Vec<Lesson>, ids: &[LessonId]) -> Vec<Lesson> {
    let of = lessons.into_iter().map(|lesson| (lesson.id, lesson));
    let mut lessons: BTreeMap<LessonId, Lesson> = of.collect();
    ids.iter().filter_map(|id| lessons.remove(id)).collect()
}

pub(super) async fn by_ids(
    executor: &Executor,
    keys: &Keys,
    ids: &[LessonId],
) -> Result<LessonsFound> {
    check_names(ids.len()).map_err(Failure::Refused)?;
    let rows = send(executor, LESSONS_BY_ID, by_id(keys, ids)).await?;
    // A caller who names a single lesson wants it, or the reason why it cannot be read.
    let lessons = match ids {
        [_] => lessons_in(&rows, keys)?,
        _ => readable(&rows, keys)?,
    };
    Ok(LessonsFound {
        lessons: in_order(lessons, ids),
        conflicts: conflicts_in(&rows)?,
    })
}

pub(super) async fn triggered_by(
    executor: &Executor,
    keys: &Keys,
    fingerprints: &[FingerprintId],
    per_fingerprint: usize,
) -> Result<LessonsFound> {
    check_names(fingerprints.len()).map_err(Failure::Refused)?;
    let starts = fingerprints
        .iter()
        .map(|id| format!("{}{LIVE}", keys.id(id)));
    let asked = keys
        .owned()
        .texts("triggers", starts)
        .with("id_length", count(LESSON_CHARS))
        .with("limit", count(page_limit(per_fingerprint)));
    let rows = send(executor, LESSONS_TRIGGERED_BY, asked).await?;
    once(&rows, keys, Status::is_live)
}

/// Reads the watched lessons of wrong forms, in the order of the keys.
pub(super) async fn of_wrong_forms(
    executor: &Executor,
    keys: &Keys,
    forms: &[String],
    per_key: usize,
) -> Result<LessonsFound> {
    check_names(forms.len()).map_err(Failure::Refused)?;
    let starts = forms.iter().map(|form| keys.of_wrong_form(form));
    let asked = keys
        .owned()
        .texts("forms", starts)
        .with("id_length", count(LESSON_CHARS))
        .with("per_form", count(page_limit(per_key)))
        .with("limit", count(WRONG_FORMS_MAX));
    let rows = send(executor, LESSONS_OF_WRONG_FORMS, asked).await?;
    once(&rows, keys, Status::is_watched)
}

/// The lessons of rows with one of the expected statuses, each once, in the order of the rows.
fn once(rows: &[Row], keys: &Keys, is_expected: fn(Status) -> bool) -> Result<LessonsFound> {
    let mut seen = BTreeSet::new();
    let mut lessons = readable(rows, keys)?;
    // Someone may have changed its status by hand, which leaves its relationships as they were.
    lessons.retain(|lesson| is_expected(lesson.status) && seen.insert(lesson.id));
    Ok(LessonsFound {
        lessons,
        conflicts: conflicts_in(rows)?,
    })
}

/// Reads the ids of lessons that fingerprints trigger, in any status, in the order of the contract.
pub(super) async fn ever_triggered(
    tx: &mut Transaction,
    keys: &Keys,
    fingerprints: &[FingerprintId],
) -> Result<Vec<LessonId>> {
    if fingerprints.is_empty() {
        return Ok(Vec::new());
    }
    let asked = keys
        .owned()
        .texts("triggers", keys_of(fingerprints, |id| keys.id(id)))
        .with("limit", count(TRIGGERED_MAX));
    let rows = tx.query(LESSON_POSTINGS, asked).await?;
    let mut postings = BTreeSet::new();
    let key_length = keys.key.len() + FINGERPRINT_CHARS;
    for row in &rows {
        let found: Vec<String> = row.get("postings")?;
        // Without its key, the postings of different triggers compare by their common order.
        postings.extend(found.iter().map(|one| place_of(one, key_length).to_owned()));
    }
    let first = postings.iter().take(TRIGGERED_MAX);
    first.map(|posting| posted(posting)).collect()
}

/// Reads the lessons that fingerprints trigger, in any status.
pub(super) struct EverTriggered {
    pub(super) keys: Keys,
    pub(super) fingerprints: Vec<FingerprintId>,
}

#[async_trait]
impl Task for EverTriggered {
    type Output = Vec<Lesson>;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Vec<Lesson>> {
        check_names(self.fingerprints.len()).map_err(Failure::Refused)?;
        let ids = ever_triggered(tx, &self.keys, &self.fingerprints).await?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = tx.query(LESSONS_BY_ID, by_id(&self.keys, &ids)).await?;
        Ok(in_order(lessons_in(&rows, &self.keys)?, &ids))
    }
}

#[derive(Deserialize)]
struct CountRow {
    tag: String,
    fingerprints: u64,
}

impl CountRow {
    fn into_count(self) -> TagCount {
        TagCount {
            tag: self.tag,
            fingerprints: self.fingerprints,
        }
    }
}

#[derive(Deserialize)]
struct StartRow {
    id: String,
    tags: Vec<CountRow>,
    lessons: Vec<String>,
}

#[derive(Deserialize)]
struct SiblingRow {
    id: String,
    normalised: String,
    lessons: Vec<String>,
}

#[derive(Deserialize)]
struct TagRow {
    tag: String,
    fingerprints: u64,
    siblings: Vec<SiblingRow>,
    lessons: Vec<String>,
}

fn lessons_of(postings: &[String]) -> Result<Vec<LessonId>> {
    postings.iter().map(|posting| posted(posting)).collect()
}

impl StartRow {
    fn into_start(self) -> Result<Start> {
        let mut tags: Vec<TagCount> = self.tags.into_iter().map(CountRow::into_count).collect();
        tags.sort_unstable_by(|a, b| a.tag.cmp(&b.tag));
        Ok(Start {
            id: read_id(&self.id)?,
            tags,
            lessons: lessons_of(&self.lessons)?,
        })
    }
}

impl SiblingRow {
    fn into_sibling(self) -> Result<(Sibling, Vec<LessonId>)> {
        let sibling = Sibling {
            id: read_id(&self.id)?,
            normalised: self.normalised,
        };
        Ok((sibling, lessons_of(&self.lessons)?))
    }
}

impl TagRow {
    fn into_tag(self) -> Result<TagNeighbours> {
        let siblings = self.siblings.into_iter().map(SiblingRow::into_sibling);
        Ok(TagNeighbours {
            count: TagCount {
                tag: self.tag,
                fingerprints: self.fingerprints,
            },
            siblings: siblings.collect::<Result<_>>()?,
            lessons: lessons_of(&self.lessons)?,
        })
    }
}

/// The parameters for reading the ids around a query.
fn around(keys: &Keys, ask: &NeighbourhoodAsk) -> Map {
    let limits = &ask.limits;
    let starts = ask.starts.iter().take(limits.starts);
    let places = place_lists(&ask.place).map(|list| format!("{}{LIVE}", keys.list(&list)));
    keys.owned()
        .texts("starts", starts.map(|id| keys.id(id)))
        .texts("tags", keys_of(&ask.tags, |tag| keys.tag(tag)))
        .texts("without", ask.without.iter().cloned())
        .texts("places", places)
        .with("live", LIVE)
        .with("of_lesson", OF_LIVE_LESSON)
        .with("of_sibling", OF_SIBLING)
        .with("id_length", count(FINGERPRINT_CHARS))
        .with("tags_limit", count(limits.tags))
        .with("per_start", count(limits.lessons_per_start))
        .with("siblings", count(limits.siblings_per_tag))
        .with("per_sibling", count(limits.lessons_per_sibling))
        .with("per_tag", count(limits.lessons_per_tag))
        .with("per_place", count(limits.lessons_per_place))
}

pub(super) async fn neighbourhood(
    executor: &Executor,
    keys: &Keys,
    ask: &NeighbourhoodAsk,
) -> Result<Neighbourhood> {
    let rows = send(executor, LESSON_NEIGHBOURHOOD, around(keys, ask)).await?;
    let Some(row) = rows.first() else {
        return Ok(Neighbourhood::default());
    };
    let mut tags = listed(&rows, "tags", TagRow::into_tag)?;
    tags.sort_by(|a, b| {
        let order = |tag: &TagNeighbours| (tag.count.fingerprints, tag.count.tag.clone());
        order(a).cmp(&order(b))
    });
    let places: Vec<Vec<String>> = row.get("places")?;
    // Merges the lists of task, domain and tool by the part of the key after the place, which is their common order.
    let places: BTreeSet<String> = places
        .iter()
        .flatten()
        .map(|posting| place_of(posting, 2 * keys.key.len()).to_owned())
        .collect();
    let places = places.iter().take(ask.limits.lessons_per_place);
    Ok(Neighbourhood {
        fingerprints: row.get("fingerprints")?,
        starts: listed(&rows, "starts", StartRow::into_start)?,
        tags,
        places: places
            .map(|posting| posted(posting))
            .collect::<Result<_>>()?,
    })
}
