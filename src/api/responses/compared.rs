//! What a comparison answers: the same trace through several memories.

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::prompt::estimated_tokens;

/// The same trace through several memories.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparisonResponse {
    /// What is compared: `memories`.
    pub compare: &'static str,
    /// The trace.
    pub trace: TraceResponse,
    /// Messages that the transcript keeps.
    pub last: usize,
    /// Bullets that a memory may hold; null: each its own limit.
    pub max_bullets: Option<u64>,
    /// The memories.
    pub rows: Vec<ComparedMemory>,
}

/// A trace in figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct TraceResponse {
    /// File that it is from; null for the built-in one.
    pub file: Option<String>,
    /// Its steps.
    pub steps: usize,
    /// Deltas among them.
    pub deltas: usize,
    /// Messages among them.
    pub messages: usize,
    /// Retrievals among them.
    pub retrievals: usize,
}

/// A memory after the trace.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedMemory {
    /// Its name.
    pub memory: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Messages or active bullets that it holds in the end.
    pub size: usize,
    /// Bullets that it put away.
    pub put_away: usize,
    /// Pairs of texts that say the same and are left.
    pub near_duplicates: usize,
    /// Pairs that are linked because they must not be merged.
    pub kept_apart: usize,
    /// Characters of a prompt, on average.
    pub prompt_chars: f64,
    /// Estimated tokens of a prompt, on average.
    pub prompt_tokens: f64,
    /// Milliseconds for one delta, on average.
    pub learn_ms: f64,
    /// Milliseconds for one retrieval, on average.
    pub retrieve_ms: f64,
    /// The answers, in the order of the trace.
    pub answers: Vec<ComparedAnswer>,
}

/// The answer to one query.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedAnswer {
    /// What was asked.
    pub query: String,
    /// What was returned.
    pub results: Vec<ComparedText>,
    /// Characters of the prompt that it makes.
    pub prompt_chars: usize,
    /// Estimated tokens of that prompt.
    pub prompt_tokens: usize,
    /// Milliseconds that it took.
    pub ms: f64,
}

/// One returned text.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedText {
    /// Position, from 1.
    pub rank: usize,
    /// Id of the bullet, or position of the message in the trace.
    pub id: String,
    /// The text.
    pub content: String,
    /// Score; null for a transcript, which has none.
    pub score: Option<f64>,
}

impl ComparedAnswer {
    /// The answer that a prompt carries.
    pub fn new(query: &str, results: Vec<ComparedText>, prompt: &str, ms: f64) -> Self {
        Self {
            query: query.to_owned(),
            results,
            prompt_chars: prompt.chars().count(),
            prompt_tokens: estimated_tokens(prompt),
            ms,
        }
    }

    /// The position of a text.
    pub fn rank_of(&self, content: &str) -> Option<usize> {
        let place = self.results.iter().find(|place| place.content == content);
        place.map(|place| place.rank)
    }
}
