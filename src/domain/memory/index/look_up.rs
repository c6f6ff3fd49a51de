//! Bullets by their topic, concept or tag, without unpacking the others.

use hindlore_topk::DocSet;

use crate::memory::aggregate::Memory;
use crate::memory::bullet::Bullet;

impl Memory {
    /// Returns the active bullets about a topic, in insertion order.
    pub fn with_topic(&self, topic: &str) -> Vec<Bullet> {
        self.unpacked(self.about(topic))
    }

    /// Returns the active bullets with a concept, in insertion order.
    pub fn with_concept(&self, concept: &str) -> Vec<Bullet> {
        self.unpacked(self.facets().naming(concept))
    }

    /// Visits the topic, the section, empty if there is none, and the text of each active bullet that has a topic and a
    /// tag, which is in lower case.
    pub fn for_each_tagged<'m>(&'m self, tag: &str, mut visit: impl FnMut([&'m str; 3])) {
        let Some(docs) = self.tagged(tag) else {
            return;
        };
        docs.for_each(|doc| {
            let labels = self.arena.labels(doc);
            if let Some(topic) = labels.topic {
                let section = labels.section.unwrap_or_default();
                visit([topic, section, self.arena.text(doc)]);
            }
        });
    }

    /// Returns the bullets of any status whose text, and tags and section, a rule accepts, in insertion order.
    pub fn bullets_with<'m>(
        &'m self,
        accepts: impl Fn(&'m str, &mut dyn Iterator<Item = &'m str>) -> bool,
    ) -> impl Iterator<Item = Bullet> {
        let docs = self.arena.docs().filter(move |doc| {
            let labels = self.arena.labels(*doc);
            let mut labels = labels.tags.into_iter().chain(labels.section);
            accepts(self.arena.text(*doc), &mut labels)
        });
        docs.map(|doc| self.at(doc))
    }

    fn unpacked(&self, docs: Option<&DocSet>) -> Vec<Bullet> {
        let docs = docs.map(DocSet::to_vec).unwrap_or_default();
        docs.into_iter().map(|doc| self.at(doc)).collect()
    }
}
