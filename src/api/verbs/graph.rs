//! Verbs about the knowledge graph in a memory.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deltas::apply;
use crate::delta_input::DeltaInput;
use crate::graph::{Graph, Plan, Planned, bullets_around, names_near, names_of, without_tags};
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::graph::{
    EntityResponse, GraphChanged, GraphResponse, ObservationsResponse, RelationResponse,
};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::delta::DeltaId;

/// Read the knowledge graph of a memory: all of it, named entities, or those that words find.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadGraph {
    /// Only these entities, with the relations that touch them; of an empty list none.
    #[serde(default)]
    pub names: Option<Vec<String>>,
    /// Only entities whose name, type or observations these words find, the best first.
    #[serde(default)]
    #[schemars(length(max = 4_000))]
    pub query: Option<String>,
}

impl Verb for ReadGraph {
    verb!("graph.read", Memory, Reads, idempotent -> GraphResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let Some(words) = self.query.filter(|words| !words.trim().is_empty()) else {
            let read = |memory: &Memory| match &self.names {
                Some(names) => Graph::around(memory, names).shown(Some(names)),
                None => Graph::of(&memory.active_bullets().collect::<Vec<_>>()).shown(None),
            };
            return Ok(engine.read_memory(key, read).await?);
        };
        let names = self.names.unwrap_or_default();
        // Each part of the graph has its kind as a tag, and a search looks into tags.
        let ranked = engine.ranked_bullets(key, &without_tags(&words)).await?;
        let read = |memory: &Memory| {
            let found = names_of(memory, &ranked);
            let near = names_near(memory, &words);
            let graph = Graph::around(memory, &[&names[..], &found, &near].concat());
            let found: Vec<String> = found
                .iter()
                .filter(|name| graph.has(name))
                .cloned()
                .collect();
            let with = graph.names_with(&words);
            graph.shown(Some(&[&names[..], &found, &with].concat()))
        };
        Ok(engine.read_memory(key, read).await?)
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.entities.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.entities.is_empty() && answer.relations.is_empty()
    }
}

/// Change the knowledge graph of a memory by one delta: create and delete entities, observations and relations.
///
/// Existing elements stay as they are. An observation is a bullet like any other: nearly the same words about the same
/// entity become one. The answer lists the new elements, and in `notes` those that were not made.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeGraph {
    /// Id of the change; sent again with the same id, it is made once. By default a fresh one.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
    /// Entities to create.
    #[serde(default)]
    pub create_entities: Vec<EntityResponse>,
    /// Relations to create.
    #[serde(default)]
    pub create_relations: Vec<RelationResponse>,
    /// Observations to add to entities that exist.
    #[serde(default)]
    pub add_observations: Vec<ObservationsResponse>,
    /// Names of entities to delete, with their observations and relations.
    #[serde(default)]
    pub delete_entities: Vec<String>,
    /// Observations to delete.
    #[serde(default)]
    pub delete_observations: Vec<ObservationsResponse>,
    /// Relations to delete.
    #[serde(default)]
    pub delete_relations: Vec<RelationResponse>,
}

impl Verb for ChangeGraph {
    verb!("graph.change", Memory, Writes, idempotent -> GraphChanged);
    const MISSING_STORE: MissingStore = MissingStore::Create;
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let names = self.names();
        let plan = |memory: &Memory| self.planned(memory, &names);
        let mut planned = engine.read_memory(key, plan).await??;
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        let delta = DeltaInput {
            id: id.map_err(|reason| Problem::new("invalid_delta_id", reason))?,
            operations: std::mem::take(&mut planned.operations),
            ..DeltaInput::default()
        };
        if delta.operations.is_empty() {
            return Ok(planned.made(&Graph::default(), None));
        }
        let applied = apply(context, delta).await?;
        // A memory merges near-duplicates, so the answer reports the present elements.
        let after = |memory: &Memory| Graph::around(memory, &names);
        let graph = engine.read_memory(key, after).await?;
        let made = planned.made(&graph, Some((key, &applied.delta)));
        Ok(GraphChanged {
            applied: Some(applied),
            ..made
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer
            .applied
            .as_ref()
            .is_some_and(|applied| applied.is_refused)
    }
}

impl ChangeGraph {
    /// The entities that it names.
    fn names(&self) -> Vec<String> {
        let created = self.create_entities.iter().map(|one| &one.name);
        let observed = self
            .add_observations
            .iter()
            .chain(&self.delete_observations);
        let related = self.create_relations.iter().chain(&self.delete_relations);
        let names = created.chain(observed.map(|one| &one.entity));
        let names = names.chain(related.map(|one| &one.from));
        names.chain(&self.delete_entities).cloned().collect()
    }

    fn planned(&self, memory: &Memory, names: &[String]) -> Result<Planned, Problem> {
        let bullets = bullets_around(memory, names);
        let graph = Graph::of(&bullets);
        let mut plan = Plan::new(memory, &bullets, &graph);
        plan.delete_relations(&self.delete_relations);
        plan.delete_observations(&self.delete_observations);
        plan.delete_entities(&self.delete_entities);
        plan.create_entities(self.create_entities.clone());
        plan.add_observations(self.add_observations.clone())?;
        plan.create_relations(self.create_relations.clone());
        Ok(plan.end())
    }
}
