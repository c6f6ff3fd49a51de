//! A knowledge graph in a memory: entities with observations, and relations between them, each as a bullet.
//!
//! ```text
//! entity        "Pump 1 is a pump"          topic Pump 1, section pump, tag entity
//! observation   "Pump 1: leaks at noon"     topic Pump 1, section pump, tag observation
//! relation      "Pump 1 feeds tank 2"       topic Pump 1, section feeds, concept tank 2, tag relation
//! ```
//!
//! So retrieval, votes, history and undo hold for them as for any bullet. The topic is the name, and bullets of
//! different topics never merge by similarity. Bullets with the same text merge across topics, so [`Plan`] gives each
//! part of the graph a text of its own.

mod label;
mod plan;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::responses::graph::{EntityResponse, GraphResponse, RelationResponse};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
pub use plan::{Plan, Planned};

/// The tag of an entity.
pub const ENTITY: &str = "entity";
/// The tag of an observation.
pub const OBSERVATION: &str = "observation";
/// The tag of a relation.
pub const RELATION: &str = "relation";

/// Letters in common from which a word may be a form of a tag: "related" of "relation".
const STEM_LETTERS: usize = 5;

/// The graph of a memory.
#[derive(Default)]
pub struct Graph {
    entities: Vec<Entity>,
    by_name: HashMap<String, usize>,
    relations: Vec<(BulletId, RelationResponse)>,
    known_relations: HashSet<RelationResponse>,
}

struct Entity {
    name: String,
    entity_type: String,
    /// Bullets that only record its existence.
    bullets: Vec<BulletId>,
    observations: Vec<(BulletId, String)>,
}

impl Graph {
    /// Reads the graph from the bullets of a memory, in their order.
    pub fn of(bullets: &[Bullet]) -> Self {
        let mut graph = Self::default();
        for bullet in bullets.iter().filter(|bullet| bullet.is_active()) {
            let Some(topic) = &bullet.topic else { continue };
            let name = label::read(topic);
            let has = |tag: &str| bullet.tags.iter().any(|own| own == tag);
            let section = bullet.section.as_deref().map(label::read);
            let section = section.unwrap_or_default();
            let text = bare(&name, bullet.content.as_str());
            // A bullet may have several tags, if it took in another one.
            if has(RELATION) {
                let to = bullet.concept.as_deref().map(label::read);
                let relation = RelationResponse {
                    from: name.clone(),
                    to: to.unwrap_or_default(),
                    relation_type: section.clone(),
                };
                graph.known_relations.insert(relation.clone());
                graph.relations.push((bullet.id, relation));
            }
            if has(OBSERVATION) && (text.is_some() || !has(ENTITY)) {
                let text = text.unwrap_or(bullet.content.as_str()).to_owned();
                let entity = graph.entity(&name, &section);
                entity.observations.push((bullet.id, text));
            }
            if has(ENTITY) {
                let entity = graph.entity(&name, &section);
                // An older observation may still have the type of an entity that was deleted.
                section.clone_into(&mut entity.entity_type);
                entity.bullets.push(bullet.id);
            }
        }
        graph
    }

    /// The named entities of a memory, and the relations that touch one of them.
    pub fn around(memory: &Memory, names: &[String]) -> Self {
        Self::of(&bullets_around(memory, names))
    }

    fn entity(&mut self, name: &str, entity_type: &str) -> &mut Entity {
        let at = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            self.entities.push(Entity {
                name: name.to_owned(),
                entity_type: entity_type.to_owned(),
                bullets: Vec::new(),
                observations: Vec::new(),
            });
            self.entities.len() - 1
        });
        &mut self.entities[at]
    }

    /// True if it has an entity of this name.
    pub fn has(&self, name: &str) -> bool {
        self.known(name).is_some()
    }

    fn known(&self, name: &str) -> Option<&Entity> {
        self.by_name.get(name).map(|at| &self.entities[*at])
    }

    /// All of it, or the named entities with the relations that touch one of them.
    pub fn shown(&self, names: Option<&[String]>) -> GraphResponse {
        let Some(names) = names else {
            return GraphResponse {
                entities: self.entities.iter().map(Entity::shown).collect(),
                relations: self.relations.iter().map(|(_, one)| one.clone()).collect(),
            };
        };
        let mut seen = HashSet::new();
        let names = names.iter().filter(|name| seen.insert(name.as_str()));
        let found = names.filter_map(|name| self.known(name)).map(Entity::shown);
        let entities = found.collect();
        let touches = |one: &RelationResponse| {
            seen.contains(one.from.as_str()) || seen.contains(one.to.as_str())
        };
        let relations = self.relations.iter().map(|(_, one)| one);
        GraphResponse {
            entities,
            relations: relations.filter(|one| touches(one)).cloned().collect(),
        }
    }

    /// The entities whose name, type and observations hold all of the words, as they are written.
    pub fn names_with(&self, words: &str) -> Vec<String> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let holds = |entity: &&Entity| {
            let text = entity.text();
            words.iter().all(|word| text.contains(word))
        };
        let found = self.entities.iter().filter(holds);
        found.map(|entity| entity.name.clone()).collect()
    }
}

