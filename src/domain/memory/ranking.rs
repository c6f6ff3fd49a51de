//! The answer of one memory to a query, with the explanation of every score.

use super::bullet::BulletId;
use super::policy::{Profile, Weights};

/// The parts of a combined score before weighting.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parts {
    /// How well the text answers the query, 0..=1.
    pub relevance: f64,
    /// How strong the memory of it is; 0..=1 in the engine profile.
    pub strength: f64,
    /// Priority of the memory type.
    pub memory_type: f64,
    /// Added for facets and topic.
    pub bonus: f64,
}

/// A returned bullet with the explanation of its score.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The bullet.
    pub id: BulletId,
    /// Combined score.
    pub score: f64,
    /// What it is made of.
    pub parts: Parts,
    /// Part of the relevance that came from linked neighbours.
    pub from_neighbours: f64,
    /// Ticks since the last touch.
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
    /// Why it was left out.
    pub reason: String,
}

/// The answer of one memory to a query.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// How it was scored.
    pub profile: Profile,
    /// With which weights.
    pub weights: Weights,
    /// Clock that it was ranked at.
    pub clock: u64,
    /// Revision that it was ranked at.
    pub revision: u64,
    /// Best first.
    pub hits: Vec<Hit>,
    /// The best of those left out.
    pub near_misses: Vec<NearMiss>,
    /// Seed bullets, which go with every answer of the engine profile, neither ranked nor touched.
    pub meta_strategies: Vec<BulletId>,
}
