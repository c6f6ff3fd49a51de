//! The answer to a retrieval: what was returned and why, and what nearly was.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use crate::api::prompt::Prompt;
use crate::api::schema::{Id, Word};
use crate::domain::memory::bullet::{Bullet, BulletId, Kind, MemoryType};
use crate::domain::memory::policy::{Profile, Weights};
use crate::domain::memory::rank::{NearMiss, Parts};
use crate::engine::{MemoryPosition, Retrieved, RetrievedBullet};

/// The answer to a retrieval.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RetrievalResponse {
    /// Names the retrieval in later feedback; null when nothing was recorded.
    pub retrieval: Option<String>,
    /// Clock that the asked memory was ranked at.
    pub clock: u64,
    /// Revision that the asked memory was ranked at.
    pub revision: u64,
    /// The retrieval's own tick in the asked memory.
    pub tick: Option<u64>,
    /// True when it was a look that left no trace.
    pub peek: bool,
    /// How it was scored.
    #[schemars(with = "Word<Profile>")]
    pub profile: Profile,
    /// With which weights.
    pub weights: WeightsResponse,
    /// All memories that took part, the asked one first.
    pub memories: Vec<StandingResponse>,
    /// Best first.
    pub results: Vec<ResultResponse>,
    /// The best of those left out.
    pub near_misses: Vec<NearMissResponse>,
    /// Seed bullets that go with the answer.
    pub meta_strategies: Vec<AdviceResponse>,
    /// Returned bullets that the token budget left no room for.
    pub beyond_budget: usize,
    /// The results as text for a prompt, where that was asked for.
    pub prompt: Option<PromptResponse>,
    /// Secrets that were taken out of the recorded question; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// The weights of the parts of a score.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct WeightsResponse {
    /// Of the relevance part.
    pub relevance: f64,
    /// Of the strength part.
    pub strength: f64,
    /// Of the type priority.
    #[serde(rename = "type")]
    pub memory_type: f64,
}

impl From<Weights> for WeightsResponse {
    fn from(weights: Weights) -> Self {
        Self {
            relevance: weights.relevance,
            strength: weights.strength,
            memory_type: weights.memory_type,
        }
    }
}

/// Where a memory stood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StandingResponse {
    /// Scope of the memory.
    pub scope: String,
    /// Clock that it was ranked at.
    pub clock: u64,
    /// Revision that it was ranked at.
    pub revision: u64,
    /// Tick of the retrieval in it; null when nothing was recorded.
    pub tick: Option<u64>,
}

/// One returned bullet.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ResultResponse {
    /// Place in the answer, from 1.
    pub rank: usize,
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// What it says.
    pub content: String,
    /// Score that it was ranked by.
    pub score: f64,
    /// The parts of the score.
    pub parts: PartsResponse,
    /// How fast it fades.
    #[schemars(with = "Word<MemoryType>")]
    pub memory_type: MemoryType,
    /// What sort of advice it is.
    #[schemars(with = "Word<Kind>")]
    pub kind: Kind,
    /// Its tags, without the words for memory types.
    pub tags: Vec<String>,
    /// Votes that it helped.
    pub helpful: u64,
    /// Votes that it did harm.
    pub harmful: u64,
    /// Votes that it did neither.
    pub neutral: u64,
    /// Words of the query that it has.
    pub matched: Vec<String>,
    /// Ticks since its last touch.
    pub decay_ticks: u64,
    /// Part of its relevance that linked bullets gave it.
    pub from_neighbours: f64,
    /// Heading that it stands under; null: none.
    pub section: Option<String>,
    /// Subject that it is about; null: none.
    pub topic: Option<String>,
    /// Scope of the memory that it is from.
    pub scope: String,
    /// Active bullets that say the opposite.
    #[schemars(with = "Vec<Id>")]
    pub conflicts_with: Vec<BulletId>,
}

