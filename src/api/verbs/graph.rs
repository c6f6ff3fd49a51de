//! Verbs about the knowledge graph in a memory.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deltas::apply;
use crate::api::delta_input::DeltaInput;
use crate::api::graph::{Graph, Plan};
use crate::api::problem::Problem;
use crate::api::responses::graph::{
    EntityResponse, GraphChanged, GraphResponse, ObservationsResponse, RelationResponse,
};
use crate::api::verb::{Context, Effect, MissingStore, Subject, Verb};
use crate::domain::memory::bullet::Status;
use crate::domain::memory::delta::DeltaId;
use crate::engine::BulletFilter;

/// Most entities of a search.
const FOUND_MAX: usize = 1_000;

/// Read the knowledge graph of a memory: all of it, named entities, or those that words find.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadGraph {
    /// Only these entities, with the relations that touch them.
    #[serde(default)]
    pub names: Vec<String>,
    /// Only entities whose name, type or observations these words find, the best first.
    #[serde(default)]
    #[schemars(length(max = 4_000))]
    pub query: Option<String>,
}

impl Verb for ReadGraph {
    const NAME: &'static str = "graph.read";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Reads;
    const IDEMPOTENT: bool = true;
    const MISSING_STORE: MissingStore = MissingStore::Empty;
    type Answer = GraphResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let graph = graph(context).await?;
        let mut names = self.names;
        let words = self.query.filter(|words| !words.trim().is_empty());
        if let Some(words) = &words {
            let filter = BulletFilter {
                status: Some(Status::Active),
                learned_only: true,
                limit: FOUND_MAX,
            };
            let (engine, key) = (&context.engine, &context.key);
            if engine.head(key).await?.is_some() {
                let found = engine.search_bullets(key, words, filter).await?;
                names.extend(graph.names_of(&found.bullets));
            }
        }
        let is_whole = names.is_empty() && words.is_none();
        Ok(graph.shown(if is_whole { None } else { Some(&names) }))
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
/// What exists already is left as it is. An observation is a bullet like any other: nearly the same words about the same
/// entity become one.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeGraph {
    /// Id of the change; sent again with the same id, it is made once. By default a fresh one.
    #[serde(default)]
    #[schemars(length(max = 256))]
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
    const NAME: &'static str = "graph.change";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = true;
    const MISSING_STORE: MissingStore = MissingStore::Made;
    const ONCE_BY: Option<&'static str> = Some("id");
    type Answer = GraphChanged;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let graph = graph(context).await?;
        let mut plan = Plan::default();
        plan.delete_relations(&graph, &self.delete_relations);
        plan.delete_observations(&graph, &self.delete_observations);
        plan.delete_entities(&graph, &self.delete_entities);
        plan.create_entities(&graph, self.create_entities);
        plan.add_observations(&graph, self.add_observations)?;
        plan.create_relations(&graph, self.create_relations);
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        let delta = DeltaInput {
            id: id.map_err(|reason| Problem::new("invalid_delta_id", reason))?,
            operations: plan.operations,
            ..DeltaInput::default()
        };
        let applied = if delta.operations.is_empty() {
            None
        } else {
            Some(apply(context, delta).await?)
        };
        Ok(GraphChanged {
            entities: plan.entities,
            relations: plan.relations,
            observations: plan.observations,
            deleted: plan.deleted,
            applied,
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer
            .applied
            .as_ref()
            .is_some_and(|applied| applied.is_refused)
    }
}

async fn graph(context: &Context) -> Result<Graph, Problem> {
    let view = context.engine.view(&context.key).await?;
    Ok(view
        .map(|view| Graph::of(&view.bullets))
        .unwrap_or_default())
}
