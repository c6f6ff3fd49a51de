//! The changes to a graph, collected into one delta, and their result.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::texts::{Place, Texts};
use super::{ENTITY, Entity, Graph, OBSERVATION, RELATION, label};
use crate::problem::Problem;
use crate::responses::graph::{
    EntityResponse, GraphChanged, ObservationsResponse, RelationResponse,
};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId, Kind};
use hindlore_domain::memory::delta::{BulletRef, DeltaId, NewBullet, Operation, Removal};
use hindlore_domain::memory::key::MemoryKey;

/// Why bullets are archived, for the history.
const REASON: &str = "deleted from the graph";

/// The changes, while they are planned.
pub struct Plan<'m> {
    graph: &'m Graph,
    texts: Texts<'m>,
    relations: HashSet<RelationResponse>,
    observations: HashSet<(String, String)>,
    deleted: BTreeSet<BulletId>,
    planned: Planned,
}

/// The planned changes.
#[derive(Default)]
pub struct Planned {
    /// The operations.
    pub operations: Vec<Operation>,
    /// The elements that operations add, with the number of each.
    added: Vec<(usize, Part)>,
    /// Types of entities that are new, by name.
    new: HashMap<String, String>,
    deleted: usize,
    notes: Vec<String>,
}

/// A part of the graph.
enum Part {
    Entity(String),
    Observation(String, String),
    Relation(RelationResponse),
}

impl<'m> Plan<'m> {
    /// Begins with the part of the graph of a memory that [`super::bullets_around`] some names make; only these may change.
    pub fn new(memory: &'m Memory, bullets: &[Bullet], graph: &'m Graph) -> Self {
        Self {
            graph,
            texts: Texts::of(memory, bullets),
            relations: HashSet::new(),
            observations: HashSet::new(),
            deleted: BTreeSet::new(),
            planned: Planned::default(),
        }
    }

    /// Ends the plan.
    pub fn end(self) -> Planned {
        Planned {
            deleted: self.deleted.len(),
            ..self.planned
        }
    }

    /// Creates entities. One that exists is left as it is; of one name twice in the call all observations are kept.
    pub fn create_entities(&mut self, asked: Vec<EntityResponse>) {
        for entity in asked {
            let EntityResponse {
                name,
                entity_type,
                observations,
            } = entity;
            if self.graph.known(&name).is_some() {
                let name = name.escape_debug();
                self.planned
                    .notes
                    .push(format!("the entity `{name}` exists and was left as it is"));
                continue;
            }
            if !self.planned.new.contains_key(&name) {
                let says = says(&name, &entity_type);
                self.planned.new.insert(name.clone(), entity_type.clone());
                let part = Part::Entity(name.clone());
                self.add(part, (&name, &entity_type, None), says);
            }
            for text in observations {
                self.observe(&name, &entity_type, text);
            }
        }
    }

    /// Creates relations; one that exists is left as it is.
    pub fn create_relations(&mut self, asked: Vec<RelationResponse>) {
        for relation in asked {
            let exists = self.graph.known_relations.contains(&relation);
            if exists || !self.relations.insert(relation.clone()) {
                continue;
            }
            let kind = relation.relation_type.replace('_', " ");
            let says = [&relation.from, &kind, &relation.to].map(|one| label::shown(one));
            let RelationResponse {
                from,
                to,
                relation_type,
            } = relation.clone();
            let [first, rest @ ..] = says;
            let says = (first, format!(" {}", rest.join(" ")));
            let place = (from.as_str(), relation_type.as_str(), Some(to.as_str()));
            self.add(Part::Relation(relation), place, says);
        }
    }

