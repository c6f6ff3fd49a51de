//! The answer of a comparison: the same trace through several memories.

use schemars::JsonSchema;
use serde::Serialize;

use crate::prompt::estimated_tokens;

/// What no figure of a comparison shows.
pub const COMPARED_LIMITS: &str = "Means of all queries; tokens are estimated. Notes show every helpful text because they \
    show every text. No figure shows whether a model heeds what it is shown: `--answers` asks yours.";

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
    /// The source of the built-in trace.
    pub origin: Option<&'static str>,
    /// Number of steps.
    pub steps: usize,
    /// Number of deltas.
    pub deltas: usize,
    /// Number of messages.
    pub messages: usize,
    /// Number of retrievals.
    pub retrievals: usize,
    /// Number of judged pairs of texts.
    pub pairs: usize,
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
    /// The memory against the judgements of the trace; null for a trace without any.
    pub judged: Option<JudgedResponse>,
    /// Answers in the order of the trace.
    pub answers: Vec<ComparedAnswer>,
}

/// A memory against the judgements of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct JudgedResponse {
    /// Texts that help with a query, over all queries.
    pub right: usize,
    /// Those of them that were shown.
    pub right_shown: usize,
    /// Pairs with the same advice.
    pub same: usize,
    /// Those of which both texts are left.
    pub same_left: usize,
    /// Pairs with different advice.
    pub different: usize,
    /// Those of which a text is lost.
    pub different_lost: usize,
    /// Pairs that contradict each other.
    pub opposite: usize,
    /// Those that the memory does not mark.
    pub opposite_unmarked: usize,
}

/// The answer to one query.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparedAnswer {
    /// The query.
    pub query: String,
    /// Returned texts; of notes the first ones.
    pub results: Vec<ComparedText>,
    /// Texts that help, by the judgement of the trace.
    pub right: usize,
    /// Those of them that were returned.
    pub right_shown: usize,
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
            right: 0,
            right_shown: 0,
            prompt_chars: prompt.chars().count(),
            prompt_tokens: estimated_tokens(prompt),
            ms,
            answer: None,
            unanswered: None,
        }
    }

    /// Counts the texts that help among those returned.
    pub fn judged_by(self, right: &[String]) -> Self {
        let is_shown = |text: &&String| self.results.iter().any(|one| one.content == **text);
        Self {
            right: right.len(),
            right_shown: right.iter().filter(is_shown).count(),
            ..self
        }
    }
}

impl ComparisonResponse {
    /// Its title.
    pub fn title(&self) -> String {
        format!("One trace, {} memories", self.rows.len())
    }
}

impl TraceResponse {
    /// Its source and its size, in words.
    pub fn said(&self) -> String {
        let source = self.file.as_deref().or(self.origin).unwrap_or_default();
        format!(
            "{source}: {} deltas, {} messages, {} queries, {} judged pairs",
            self.deltas, self.messages, self.retrievals, self.pairs
        )
    }
}
