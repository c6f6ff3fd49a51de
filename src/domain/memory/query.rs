//! The question that is put to a memory.

use super::bullet::MemoryType;
use super::policy::Profile;

/// Bullets that a retrieval returns unless it says otherwise.
pub const TOP_K_DEFAULT: usize = 10;
/// The most bullets that one retrieval returns.
pub const TOP_K_MAX: usize = 10_000;
/// The longest query, in characters.
pub const QUERY_MAX_CHARS: usize = 65_536;

/// What a topic in the query does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TopicMode {
    /// Only bullets of this topic, or of none, take part.
    #[default]
    Filter,
    /// Bullets of this topic rank higher.
    Boost,
}

/// What is asked of one memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// The words.
    pub text: String,
    /// At most this many bullets.
    pub top_k: usize,
    /// Any of these tags, without case; empty: all.
    pub tags: Vec<String>,
    /// Any of these memory types; empty: all.
    pub memory_types: Vec<MemoryType>,
    /// The subject.
    pub topic: Option<String>,
    /// What the subject does.
    pub topic_mode: TopicMode,
    /// Least strength part (in classic mode: least decayed score).
    pub min_score: f64,
    /// Bullets tagged visual or diagram rank higher.
    pub needs_visual: bool,
    /// Bullets with this tag rank higher.
    pub persona_request: Option<String>,
    /// The next step is asked for.
    pub next_step: bool,
    /// How to score; absent: as the policy says.
    pub profile: Option<Profile>,
}

impl Query {
    /// A query without filters.
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
            profile: None,
        }
    }
}
