//! A knowledge graph in a memory: entities with observations, and relations between them, each as a bullet.
//!
//! ```text
//! entity        "Pump 1 is a pump"          topic Pump 1, section pump, tag entity
//! observation   "Pump 1: leaks at noon"     topic Pump 1, section pump, tag observation
//! relation      "Pump 1 feeds tank 2"       topic Pump 1, section feeds, concept tank 2, tag relation
//! ```
//!
//! So retrieval, votes, history and undo hold for them as for any bullet. The topic is the name, and bullets of different
//! topics never merge, so that two entities share no observation.

use std::collections::{BTreeSet, HashMap};

use super::problem::Problem;
use super::responses::graph::{
    EntityResponse, GraphResponse, ObservationsResponse, RelationResponse,
};
use crate::domain::memory::bullet::{Bullet, BulletId, Kind};
use crate::domain::memory::delta::{BulletRef, NewBullet, Operation, Removal};

/// The tag of an entity.
pub const ENTITY: &str = "entity";
/// The tag of an observation.
pub const OBSERVATION: &str = "observation";
/// The tag of a relation.
pub const RELATION: &str = "relation";

/// Why bullets are archived, for the history.
const REASON: &str = "deleted from the graph";

/// The graph of a memory.
#[derive(Default)]
pub struct Graph {
    entities: Vec<Entity>,
    by_name: HashMap<String, usize>,
    relations: Vec<(BulletId, RelationResponse)>,
}

struct Entity {
    name: String,
    entity_type: String,
    /// Bullets that only say that it exists.
    bullets: Vec<BulletId>,
    observations: Vec<(BulletId, String)>,
}

impl Graph {
    /// Reads the graph from the bullets of a memory, in their order.
    pub fn of(bullets: &[Bullet]) -> Self {
        let mut graph = Self::default();
        for bullet in bullets.iter().filter(|bullet| bullet.is_active()) {
            let Some(name) = &bullet.topic else { continue };
            let has = |tag: &str| bullet.tags.iter().any(|own| own == tag);
            let section = bullet.section.clone().unwrap_or_default();
            if has(RELATION) {
                let to = bullet.concept.clone().unwrap_or_default();
                let relation = RelationResponse {
                    from: name.clone(),
                    to,
                    relation_type: section,
                };
                graph.relations.push((bullet.id, relation));
            } else if has(OBSERVATION) {
                let text = bare(name, bullet.content.as_str()).to_owned();
                graph
                    .entity(name, &section)
                    .observations
                    .push((bullet.id, text));
            } else if has(ENTITY) {
                graph.entity(name, &section).bullets.push(bullet.id);
            }
        }
        graph
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
        let found = names.iter().filter_map(|name| self.known(name));
        let named: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let touches = |one: &RelationResponse| {
            named.contains(one.from.as_str()) || named.contains(one.to.as_str())
        };
        let relations = self.relations.iter().map(|(_, one)| one);
        GraphResponse {
            entities: found.map(Entity::shown).collect(),
            relations: relations.filter(|one| touches(one)).cloned().collect(),
        }
    }

    /// The entities that bullets belong to, in the order of the bullets.
    pub fn names_of(&self, bullets: &[Bullet]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in bullets.iter().filter_map(|bullet| bullet.topic.as_ref()) {
            if self.by_name.contains_key(name) && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
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
}

/// The text of an observation without the name before it.
fn bare<'t>(name: &str, content: &'t str) -> &'t str {
    let rest = content
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(": "));
    rest.unwrap_or(content)
}

/// What is to change, collected into one delta.
#[derive(Default)]
pub struct Plan {
    /// The operations.
    pub operations: Vec<Operation>,
    /// Entities that are new.
    pub entities: Vec<EntityResponse>,
    /// Relations that are new.
    pub relations: Vec<RelationResponse>,
    /// Observations that are new.
    pub observations: Vec<ObservationsResponse>,
    /// Bullets that go.
    pub deleted: usize,
}

impl Plan {
    /// Creates entities; one that exists is left as it is.
    pub fn create_entities(&mut self, graph: &Graph, asked: Vec<EntityResponse>) {
        for entity in asked {
            let is_planned = self.entities.iter().any(|one| one.name == entity.name);
            if is_planned || graph.known(&entity.name).is_some() {
                continue;
            }
            let (name, kind) = (&entity.name, &entity.entity_type);
            let says = format!("{name} is a {kind}");
            self.add(name, (kind, None), ENTITY, says);
            for text in &entity.observations {
                self.add(name, (kind, None), OBSERVATION, format!("{name}: {text}"));
            }
            self.entities.push(entity);
        }
    }