    /// Adds observations to entities; those that are there already are left out.
    ///
    /// # Errors
    /// `no_entity` for one that does not exist; then nothing changes.
    pub fn add_observations(&mut self, asked: Vec<ObservationsResponse>) -> Result<(), Problem> {
        for one in asked {
            let known = self.graph.known(&one.entity);
            let entity_type = match known {
                Some(entity) => entity.entity_type.clone(),
                None => self.planned.new.get(&one.entity).cloned().ok_or_else(|| {
                    let name = one.entity.escape_debug();
                    Problem::new("no_entity", format!("there is no entity `{name}`"))
                        .with_hint("create it first; nothing was changed")
                })?,
            };
            for text in one.observations {
                let has = |entity: &Entity| entity.observations.iter().any(|(_, own)| *own == text);
                if !known.is_some_and(has) {
                    self.observe(&one.entity, &entity_type, text);
                }
            }
        }
        Ok(())
    }

    fn observe(&mut self, name: &str, entity_type: &str, text: String) {
        if !self.observations.insert((name.to_owned(), text.clone())) {
            return;
        }
        let says = (label::shown(name), format!(": {text}"));
        let part = Part::Observation(name.to_owned(), text);
        self.add(part, (name, entity_type, None), says);
    }

    /// Deletes entities with their observations and relations.
    pub fn delete_entities(&mut self, names: &[String]) {
        for name in names {
            let found = self.graph.known(name).map(Entity::ids);
            let is_end = |one: &RelationResponse| one.from == *name || one.to == *name;
            let relations = self.graph.relations.iter();
            let touching = relations.filter(|(_, one)| is_end(one)).map(|(id, _)| *id);
            let gone: Vec<BulletId> = touching.chain(found.into_iter().flatten()).collect();
            if gone.is_empty() {
                let name = name.escape_debug();
                self.planned
                    .notes
                    .push(format!("there is no entity `{name}`"));
            }
            gone.into_iter().for_each(|id| self.remove(id));
        }
    }

    /// Deletes observations; the entity stays if one of its texts only records its existence.
    pub fn delete_observations(&mut self, asked: &[ObservationsResponse]) {
        for one in asked {
            let name = one.entity.escape_debug();
            let Some(entity) = self.graph.known(&one.entity) else {
                self.planned
                    .notes
                    .push(format!("there is no entity `{name}`"));
                continue;
            };
            for text in &one.observations {
                let own = entity.observations.iter();
                let found: Vec<BulletId> = own
                    .filter(|(_, own)| own == text)
                    .map(|(id, _)| *id)
                    .collect();
                if found.is_empty() {
                    let text = text.escape_debug();
                    self.planned
                        .notes
                        .push(format!("`{name}` has no observation `{text}`"));
                }
                found.into_iter().for_each(|id| self.remove(id));
            }
            let is_left = |(id, _): &(BulletId, String)| !self.deleted.contains(id);
            let is_stated = entity.bullets.iter().any(|id| !self.deleted.contains(id));
            if !is_stated && !entity.observations.iter().any(is_left) {
                let says = says(&entity.name, &entity.entity_type);
                let place = (entity.name.as_str(), entity.entity_type.as_str(), None);
                self.add(Part::Entity(entity.name.clone()), place, says);
            }
        }
    }

    /// Deletes relations.
    pub fn delete_relations(&mut self, asked: &[RelationResponse]) {
        for relation in asked {
            let own = self.graph.relations.iter();
            let found: Vec<BulletId> = own
                .filter(|(_, one)| one == relation)
                .map(|(id, _)| *id)
                .collect();
            if found.is_empty() {
                let [from, kind, to] = [&relation.from, &relation.relation_type, &relation.to]
                    .map(|one| one.escape_debug().to_string());
                self.planned
                    .notes
                    .push(format!("there is no relation `{from}` `{kind}` `{to}`"));
            }
            found.into_iter().for_each(|id| self.remove(id));
        }
    }

