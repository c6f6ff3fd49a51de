//! The answer of one memory to a query, with the explanation of every score.
//!
//! Scores and parts are the computed floats, unrounded, so that an answer can be verified to the last bit.

use crate::memory::bullet::BulletId;
use crate::memory::content::vectors::COSINE_WEIGHT;
use crate::memory::policy::{Profile, Weights};

/// The parts of a combined score before weighting.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parts {
    /// How well the words of the text match the query, 0..=1.
    pub relevance: f64,
    /// Cosine of the text's vector and the query's; `None` below the floor of the model, and without vectors.
    pub cosine: Option<f64>,
    /// Strength of the bullet; 0..=1 in the engine profile, 0 or more in others.
    pub strength: f64,
    /// Priority of the memory type, 0..=1.
    pub memory_type: f64,
    /// Sum of the bonuses for tags and topic.
    pub bonus: f64,
}

impl Parts {
    /// Returns the relevance by words and by meaning: relevance + [`COSINE_WEIGHT`] · cosine.
    pub fn total_relevance(&self) -> f64 {
        self.relevance + self.cosine.map_or(0.0, |cosine| COSINE_WEIGHT * cosine)
    }
}

/// A returned bullet with the explanation of its score.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The bullet.
    pub id: BulletId,
    /// Combined score.
    pub score: f64,
    /// The parts of the score.
    pub parts: Parts,
    /// Part of the relevance that came from linked neighbours.
    pub from_neighbours: f64,
    /// Ticks since the last touch; 0 for a bullet without one.
    pub decay_ticks: u64,
    /// Words of the query that the bullet has.
    pub matched: Vec<String>,
}

/// A bullet that was nearly returned.
#[derive(Clone, PartialEq, Debug)]
pub struct NearMiss {
    /// The bullet.
    pub id: BulletId,
    /// Combined score.
    pub score: f64,
    /// Why it is not a hit.
    pub reason: String,
}

/// The answer of one memory to a query.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// The profile of the scores.
    pub profile: Profile,
    /// The weights of the scores.
    pub weights: Weights,
    /// Clock of the memory at the ranking.
    pub clock: u64,
    /// Revision of the memory at the ranking.
    pub revision: u64,
    /// Hits, best first.
    pub hits: Vec<Hit>,
    /// The best bullets that are not hits, best first.
    pub near_misses: Vec<NearMiss>,
    /// Seed bullets, which go with every answer of the engine profile, neither ranked nor touched.
    pub meta_strategies: Vec<BulletId>,
}
