//! Texts: which part of the graph has which text, so that no part takes in another one of the same text.

use std::collections::HashMap;

use super::{ENTITY, OBSERVATION, RELATION};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::content::{Content, ContentHash};
use hindlore_domain::memory::delta::NewBullet;

/// Where in the graph a text belongs.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Place {
    tags: Vec<String>,
    topic: Option<String>,
    concept: Option<String>,
    relation: Option<String>,
}

impl Place {
    pub(super) fn of_new(new: &NewBullet) -> Self {
        Self::new(&new.tags, [&new.topic, &new.concept, &new.section])
    }

    fn of(bullet: &Bullet) -> Self {
        let labels = [&bullet.topic, &bullet.concept, &bullet.section];
        Self::new(&bullet.tags, labels)
    }

    fn new(tags: &[String], labels: [&Option<String>; 3]) -> Self {
        let of_graph = |tag: &&String| [ENTITY, OBSERVATION, RELATION].contains(&tag.as_str());
        let mut tags: Vec<String> = tags.iter().filter(of_graph).cloned().collect();
        tags.sort_unstable();
        let [topic, concept, section] = labels.map(Clone::clone);
        let is_relation = tags.iter().any(|tag| tag == RELATION);
        Self {
            topic,
            concept: concept.filter(|_| is_relation),
            relation: section.filter(|_| is_relation),
            tags,
        }
    }

    /// A note outside the graph; one of the same text becomes a part of it.
    fn is_plain(&self) -> bool {
        self.tags.is_empty() && self.topic.is_none()
    }
}

/// The texts of a memory: one that is there becomes part of the bullet that has it, and of the same words in the graph
/// usually, too.
pub(super) struct Texts<'m> {
    memory: &'m Memory,
    by_hash: HashMap<ContentHash, Place>,
    by_words: HashMap<String, Place>,
}

impl<'m> Texts<'m> {
    /// Begins with the bullets of a memory that belong to the same entities; those of others merge by equal texts only.
    pub(super) fn of(memory: &'m Memory, bullets: &[Bullet]) -> Self {
        let parts = bullets.iter().filter(|bullet| bullet.is_active());
        let placed = parts.map(|bullet| (words(bullet.content.as_str()), Place::of(bullet)));
        Self {
            memory,
            by_hash: HashMap::new(),
            by_words: placed.filter(|(_, place)| !place.tags.is_empty()).collect(),
        }
    }

    /// The text of a place, numbered until nothing of another place has it. Texts with other numbers never merge.
    pub(super) fn free(&mut self, place: Place, says: &(String, String)) -> String {
        let (first, rest) = says;
        let mut text = format!("{first}{rest}");
        let mut number = 1;
        while self.is_taken(&text, &place) {
            number += 1;
            text = format!("{first} [{number}]{rest}");
        }
        if let Some(hash) = self.hash(&text) {
            self.by_hash.insert(hash, place.clone());
        }
        self.by_words.insert(words(&text), place);
        text
    }

    fn is_taken(&self, text: &str, place: &Place) -> bool {
        let by_hash = self.hash(text).and_then(|hash| self.holder(hash));
        let by_words = self.by_words.get(&words(text)).cloned();
        let mut holders = by_hash.into_iter().chain(by_words);
        holders.any(|known| known != *place && !known.is_plain())
    }

    fn holder(&self, hash: ContentHash) -> Option<Place> {
        let planned = self.by_hash.get(&hash).cloned();
        planned.or_else(|| self.memory.holder(hash).as_ref().map(Place::of))
    }

    fn hash(&self, text: &str) -> Option<ContentHash> {
        let policy = self.memory.policy();
        let content = Content::parse(text, policy.max_content_chars).ok()?;
        Some(content.hash_in(policy.identity()))
    }
}

/// The words of a text, without case and signs.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
