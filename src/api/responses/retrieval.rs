//! The answer to a retrieval: results with reasons, and near misses.

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::playbooks::RankedStrategyResponse;
use super::prompt::PromptResponse;
use crate::prompt::Kept;
use crate::schema::{Id, Word};
use hindlore::{MemoryPosition, NamedBullet, Retrieved, RetrievedBullet};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Kind, MemoryType};
use hindlore_domain::memory::policy::{Profile, Weights};
use hindlore_domain::memory::rank::{NearMiss, Parts};

/// The answer to a retrieval.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RetrievalResponse {
    /// Id for later feedback; null if nothing was recorded.
    pub retrieval: Option<String>,
    /// Clock at which the named memory was ranked.
    pub clock: u64,
    /// Revision at which the named memory was ranked.
    pub revision: u64,
    /// Tick of the retrieval in the named memory.
    pub tick: Option<u64>,
    /// True if it left no trace.
    pub peek: bool,
    /// Why it left none although it should have: the store takes no writes now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_recorded: Option<String>,
    /// Scoring profile.
    #[schemars(with = "Word<Profile>")]
    pub profile: Profile,
    /// Weights of the score.
    pub weights: WeightsResponse,
    /// All memories that took part, the named one first.
    pub memories: Vec<StandingResponse>,
    /// Results, best first.
    pub results: Vec<ResultResponse>,
    /// The best of those left out.
    pub near_misses: Vec<NearMissResponse>,
    /// Seed bullets that accompany the answer.
    pub meta_strategies: Vec<AdviceResponse>,
    /// Returned bullets beyond the token budget.
    pub beyond_budget: usize,
    /// The results as text for a prompt, if requested.
    pub prompt: Option<PromptResponse>,
    /// Strategies that fit the query, best first; absent unless requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<RankedStrategyResponse>>,
    /// `by meaning`, or `by words` and why; absent without a model for embeddings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embeddings: Option<String>,
    /// Secrets redacted from the recorded query; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

/// Weights of the parts of a score.
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

/// The position of a memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StandingResponse {
    /// Scope of the memory.
    pub scope: String,
    /// Clock when ranked.
    pub clock: u64,
    /// Revision when ranked.
    pub revision: u64,
    /// Tick of the retrieval in it; null if nothing was recorded.
    pub tick: Option<u64>,
}

/// A returned bullet.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ResultResponse {
    /// Rank in the answer, from 1.
    pub rank: usize,
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text, or its best passage if it is larger than the budget.
    pub content: String,
    /// True if the text was cut to a passage.
    pub cut: bool,
    /// Score used for ranking.
    pub score: f64,
    /// The parts of the score.
    pub parts: PartsResponse,
    /// How fast it fades.
    #[schemars(with = "Word<MemoryType>")]
    pub memory_type: MemoryType,
    /// Kind of advice.
    #[schemars(with = "Word<Kind>")]
    pub kind: Kind,
    /// Its tags, without memory types.
    pub tags: Vec<String>,
    /// Helpful votes.
    pub helpful: u64,
    /// Harmful votes.
    pub harmful: u64,
    /// Neutral votes.
    pub neutral: u64,
    /// Words of the query it contains.
    pub matched: Vec<String>,
    /// Ticks since its last touch.
    pub decay_ticks: u64,
    /// Part of its relevance that comes from linked bullets.
    pub from_neighbours: f64,
    /// Section heading; null: none.
    pub section: Option<String>,
    /// Topic; null: none.
    pub topic: Option<String>,
    /// Scope of its memory.
    pub scope: String,
    /// Active bullets that contradict it.
    #[schemars(with = "Vec<Id>")]
    pub conflicts_with: Vec<BulletId>,
    /// Active bullet with the newest value for its subject; null: it is current.
    #[schemars(with = "Option<Id>")]
    pub superseded_by: Option<BulletId>,
    /// Texts of the bullets that contradict or replace it, each once, with its id.
    pub beside: Vec<BesideResponse>,
}

/// A related bullet of a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BesideResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub content: String,
}

impl From<&NamedBullet> for BesideResponse {
    fn from(named: &NamedBullet) -> Self {
        Self {
            id: named.id,
            content: named.content.clone(),
        }
    }
}

/// The parts of a score before weighting.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PartsResponse {
    /// How well its words fit the query, in 0..=1.
    pub relevance: f64,
    /// Cosine with the query, which adds 0.6 times itself to the relevance; absent below the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f64>,
    /// How strong the memory of it is; in 0..=1 under the profile `engine`.
    pub strength: f64,
    /// Priority of its memory type.
    #[serde(rename = "type")]
    pub memory_type: f64,
    /// Bonus for facets and topic.
    pub bonus: f64,
}

/// A bullet that was nearly returned.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct NearMissResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its score.
    pub score: f64,
    /// Why it was left out.
    pub reason: String,
    /// Its text.
    pub content: String,
}

/// A seed bullet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct AdviceResponse {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub content: String,
}

impl RetrievalResponse {
    /// The answer as a wire shape; the surface adds budget and prompt.
    pub fn from_retrieved(retrieved: &Retrieved, peek: bool) -> Self {
        let ranking = &retrieved.ranking;
        Self {
            redacted: RedactedResponse::from_redactions(&retrieved.redacted),
            clock: ranking.clock,
            revision: ranking.revision,
            tick: retrieved.memories.first().and_then(|memory| memory.tick),
            peek: peek || retrieved.not_recorded.is_some(),
            not_recorded: retrieved.not_recorded.clone(),
            profile: ranking.profile,
            weights: ranking.weights.into(),
            memories: retrieved
                .memories
                .iter()
                .map(StandingResponse::from)
                .collect(),
            results: (1..)
                .zip(&retrieved.bullets)
                .map(|(rank, found)| ResultResponse::new(rank, found))
                .collect(),
            near_misses: retrieved
                .near_misses
                .iter()
                .map(|(miss, bullet)| NearMissResponse::new(miss, bullet))
                .collect(),
            meta_strategies: retrieved
                .meta_strategies
                .iter()
                .map(AdviceResponse::from)
                .collect(),
            beyond_budget: retrieved.beyond_budget,
            prompt: None,
            strategies: None,
            embeddings: retrieved.meaning.as_ref().map(ToString::to_string),
            retrieval: retrieved.retrieval.clone(),
        }
    }

    /// Leaves of each result larger than the budget the passage that is shown.
    pub(crate) fn cut_to(&mut self, kept: &[Kept]) {
        for one in kept {
            if let (Some(result), Some(passage)) = (self.results.get_mut(one.place), &one.passage) {
                result.content.clone_from(passage);
                result.cut = true;
            }
        }
    }
}

impl ResultResponse {
    fn new(rank: usize, found: &RetrievedBullet) -> Self {
        let (bullet, hit) = (&found.bullet, &found.hit);
        let (newer, conflicts) = (&found.beside.superseded_by, &found.beside.conflicts_with);
        Self {
            rank,
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
            cut: false,
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
            conflicts_with: conflicts.iter().map(|named| named.id).collect(),
            superseded_by: newer.as_ref().map(|named| named.id),
            beside: newer.iter().chain(conflicts).map(Into::into).collect(),
        }
    }
}

impl NearMissResponse {
    fn new(miss: &NearMiss, bullet: &Bullet) -> Self {
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
            cosine: parts.cosine,
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