/// The bullets about some names, and the relations to them, in insertion order.
pub fn bullets_around(memory: &Memory, names: &[String]) -> Vec<Bullet> {
    // A name of another program may look like one that is stored in quotes.
    let labels: BTreeSet<String> = names
        .iter()
        .flat_map(|name| [label::stored(name), name.clone()])
        .collect();
    let mut found: BTreeMap<u64, Bullet> = BTreeMap::new();
    for label in &labels {
        for bullet in memory.with_topic(label) {
            found.insert(bullet.position, bullet);
        }
        for mut bullet in memory.with_concept(label) {
            if bullet
                .topic
                .as_ref()
                .is_some_and(|own| !labels.contains(own))
            {
                // The rest of that entity is not read, so it counts as the end of a relation alone.
                bullet.tags.retain(|tag| tag == RELATION);
                found.insert(bullet.position, bullet);
            }
        }
    }
    found.into_values().collect()
}

/// The topics of these bullets, as names in their order.
pub fn names_of(memory: &Memory, bullets: &[BulletId]) -> Vec<String> {
    let bullets = bullets.iter().filter_map(|id| memory.get(*id));
    let topics = bullets.filter_map(|bullet| bullet.topic);
    topics.map(|topic| label::read(&topic)).collect()
}

/// The entities that may hold all of the words, among them all that [`Graph::names_with`] finds.
pub fn names_near(memory: &Memory, words: &str) -> Vec<String> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let mut held: HashMap<String, Vec<bool>> = HashMap::new();
    let mut text = String::new();
    for tag in [ENTITY, OBSERVATION] {
        memory.for_each_tagged(tag, |[topic, section, content]| {
            text.clear();
            // No word has a line end, so none is found across two parts.
            for part in [
                &*label::read(topic),
                "\n",
                &label::read(section),
                "\n",
                content,
            ] {
                push_lower(&mut text, part);
            }
            if !words.iter().any(|word| text.contains(word.as_str())) {
                return;
            }
            // Two labels may be one name, that of another program and our own.
            let held = held.entry(label::read(topic));
            let held = held.or_insert_with(|| vec![false; words.len()]);
            for (word, is_held) in words.iter().zip(held) {
                *is_held |= text.contains(word.as_str());
            }
        });
    }
    let all = held
        .into_iter()
        .filter(|(_, held)| held.iter().all(|one| *one));
    all.map(|(name, _)| name).collect()
}

/// Appends a text in lower case.
fn push_lower(to: &mut String, text: &str) {
    if text.is_ascii() {
        let from = to.len();
        to.push_str(text);
        to[from..].make_ascii_lowercase();
    } else {
        to.push_str(&text.to_lowercase());
    }
}

/// The words of a query without those that a search could find in the tags of every part of the graph.
pub fn without_tags(words: &str) -> String {
    let kept = words.split_whitespace().filter(|word| !is_of_tag(word));
    kept.collect::<Vec<_>>().join(" ")
}

fn is_of_tag(word: &str) -> bool {
    let word = word.to_lowercase();
    [ENTITY, OBSERVATION, RELATION].iter().any(|tag| {
        let common = tag.chars().zip(word.chars()).take_while(|(a, b)| a == b);
        tag.contains(&word) || common.count() >= STEM_LETTERS
    })
}

impl Entity {
    fn shown(&self) -> EntityResponse {
        EntityResponse {
            name: self.name.clone(),
            entity_type: self.entity_type.clone(),
            observations: self
                .observations
                .iter()
                .map(|(_, text)| text.clone())
                .collect(),
        }
    }

    fn text(&self) -> String {
        let texts = self.observations.iter().map(|(_, text)| text.as_str());
        let all: Vec<&str> = [self.name.as_str(), &self.entity_type]
            .into_iter()
            .chain(texts)
            .collect();
        all.join("\n").to_lowercase()
    }

    fn ids(&self) -> BTreeSet<BulletId> {
        let observations = self.observations.iter().map(|(id, _)| *id);
        self.bullets.iter().copied().chain(observations).collect()
    }
}

/// The text of an observation without the name before it, and without the number that distinguishes its text from
/// others.
fn bare<'t>(name: &str, content: &'t str) -> Option<&'t str> {
    let rest = content.strip_prefix(&label::shown(name))?;
    let numbered = rest.strip_prefix(" [").and_then(|rest| {
        let (number, rest) = rest.split_once(']')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(rest)
    });
    numbered.unwrap_or(rest).strip_prefix(": ")
}
