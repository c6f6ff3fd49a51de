//! The active bullets with each tag, topic and concept, as sets that filters, bonuses and look-ups read.
//!
//! Without them, a filter would unpack the labels of every bullet.

use std::collections::HashMap;

use hindlore_topk::{DocId, DocSet, ImageReader, ImageWriter};

use super::named::{read_sets, write_sets};
use crate::memory::bullet::Bullet;
use crate::memory::bullet::bullet_arena::BulletArena;

/// Active bullets by tag, topic and concept.
#[derive(Default, Debug)]
pub(crate) struct FacetIndex {
    /// By tag in lower case.
    tags: HashMap<Box<str>, DocSet>,
    topics: HashMap<Box<str>, DocSet>,
    concepts: HashMap<Box<str>, DocSet>,
    no_topic: DocSet,
}

impl FacetIndex {
    /// Builds the sets of all active bullets.
    pub(crate) fn build(arena: &BulletArena) -> Self {
        let mut index = Self::default();
        for doc in arena.docs().filter(|doc| arena.header(*doc).is_active()) {
            let labels = arena.labels(doc);
            index.insert_labels(doc, labels.tags.into_iter(), (labels.topic, labels.concept));
        }
        let Self {
            tags,
            topics,
            concepts,
            no_topic,
        } = &mut index;
        let named = topics.values_mut().chain(concepts.values_mut());
        let sets = tags.values_mut().chain(named);
        sets.chain([no_topic]).for_each(DocSet::shrink_to_fit);
        index
    }

    /// Writes the sets.
    pub(super) fn write(&self, image: &mut ImageWriter) {
        for sets in [&self.tags, &self.topics, &self.concepts] {
            write_sets(image, sets);
        }
        self.no_topic.write(image);
    }

    /// Reads the sets; `None` if the bytes are of something else.
    pub(super) fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        Some(Self {
            tags: read_sets(image)?,
            topics: read_sets(image)?,
            concepts: read_sets(image)?,
            no_topic: DocSet::read(image)?,
        })
    }

    /// Inserts a bullet, if it is active.
    pub(crate) fn insert(&mut self, doc: DocId, bullet: &Bullet) {
        if !bullet.is_active() {
            return;
        }
        let tags = bullet.tags.iter().map(String::as_str);
        let names = (bullet.topic.as_deref(), bullet.concept.as_deref());
        self.insert_labels(doc, tags, names);
    }

    fn insert_labels<'b>(
        &mut self,
        doc: DocId,
        tags: impl Iterator<Item = &'b str>,
        (topic, concept): (Option<&str>, Option<&str>),
    ) {
        for tag in tags {
            let set = self.tags.entry(tag.to_lowercase().into()).or_default();
            set.insert(doc);
        }
        match topic {
            None => self.no_topic.insert(doc),
            Some(topic) => {
                let set = self.topics.entry(topic.into()).or_default();
                set.insert(doc)
            }
        };
        if let Some(concept) = concept {
            let set = self.concepts.entry(concept.into()).or_default();
            set.insert(doc);
        }
    }

    /// Removes a bullet, which must be as it was inserted.
    pub(crate) fn remove(&mut self, doc: DocId, bullet: &Bullet) {
        if !bullet.is_active() {
            return;
        }
        for tag in &bullet.tags {
            remove_from(&mut self.tags, &tag.to_lowercase(), doc);
        }
        match &bullet.topic {
            None => {
                self.no_topic.remove(doc);
            }
            Some(topic) => remove_from(&mut self.topics, topic, doc),
        }
        if let Some(concept) = &bullet.concept {
            remove_from(&mut self.concepts, concept, doc);
        }
    }

    /// Returns the bullets with a tag, which is in lower case.
    pub(crate) fn tagged(&self, tag: &str) -> Option<&DocSet> {
        self.tags.get(tag)
    }

    /// Returns the bullets of each tag that begins with `start`, which is in lower case.
    pub(crate) fn tagged_below(&self, start: &str) -> impl Iterator<Item = &DocSet> {
        let sets = self.tags.iter();
        sets.filter_map(move |(tag, set)| tag.starts_with(start).then_some(set))
    }

    /// Returns the bullets about a topic.
    pub(crate) fn about(&self, topic: &str) -> Option<&DocSet> {
        self.topics.get(topic)
    }

    /// Returns the bullets with a concept.
    pub(crate) fn naming(&self, concept: &str) -> Option<&DocSet> {
        self.concepts.get(concept)
    }

    /// Returns the bullets without a topic.
    pub(crate) fn without_topic(&self) -> &DocSet {
        &self.no_topic
    }
}

fn remove_from(sets: &mut HashMap<Box<str>, DocSet>, name: &str, doc: DocId) {
    if let Some(set) = sets.get_mut(name) {
        set.remove(doc);
        if set.is_empty() {
            sets.remove(name);
        }
    }
}
