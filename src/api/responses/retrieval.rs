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
    /// Planted advice that goes with the answer.
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
#[allow(missing_docs, reason = "the fields are those of a standing")]
pub struct StandingResponse {
    pub scope: String,
    pub clock: u64,
    pub revision: u64,
    pub tick: Option<u64>,
}

/// One returned bullet.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a hit and its bullet")]
pub struct ResultResponse {
    pub rank: usize,
    #[schemars(with = "Id")]
    pub id: BulletId,
    pub content: String,
    pub score: f64,
    pub parts: PartsResponse,
    #[schemars(with = "Word<MemoryType>")]
    pub memory_type: MemoryType,
    #[schemars(with = "Word<Kind>")]
    pub kind: Kind,
    pub tags: Vec<String>,
    pub helpful: u64,
    pub harmful: u64,
    pub neutral: u64,
    pub matched: Vec<String>,
    pub decay_ticks: u64,
    pub from_neighbours: f64,
    pub section: Option<String>,
    pub topic: Option<String>,
    pub scope: String,
    /// Active bullets that say the opposite.
    #[schemars(with = "Vec<Id>")]
    pub conflicts_with: Vec<BulletId>,
}

/// The parts of a score before weighting.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of the parts")]
pub struct PartsResponse {
    pub relevance: f64,
    pub strength: f64,
    #[serde(rename = "type")]
    pub memory_type: f64,
    pub bonus: f64,
}

/// A bullet that was nearly returned.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a near miss")]
pub struct NearMissResponse {
    #[schemars(with = "Id")]
    pub id: BulletId,
    pub score: f64,
    pub reason: String,
    pub content: String,
}

/// A piece of planted advice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub struct AdviceResponse {
    #[schemars(with = "Id")]
    pub id: BulletId,
    pub content: String,
}

/// A text for a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the fields are those of a prompt")]
pub struct PromptResponse {
    pub text: String,
    pub bullets: usize,
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
