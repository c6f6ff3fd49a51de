//! Answers about sessions.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::DeltaApplied;
use super::ended::EndedRunResponse;
use crate::messages::SessionMessage;
use crate::schema::Id;
use hindlore_primitives::ids::LessonId;

/// Messages for the next call of an agent.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PreparedResponse {
    /// The messages.
    #[schemars(with = "Vec<SessionMessage>")]
    pub messages: Vec<Value>,
    /// Number of messages that were left out.
    pub left_out: usize,
    /// Ids of the bullets that went in, best first.
    pub bullets: Vec<String>,
    /// Ids of the lessons that went in.
    #[schemars(with = "Vec<Id>")]
    pub lessons: Vec<LessonId>,
    /// Id of the retrieval, for feedback.
    pub retrieval: Option<String>,
}

/// The stored results of a turn.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RecordedResponse {
    /// The run of the turn.
    pub run: String,
    /// Steps of the run that the tool calls became.
    pub steps: usize,
    /// The results of its end; null for a turn that was not judged or called no tool.
    pub ended: Option<EndedRunResponse>,
    /// The lessons of the turn.
    pub takeaways: Vec<String>,
    /// Number of takeaways that were not worth keeping.
    pub rejected: usize,
    /// The failures, and their replacements.
    pub notes: Vec<String>,
    /// The delta; null where nothing was to be learned.
    pub receipt: Option<DeltaApplied>,
}