    /// Adds a bullet: `place` is its topic, section and concept; a number between the parts of the text distinguishes
    /// it from
    /// the text of another part of the graph.
    fn add(&mut self, part: Part, place: (&str, &str, Option<&str>), says: (String, String)) {
        let (topic, section, concept) = place;
        let tag = match part {
            Part::Entity(_) => ENTITY,
            Part::Observation(..) => OBSERVATION,
            Part::Relation(_) => RELATION,
        };
        let mut bullet = NewBullet {
            section: Some(section)
                .filter(|name| !name.is_empty())
                .map(label::stored),
            tags: vec![tag.to_owned()],
            kind: Some(Kind::Fact),
            topic: Some(label::stored(topic)),
            concept: concept.map(label::stored),
            ..NewBullet::default()
        };
        bullet.content = self.texts.free(Place::of_new(&bullet), &says);
        self.planned
            .added
            .push((self.planned.operations.len(), part));
        self.planned
            .operations
            .push(Operation::Add(Box::new(bullet)));
    }

    fn remove(&mut self, id: BulletId) {
        if self.deleted.insert(id) {
            let removal = Removal {
                id: BulletRef::from(id),
                reason: Some(REASON.to_owned()),
            };
            self.planned.operations.push(Operation::Remove(removal));
        }
    }
}

impl Planned {
    /// The new elements, by the graph after the delta of this memory.
    pub fn made(self, after: &Graph, delta: Option<(&MemoryKey, &DeltaId)>) -> GraphChanged {
        let id = |number: usize| {
            delta.map(|(key, delta)| BulletId::derive(key, delta.as_str(), number as u64))
        };
        let mut made = Made::default();
        for (number, part) in self.added {
            match part {
                Part::Entity(name) => {
                    let created = self.new.contains_key(&name);
                    if let Some(entity) = after.known(&name).filter(|_| created) {
                        made.entities.push(EntityResponse {
                            name,
                            entity_type: entity.entity_type.clone(),
                            observations: Vec::new(),
                        });
                    }
                }
                Part::Observation(name, text) => {
                    let stored = after.known(&name).and_then(|entity| {
                        let mut own = entity.observations.iter();
                        own.find(|(own, stored)| Some(*own) == id(number) || *stored == text)
                    });
                    match stored {
                        Some((_, stored)) => made.observation(&name, stored),
                        None => made.notes.push(merged(&name, &text)),
                    }
                }
                Part::Relation(relation) if after.known_relations.contains(&relation) => {
                    made.relations.push(relation);
                }
                Part::Relation(relation) => {
                    made.notes
                        .push(merged(&relation.from, &relation.relation_type));
                }
            }
        }
        GraphChanged {
            entities: made.entities,
            relations: made.relations,
            observations: made.observations,
            deleted: self.deleted,
            notes: self.notes.into_iter().chain(made.notes).collect(),
            applied: None,
        }
    }
}

/// The new elements.
#[derive(Default)]
struct Made {
    entities: Vec<EntityResponse>,
    relations: Vec<RelationResponse>,
    observations: Vec<ObservationsResponse>,
    notes: Vec<String>,
}

impl Made {
    fn observation(&mut self, name: &str, text: &str) {
        // The observations of an entity follow it.
        let new = self.entities.iter_mut().rev();
        if let Some(entity) = new.into_iter().find(|entity| entity.name == name) {
            return entity.observations.push(text.to_owned());
        }
        match self.observations.iter_mut().find(|one| one.entity == name) {
            Some(one) => one.observations.push(text.to_owned()),
            None => self.observations.push(ObservationsResponse {
                entity: name.to_owned(),
                observations: vec![text.to_owned()],
            }),
        }
    }
}

fn merged(name: &str, text: &str) -> String {
    let (name, text) = (name.escape_debug(), text.escape_debug());
    format!("`{name}`: `{text}` was not added, because the memory has nearly the same text already")
}

/// The two parts of the text that records the existence of an entity.
fn says(name: &str, entity_type: &str) -> (String, String) {
    let rest = match label::shown(entity_type) {
        _ if entity_type.is_empty() => " is there".to_owned(),
        kind => format!(" is a {kind}"),
    };
    (label::shown(name), rest)
}
