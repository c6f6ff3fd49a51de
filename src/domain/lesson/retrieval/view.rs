//! The reads of a walk from a store: bounded look-ups, each by an index.
//!
//! Every answer is ordered by rule (newest evidence first, then id), so that two stores cut it at the
//! same place. A store needs: postings fingerprint → lessons, tag → lessons and place → lessons of live lessons,
//! postings tag → fingerprints, tags of a fingerprint, and on every tag the number of fingerprints that have it.

use std::collections::{BTreeMap, BTreeSet};

use crate::lesson::lesson::{Lesson, Place};
use hindlore_errors::fingerprint::pieces;
use hindlore_primitives::ids::{FingerprintId, LessonId};

/// A tag with how many fingerprints of this owner have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagCount {
    /// Its name.
    pub tag: String,
    /// Fingerprints that have it.
    pub fingerprints: u64,
}

/// A fingerprint as a neighbour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sibling {
    /// Its identity.
    pub id: FingerprintId,
    /// Its normalised text.
    pub normalised: String,
}

/// The graph around an error, one owner's part of it. Implementations return at most `limit` rows.
pub trait GraphView {
    /// Live lessons that a fingerprint triggers, the newest evidence first, then by id.
    fn lessons_of_fingerprint(&mut self, id: FingerprintId, limit: usize) -> Vec<LessonId>;

    /// Live lessons with a tag, in the same order.
    fn lessons_of_tag(&mut self, tag: &str, limit: usize) -> Vec<LessonId>;

    /// Tags of a fingerprint with their counts, by name.
    fn tags_of_fingerprint(&mut self, id: FingerprintId) -> Vec<TagCount>;

    /// Fingerprints with a tag that trigger a live lesson, by id.
    fn siblings_of_tag(&mut self, tag: &str, limit: usize) -> Vec<Sibling>;

    /// Live lessons that apply to the task, the domain or the tool, in the order of the other lists.
    fn lessons_of_place(&mut self, place: &Place, limit: usize) -> Vec<LessonId>;

    /// The counts of tags by name; unknown ones are left out.
    fn tag_counts(&mut self, tags: &[String]) -> Vec<TagCount>;

    /// All fingerprints of the owner.
    fn fingerprint_count(&mut self) -> u64;
}

/// A neighbourhood in process: for tests, for small stores, and for rows fetched at once.
#[derive(Clone, Default, Debug)]
pub struct LocalGraph {
    lessons: BTreeMap<LessonId, Lesson>,
    fingerprints: BTreeMap<FingerprintId, (String, BTreeSet<String>)>,
    by_trigger: BTreeMap<FingerprintId, Vec<LessonId>>,
    by_tag: BTreeMap<String, Vec<LessonId>>,
    siblings: BTreeMap<String, BTreeSet<FingerprintId>>,
    counts: BTreeMap<String, u64>,
}

impl LocalGraph {
    /// Adds a fingerprint with its tags.
    pub fn put_fingerprint(&mut self, id: FingerprintId, normalised: &str, tags: &[String]) {
        let row = self.fingerprints.entry(id).or_default();
        row.0 = normalised.to_owned();
        row.1.extend(tags.iter().cloned());
        for tag in tags {
            if self.siblings.entry(tag.clone()).or_default().insert(id) {
                *self.counts.entry(tag.clone()).or_default() += 1;
            }
        }
    }

    /// Adds a lesson; one that is not live is not found by any look-up.
    pub fn put_lesson(&mut self, lesson: Lesson) {
        if lesson.status.is_live() {
            for trigger in &lesson.triggers {
                self.by_trigger.entry(*trigger).or_default().push(lesson.id);
            }
            for tag in &lesson.tags {
                self.by_tag.entry(tag.clone()).or_default().push(lesson.id);
            }
        }
        self.lessons.insert(lesson.id, lesson);
    }

    /// A lesson by id.
    pub fn lesson(&self, id: LessonId) -> Option<&Lesson> {
        self.lessons.get(&id)
    }

    /// The pieces of a fingerprint.
    pub fn pieces(&self, id: FingerprintId) -> Vec<String> {
        self.fingerprints
            .get(&id)
            .map(|row| pieces(&row.0))
            .unwrap_or_default()
    }

    fn ordered(&self, ids: Option<&Vec<LessonId>>, limit: usize) -> Vec<LessonId> {
        let mut ids: Vec<LessonId> = ids.cloned().unwrap_or_default();
        let newest = |id: &LessonId| {
            std::cmp::Reverse(self.lessons.get(id).map(|lesson| lesson.evidence_at))
        };
        ids.sort_by_key(|id| (newest(id), *id));
        ids.dedup();
        ids.truncate(limit);
        ids
    }

    fn count(&self, tag: &str) -> Option<TagCount> {
        let fingerprints = *self.counts.get(tag)?;
        Some(TagCount {
            tag: tag.to_owned(),
            fingerprints,
        })
    }
}

impl GraphView for LocalGraph {
    fn lessons_of_fingerprint(&mut self, id: FingerprintId, limit: usize) -> Vec<LessonId> {
        self.ordered(self.by_trigger.get(&id), limit)
    }

    fn lessons_of_tag(&mut self, tag: &str, limit: usize) -> Vec<LessonId> {
        self.ordered(self.by_tag.get(tag), limit)
    }

    fn tags_of_fingerprint(&mut self, id: FingerprintId) -> Vec<TagCount> {
        let tags = self.fingerprints.get(&id).map(|row| &row.1);
        tags.into_iter()
            .flatten()
            .filter_map(|tag| self.count(tag))
            .collect()
    }

    fn siblings_of_tag(&mut self, tag: &str, limit: usize) -> Vec<Sibling> {
        let ids = self.siblings.get(tag).into_iter().flatten();
        let triggers = ids.filter(|id| self.by_trigger.contains_key(id));
        triggers
            .filter_map(|id| {
                Some(Sibling {
                    id: *id,
                    normalised: self.fingerprints.get(id)?.0.clone(),
                })
            })
            .take(limit)
            .collect()
    }

    fn lessons_of_place(&mut self, place: &Place, limit: usize) -> Vec<LessonId> {
        let meets = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        let here = |lesson: &&Lesson| {
            let (own, status) = (&lesson.place, lesson.status);
            let near = meets(&own.task, &place.task)
                || meets(&own.domain, &place.domain)
                || meets(&own.tool, &place.tool);
            status.is_live() && near
        };
        let ids: Vec<LessonId> = self
            .lessons
            .values()
            .filter(here)
            .map(|lesson| lesson.id)
            .collect();
        self.ordered(Some(&ids), limit)
    }

    fn tag_counts(&mut self, tags: &[String]) -> Vec<TagCount> {
        tags.iter().filter_map(|tag| self.count(tag)).collect()
    }

    fn fingerprint_count(&mut self) -> u64 {
        self.fingerprints.len() as u64
    }
}
