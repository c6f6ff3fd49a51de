//! Answers about sessions.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::DeltaApplied;

/// Messages for the next call of an agent.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PreparedResponse {
    /// The messages.
    pub messages: Vec<Value>,
    /// Number of messages that were left out.
    pub left_out: usize,
    /// Ids of the bullets that went in, best first.
    pub bullets: Vec<String>,
    /// Id of the retrieval, for feedback.
    pub retrieval: Option<String>,
}

/// The stored results of a turn.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RecordedResponse {
    /// Steps of the run that the tool calls became.
    pub steps: usize,
    /// The lessons of the turn.
    pub takeaways: Vec<String>,
    /// Number of takeaways that were not worth keeping.
    pub rejected: usize,
    /// The failures, and their replacements.
    pub notes: Vec<String>,
    /// The delta; null where nothing was to be learned.
    pub receipt: Option<DeltaApplied>,
}
