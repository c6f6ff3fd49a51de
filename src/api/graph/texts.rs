//! Texts: which part of the graph has which text, so that no part takes in another one of the same text.

use std::collections::HashMap;

use super::{ENTITY, OBSERVATION, RELATION};
use hindlore::MemoryView;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::content::{Content, ContentHash};
use hindlore_domain::memory::delta::NewBullet;
use hindlore_domain::memory::policy::Policy;

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
#[derive(Default)]
pub(super) struct Texts {
    policy: Policy,
    by_hash: HashMap<ContentHash, Place>,
    by_words: HashMap<String, Place>,
}

impl Texts {
    pub(super) fn of(view: &MemoryView) -> Self {
        let mut texts = Self {
            policy: view.policy.clone(),
            ..Self::default()
        };
        for bullet in &view.bullets {
            let place = Place::of(bullet);
            if bullet.is_active() && !place.tags.is_empty() {
                let words = words(bullet.content.as_str());
                texts.by_words.insert(words, place.clone());
            }
            texts.by_hash.insert(bullet.content_hash(), place);
        }
        texts
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
        let by_hash = self.hash(text).and_then(|hash| self.by_hash.get(&hash));
        let by_words = self.by_words.get(&words(text));
        let mut holders = by_hash.into_iter().chain(by_words);
        holders.any(|known| known != place && !known.is_plain())
    }

    fn hash(&self, text: &str) -> Option<ContentHash> {
        let content = Content::parse(text, self.policy.max_content_chars).ok()?;
        Some(content.hash_in(self.policy.identity()))
    }
}

/// The words of a text, without case and signs.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