    /// Creates relations; one that exists is left as it is.
    pub fn create_relations(&mut self, graph: &Graph, asked: Vec<RelationResponse>) {
        for relation in asked {
            let exists = graph.relations.iter().any(|(_, one)| *one == relation);
            if exists || self.relations.contains(&relation) {
                continue;
            }
            let kind = relation.relation_type.replace('_', " ");
            let says = format!("{} {kind} {}", relation.from, relation.to);
            let heading = (relation.relation_type.as_str(), Some(relation.to.as_str()));
            self.add(&relation.from, heading, RELATION, says);
            self.relations.push(relation);
        }
    }

    /// Adds observations to entities; those that are there already are left out.
    ///
    /// # Errors
    /// `no_entity` for one that does not exist; then nothing changes.
    pub fn add_observations(
        &mut self,
        graph: &Graph,
        asked: Vec<ObservationsResponse>,
    ) -> Result<(), Problem> {
        for one in asked {
            let entity = graph.known(&one.entity).ok_or_else(|| {
                let name = one.entity.escape_debug();
                Problem::new("no_entity", format!("there is no entity `{name}`"))
                    .with_hint("create it first; nothing was changed")
            })?;
            let is_new = |text: &String| entity.observations.iter().all(|(_, own)| own != text);
            let new: Vec<String> = one.observations.into_iter().filter(is_new).collect();
            for text in &new {
                let says = format!("{}: {text}", entity.name);
                self.add(&entity.name, (&entity.entity_type, None), OBSERVATION, says);
            }
            self.observations.push(ObservationsResponse {
                entity: one.entity,
                observations: new,
            });
        }
        Ok(())
    }

    /// Deletes entities with their observations and relations; names that nobody has are passed over.
    pub fn delete_entities(&mut self, graph: &Graph, names: &[String]) {
        for entity in names.iter().filter_map(|name| graph.known(name)) {
            let observations = entity.observations.iter().map(|(id, _)| *id);
            for id in entity.bullets.iter().copied().chain(observations) {
                self.remove(id);
            }
        }
        for (id, relation) in &graph.relations {
            if names.contains(&relation.from) || names.contains(&relation.to) {
                self.remove(*id);
            }
        }
    }

    /// Deletes observations; the entity stays, if only one of its texts said that it is there.
    pub fn delete_observations(&mut self, graph: &Graph, asked: &[ObservationsResponse]) {
        for one in asked {
            let Some(entity) = graph.known(&one.entity) else {
                continue;
            };
            let mut left = entity.observations.len();
            for (id, text) in &entity.observations {
                if one.observations.contains(text) {
                    self.remove(*id);
                    left -= 1;
                }
            }
            if left == 0 && entity.bullets.is_empty() {
                let says = format!("{} is a {}", entity.name, entity.entity_type);
                self.add(&entity.name, (&entity.entity_type, None), ENTITY, says);
            }
        }
    }

    /// Deletes relations.
    pub fn delete_relations(&mut self, graph: &Graph, asked: &[RelationResponse]) {
        for (id, relation) in &graph.relations {
            if asked.contains(relation) {
                self.remove(*id);
            }
        }
    }

    fn add(&mut self, topic: &str, heading: (&str, Option<&str>), tag: &str, content: String) {
        let (section, concept) = heading;
        self.operations.push(Operation::Add(Box::new(NewBullet {
            content,
            section: Some(section.to_owned()).filter(|section| !section.is_empty()),
            tags: vec![tag.to_owned()],
            kind: Some(Kind::Fact),
            topic: Some(topic.to_owned()),
            concept: concept.map(str::to_owned),
            ..NewBullet::default()
        })));
    }

    fn remove(&mut self, id: BulletId) {
        let removal = Removal {
            id: BulletRef::from(id),
            reason: Some(REASON.to_owned()),
        };
        let operation = Operation::Remove(removal);
        if !self.operations.contains(&operation) {
            self.operations.push(operation);
            self.deleted += 1;
        }
    }
}
