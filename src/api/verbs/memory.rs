//! Verbs about whole memories.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::{CURSOR_MAX, page};
use crate::memory_page::memory_page;
use crate::named::{AnyLearner, Named};
use crate::problem::Problem;
use crate::responses::analyzed::PageResponse;
use crate::responses::figures::FiguresResponse;
use crate::responses::{DeltaApplied, DigestResponse, MemoriesResponse, MemoryRow, ReplayResponse};
use crate::verb::{Context, Verb, number, verb};
use hindlore::EngineError;
use hindlore_domain::memory::key::MemoryKey;

/// List the memories of the tenant, or those of one learner.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListMemories {
    /// Only memories of this learner.
    #[serde(default)]
    pub only_learner: Option<Named<AnyLearner>>,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "number::<1_000>")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: usize,
}

impl Verb for ListMemories {
    verb!("memory.list", Tenant, Reads, idempotent -> MemoriesResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let learner = match &self.only_learner {
            Some(learner) => Some(learner.open(context).await?),
            None => None,
        };
        let (tenant, learner) = (context.key.tenant(), learner.as_deref());
        let listed = context.engine.list_memories(tenant, learner).await?;
        let rows = listed.memories.iter().map(MemoryRow::from).collect();
        let wanted = (self.after.as_deref(), self.limit);
        let name = |row: &MemoryRow| format!("{}\n{}", row.learner, row.scope);
        let (memories, next) = page(rows, wanted, name)?;
        Ok(MemoriesResponse {
            memories,
            next,
            lessons_only: listed.lessons_only,
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.memories.is_empty() && answer.lessons_only.is_empty()
    }
}

/// Archive all bullets of a memory, by one delta that can be undone.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClearMemory {}

impl Verb for ClearMemory {
    verb!("memory.clear", Memory, Writes, idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (key, author) = (&context.key, context.author.clone());
        let cleared = context.engine.clear(key, author).await?;
        let cleared = cleared.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        Ok(cleared.into())
    }
}

/// Print the digests and the position of a memory.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowDigest {}

impl Verb for ShowDigest {
    verb!("digest", Memory, Reads, idempotent -> DigestResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        Ok(context.engine.memory_status(&context.key).await?.into())
    }
}

/// Rebuild a memory from its events, and compare the two.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayMemory {}

impl Verb for ReplayMemory {
    verb!("replay", Memory, Reads, idempotent -> ReplayResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let compared = context.engine.compare_replay(&context.key).await?;
        Ok(ReplayResponse::from(&compared))
    }

    fn fault(answer: &Self::Answer, key: &MemoryKey) -> Option<Problem> {
        if answer.sound {
            return None;
        }
        let message = format!("the memory {key} is not what its events make of it");
        let problem = Problem::new("replay_differs", message);
        Some(problem.with_hint("`doctor verify` names the bullets that differ"))
    }
}

/// Show the figures of a memory: counts, strengths, votes, usage, and growth.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowFigures {}

impl Verb for ShowFigures {
    verb!("memory.figures", Memory, Reads, idempotent -> FiguresResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let gathered = context.engine.memory_figures(&context.key).await?;
        Ok(FiguresResponse::from(&gathered))
    }
}

/// Draw a memory as one HTML page that needs nothing else: strength over ticks, growth, conflicts, families, bullets.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawMemory {}

impl Verb for DrawMemory {
    verb!("memory.page", Memory, Reads, idempotent -> PageResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let picture = context
            .engine
            .memory_picture(&context.key, &context.owner()?)
            .await?;
        let figures = FiguresResponse::from(&picture.figures);
        Ok(PageResponse {
            html: memory_page(&picture, &figures),
            bullets: picture.figures.view.bullets.len(),
        })
    }
}
