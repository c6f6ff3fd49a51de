//! A knowledge graph in the form of all surfaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DeltaApplied;

/// Entities, and relations between them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct GraphResponse {
    /// The entities.
    pub entities: Vec<EntityResponse>,
    /// The relations.
    pub relations: Vec<RelationResponse>,
}

/// A thing with a name.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityResponse {
    /// Its name, which nothing else has.
    #[schemars(length(min = 1, max = 256))]
    pub name: String,
    /// Its type, such as `person` or `project`.
    #[schemars(length(max = 256))]
    pub entity_type: String,
    /// Known facts, one text each.
    #[serde(default)]
    pub observations: Vec<String>,
}

/// A relation from one entity to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationResponse {
    /// Name of the entity that it goes from.
    #[schemars(length(min = 1, max = 256))]
    pub from: String,
    /// Name of the entity that it goes to.
    #[schemars(length(min = 1, max = 256))]
    pub to: String,
    /// Its type, in the active voice, such as `works_at`.
    #[schemars(length(min = 1, max = 256))]
    pub relation_type: String,
}

/// Observations about an entity.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationsResponse {
    /// Name of the entity.
    #[schemars(length(min = 1, max = 256))]
    pub entity: String,
    /// The observations.
    pub observations: Vec<String>,
}

/// The result of a change of the graph.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct GraphChanged {
    /// Entities that are new.
    pub entities: Vec<EntityResponse>,
    /// Relations that are new.
    pub relations: Vec<RelationResponse>,
    /// Observations that are new, by entity.
    pub observations: Vec<ObservationsResponse>,
    /// Bullets archived by the deletions.
    pub deleted: usize,
    /// Requested changes that were not made, with reasons.
    pub notes: Vec<String>,
    /// The delta of the change; null if there was nothing to change.
    pub applied: Option<DeltaApplied>,
}
