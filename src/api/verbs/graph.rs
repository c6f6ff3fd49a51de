//! Verbs about the knowledge graph in a memory.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deltas::apply;
use crate::delta_input::DeltaInput;
use crate::graph::{Graph, Plan, without_tags};
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::graph::{
    EntityResponse, GraphChanged, GraphResponse, ObservationsResponse, RelationResponse,
};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::{BulletFilter, MemoryView};
use hindlore_domain::memory::bullet::Status;
use hindlore_domain::memory::delta::DeltaId;

/// Most entities of a search.
const FOUND_MAX: usize = 1_000;

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
        let view = context.engine.view(&context.key).await?;
        let Some(view) = view else {
            return Ok(Graph::default().shown(None));
        };
        let graph = Graph::of(&view.bullets);
        let Some(words) = self.query.filter(|words| !words.trim().is_empty()) else {
            return Ok(graph.shown(self.names.as_deref()));
        };
        let mut names = self.names.unwrap_or_default();
        let filter = BulletFilter {
            kind: None,
            status: Some(Status::Active),
            learned_only: true,
            limit: FOUND_MAX,
        };
        // Each part of the graph has its kind as a tag, and a search looks into tags.
        let ranked = without_tags(&words);
        if !ranked.is_empty() {
            let (engine, key) = (&context.engine, &context.key);
            let found = engine.search_bullets(key, &ranked, filter).await?;
            names.extend(graph.names_of(&found.bullets));
        }
        names.extend(graph.names_with(&words));
        Ok(graph.shown(Some(&names)))
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
        let view = engine.view(key).await?;
        let graph = graph_of(view.as_ref());
        let mut plan = Plan::new(&graph, view.as_ref());
        plan.delete_relations(&self.delete_relations);
        plan.delete_observations(&self.delete_observations);
        plan.delete_entities(&self.delete_entities);
        plan.create_entities(self.create_entities);
        plan.add_observations(self.add_observations)?;
        plan.create_relations(self.create_relations);
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        let delta = DeltaInput {
            id: id.map_err(|reason| Problem::new("invalid_delta_id", reason))?,
            operations: std::mem::take(&mut plan.operations),
            ..DeltaInput::default()
        };
        if delta.operations.is_empty() {
            return Ok(plan.made(&graph, None));
        }
        let applied = apply(context, delta).await?;
        // A memory merges near-duplicates, so the answer reports the present elements.
        let view = engine.view(key).await?;
        let made = plan.made(&graph_of(view.as_ref()), Some((key, &applied.delta)));
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

fn graph_of(view: Option<&MemoryView>) -> Graph {
    view.map(|view| Graph::of(&view.bullets))
        .unwrap_or_default()
}