/// The parts of a score before weighting.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PartsResponse {
    /// How well it fits the query, in 0..=1.
    pub relevance: f64,
    /// How strong the memory of it is; in 0..=1 in the profile `engine`.
    pub strength: f64,
    /// Priority of its memory type.
    #[serde(rename = "type")]
    pub memory_type: f64,
    /// What is added for facets and subject.
    pub bonus: f64,
}

/// A bullet that was nearly returned.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct NearMissResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Score that it had.
    pub score: f64,
    /// Why it was left out.
    pub reason: String,
    /// What it says.
    pub content: String,
}

/// A seed bullet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct AdviceResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// What it says.
    pub content: String,
}

/// A text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PromptResponse {
    /// The text, fenced as data.
    pub text: String,
    /// Bullets in it, from the first on.
    pub bullets: usize,
    /// Its tokens, estimated.
    pub tokens: usize,
}

impl RetrievalResponse {
    /// The answer in the shape of the wire; the token budget and the prompt are the surface's.
    pub fn of(retrieved: Retrieved, peek: bool) -> Self {
        let ranking = &retrieved.ranking;
        Self {
            redacted: RedactedResponse::of(&retrieved.redacted),
            clock: ranking.clock,
            revision: ranking.revision,
            tick: retrieved.memories.first().and_then(|memory| memory.tick),
            peek,
            profile: ranking.profile,
            weights: ranking.weights.into(),
            memories: retrieved
                .memories
                .iter()
                .map(StandingResponse::from)
                .collect(),
            results: (1..)
                .zip(&retrieved.bullets)
                .map(|(rank, found)| ResultResponse::of(rank, found))
                .collect(),
            near_misses: retrieved
                .near_misses
                .iter()
                .map(|(miss, bullet)| NearMissResponse::of(miss, bullet))
                .collect(),
            meta_strategies: retrieved
                .meta_strategies
                .iter()
                .map(AdviceResponse::from)
                .collect(),
            beyond_budget: 0,
            prompt: None,
            retrieval: retrieved.retrieval,
        }
    }
}

impl ResultResponse {
    fn of(rank: usize, found: &RetrievedBullet) -> Self {
        let (bullet, hit) = (&found.bullet, &found.hit);
        Self {
            rank,
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
            score: hit.score,
            parts: hit.parts.into(),
            memory_type: bullet.memory_type,
            kind: bullet.kind,
            tags: bullet.tags.clone(),
            helpful: bullet.counts.helpful,
            harmful: bullet.counts.harmful,
            neutral: bullet.counts.neutral,
            matched: hit.matched.clone(),
            decay_ticks: hit.decay_ticks,
            from_neighbours: hit.from_neighbours,
            section: bullet.section.clone(),
            topic: bullet.topic.clone(),
            scope: found.scope.clone(),
            conflicts_with: found.conflicts_with.clone(),
        }
    }
}

impl NearMissResponse {
    fn of(miss: &NearMiss, bullet: &Bullet) -> Self {
        Self {
            id: miss.id,
            score: miss.score,
            reason: miss.reason.clone(),
            content: bullet.content.as_str().to_owned(),
        }
    }
}

impl From<Parts> for PartsResponse {
    fn from(parts: Parts) -> Self {
        Self {
            relevance: parts.relevance,
            strength: parts.strength,
            memory_type: parts.memory_type,
            bonus: parts.bonus,
        }
    }
}

impl From<&MemoryPosition> for StandingResponse {
    fn from(standing: &MemoryPosition) -> Self {
        Self {
            scope: standing.scope.clone(),
            clock: standing.clock,
            revision: standing.revision,
            tick: standing.tick,
        }
    }
}

impl From<&Bullet> for AdviceResponse {
    fn from(bullet: &Bullet) -> Self {
        Self {
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
        }
    }
}

impl From<Prompt> for PromptResponse {
    fn from(prompt: Prompt) -> Self {
        Self {
            text: prompt.text,
            bullets: prompt.bullets,
            tokens: prompt.tokens,
        }
    }
}
