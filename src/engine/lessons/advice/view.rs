//! The neighbourhood that a store delivered, as the walk of the domain reads it.

use std::collections::BTreeMap;

use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::lesson::retrieval::view::{GraphView, Sibling, TagCount};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::lessons::reading::Neighbourhood;

/// A view of the rows fetched at once; it knows nothing else.
pub(super) struct Fetched {
    around: Neighbourhood,
    by_fingerprint: BTreeMap<FingerprintId, Vec<LessonId>>,
}

impl Fetched {
    pub(super) fn new(around: Neighbourhood) -> Self {
        let mut by_fingerprint = BTreeMap::new();
        for tag in &around.tags {
            for (sibling, lessons) in &tag.siblings {
                by_fingerprint.insert(sibling.id, lessons.clone());
            }
        }
        // A start that is a sibling as well has the longer list.
        for start in &around.starts {
            by_fingerprint.insert(start.id, start.lessons.clone());
        }
        Self {
            around,
            by_fingerprint,
        }
    }

    fn first<T: Clone>(list: &[T], limit: usize) -> Vec<T> {
        list[..list.len().min(limit)].to_vec()
    }
}

impl GraphView for Fetched {
    fn lessons_of_fingerprint(&mut self, id: FingerprintId, limit: usize) -> Vec<LessonId> {
        let lessons = self.by_fingerprint.get(&id);
        lessons.map_or_else(Vec::new, |lessons| Self::first(lessons, limit))
    }

    fn lessons_of_tag(&mut self, tag: &str, limit: usize) -> Vec<LessonId> {
        let row = self.around.tags.iter().find(|row| row.count.tag == tag);
        row.map_or_else(Vec::new, |row| Self::first(&row.lessons, limit))
    }

    fn tags_of_fingerprint(&mut self, id: FingerprintId) -> Vec<TagCount> {
        let start = self.around.starts.iter().find(|start| start.id == id);
        let own = start.map_or(&[][..], |start| &start.tags);
        // Only fetched rows can be followed: the rarest tags.
        let fetched = |tag: &&TagCount| self.around.tags.iter().any(|row| row.count == **tag);
        own.iter().filter(fetched).cloned().collect()
    }

    fn siblings_of_tag(&mut self, tag: &str, limit: usize) -> Vec<Sibling> {
        let row = self.around.tags.iter().find(|row| row.count.tag == tag);
        let siblings = row.map_or(&[][..], |row| &row.siblings);
        siblings
            .iter()
            .take(limit)
            .map(|(sibling, _)| sibling.clone())
            .collect()
    }

    fn lessons_of_place(&mut self, _place: &Place, limit: usize) -> Vec<LessonId> {
        Self::first(&self.around.places, limit)
    }

    fn tag_counts(&mut self, tags: &[String]) -> Vec<TagCount> {
        let rows = self.around.tags.iter().map(|row| &row.count);
        rows.filter(|row| tags.contains(&row.tag))
            .cloned()
            .collect()
    }

    fn fingerprint_count(&mut self) -> u64 {
        self.around.fingerprints
    }
}
