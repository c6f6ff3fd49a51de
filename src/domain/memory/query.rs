//! The query of a retrieval.
//!
//! It is data only: limits are checked at the surfaces, defaults are those of an unfiltered query.

use super::bullet::MemoryType;
use super::content::vectors::NearTexts;
use super::policy::Profile;
use hindlore_primitives::word_enum;

/// Default number of bullets that a retrieval returns.
pub const TOP_K_DEFAULT: usize = 10;
/// Maximum number of bullets that a retrieval returns.
pub const TOP_K_MAX: usize = 10_000;
/// The longest query, in characters.
pub const QUERY_MAX_CHARS: usize = 65_536;

/// How the topic of a query acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TopicMode {
    /// Admits only bullets of this topic or of none.
    #[default]
    Filter,
    /// Gives bullets of this topic a bonus.
    Boost,
}

word_enum! {
    /// Whether a ranking weighs the writers of bullets.
    Speaker {
        /// By the weights of the policy.
        Weighted = "weighted",
        /// A person's and an agent's words alike, as for a summary.
        Any = "any",
    }
}

/// A query on one memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// The text to match.
    pub text: String,
    /// Maximum number of hits, up to [`TOP_K_MAX`].
    pub top_k: usize,
    /// A hit has any of these tags, compared without case; empty for no filter.
    pub tags: Vec<String>,
    /// A hit has any of these memory types; empty for no filter.
    pub memory_types: Vec<MemoryType>,
    /// The topic asked about.
    pub topic: Option<String>,
    /// Whether the topic filters or boosts.
    pub topic_mode: TopicMode,
    /// Minimum strength part of a hit; in classic mode, minimum decayed score.
    pub min_score: f64,
    /// Gives bullets tagged `visual` or `diagram` a bonus.
    pub needs_visual: bool,
    /// Gives bullets with this tag a bonus; classic profiles also match it as text.
    pub persona_request: Option<String>,
    /// Asks for the next step; classic profiles add these words to the text.
    pub next_step: bool,
    /// Whether the writer of a bullet counts, in the engine profile.
    pub speaker: Speaker,
    /// How to score; `None` for the policy's profile.
    pub profile: Option<Profile>,
    /// The texts whose meaning is near, with their cosines, for the engine profile; `None` to rank by words alone.
    pub near: Option<NearTexts>,
}

impl Query {
    /// Creates a query for a text, without filters.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            top_k: TOP_K_DEFAULT,
            tags: Vec::new(),
            memory_types: Vec::new(),
            topic: None,
            topic_mode: TopicMode::Filter,
            min_score: 0.0,
            needs_visual: false,
            persona_request: None,
            next_step: false,
            speaker: Speaker::Weighted,
            profile: None,
            near: None,
        }
    }
}
