//! The answer of a comparison: the same trace through several memories.

use schemars::JsonSchema;
use serde::Serialize;

use crate::prompt::estimated_tokens;

/// One trace through several memories.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparisonResponse {
    /// The subject of the comparison: `memories`.
    pub compare: &'static str,
    /// The trace.
    pub trace: TraceResponse,
    /// Messages kept by the transcript.
    pub last: usize,
    /// The model that answered the queries; null if none was asked.
    pub model: Option<String>,
    /// Maximum bullets per memory; null: each has its own limit.
    pub max_bullets: Option<u64>,
    /// The memories.
    pub rows: Vec<ComparedMemory>,
}

/// A trace in figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct TraceResponse {
    /// Its file; null for the built-in trace.
    pub file: Option<String>,
    /// Number of steps.
    pub steps: usize,
    /// Number of deltas.
    pub deltas: usize,
    /// Number of messages.
    pub messages: usize,
    /// Number of retrievals.
    pub retrievals: usize,
}

/// A memory after the trace.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedMemory {
    /// Its name.
    pub memory: &'static str,
    /// Its description.
    pub about: &'static str,
    /// Messages or active bullets at the end.
    pub size: usize,
    /// Bullets archived.
    pub put_away: usize,
    /// Remaining pairs of equal texts.
    pub near_duplicates: usize,
    /// Linked pairs that must not be merged.
    pub kept_apart: usize,
    /// Mean characters of a prompt.
    pub prompt_chars: f64,
    /// Mean estimated tokens of a prompt.
    pub prompt_tokens: f64,
    /// Mean milliseconds per delta.
    pub learn_ms: f64,
    /// Mean milliseconds per retrieval.
    pub retrieve_ms: f64,
    /// Answers in the order of the trace.
    pub answers: Vec<ComparedAnswer>,
}

/// The answer to one query.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedAnswer {
    /// The query.
    pub query: String,
    /// Returned texts.
    pub results: Vec<ComparedText>,
    /// Characters of its prompt.
    pub prompt_chars: usize,
    /// Estimated tokens of its prompt.
    pub prompt_tokens: usize,
    /// Milliseconds taken.
    pub ms: f64,
    /// The answers of the model with these texts; null if it was not asked, or did not answer.
    pub answer: Option<String>,
    /// Why the model did not answer.
    pub unanswered: Option<String>,
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
    /// An answer with the size of its prompt.
    pub fn new(query: &str, results: Vec<ComparedText>, prompt: &str, ms: f64) -> Self {
        Self {
            query: query.to_owned(),
            results,
            prompt_chars: prompt.chars().count(),
            prompt_tokens: estimated_tokens(prompt),
            ms,
            answer: None,
            unanswered: None,
        }
    }

    /// The position of a text.
    pub fn rank_of(&self, content: &str) -> Option<usize> {
        let place = self.results.iter().find(|place| place.content == content);
        place.map(|place| place.rank)
    }
}
