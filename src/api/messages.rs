//! The messages of a chat, as requests describe them.
//!
//! Their readers take the JSON itself, because a message may hold more than is listed here; these types describe the part
//! that counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The writer of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MessageRole {
    /// The operator of the agent.
    System,
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// A tool, with its result.
    Tool,
}

/// A message of a chat.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct ChatMessage {
    /// Its writer.
    pub(crate) role: MessageRole,
    /// Its text, or a list of parts of which some have a `text`.
    #[serde(default)]
    pub(crate) content: Value,
}

/// A message of a session, in the form of any runtime.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct SessionMessage {
    /// Its writer: `user`, `assistant`, `tool`, `system`, or a word of the runtime.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) role: Value,
    /// Its text, or a list of parts of which some have a `text`.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) content: Value,
    /// Its time in RFC 3339, if it is known.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) created_at: Value,
}
