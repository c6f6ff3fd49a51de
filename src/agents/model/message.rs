//! The messages to and from a model, independent of the vendor.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The author of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The operator of the agent.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool that the model called.
    Tool,
}

/// One message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// Its author.
    pub role: Role,
    /// Its text.
    #[serde(default)]
    pub content: String,
}

impl Message {
    /// A message of the operator of the agent.
    pub fn system(content: impl Into<String>) -> Self {
        Self::new(Role::System, content)
    }

    /// A message of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self::new(Role::User, content)
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::new(Role::Assistant, content)
    }

    /// The output of a tool.
    pub fn tool(content: impl Into<String>) -> Self {
        Self::new(Role::Tool, content)
    }

    fn new(role: Role, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
        }
    }
}

/// The form that an answer must have.
#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    /// Its name: letters and underscores.
    pub name: &'static str,
    /// Its JSON Schema, in the part that every vendor accepts.
    pub schema: Value,
}

/// One request to a model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Request {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// 0..=2; `None` takes the configured one.
    pub temperature: Option<f64>,
    /// The form of the answer; `None` for free text.
    pub form: Option<Form>,
}

impl Request {
    /// A request for free text.
    pub fn new(messages: Vec<Message>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }
}

/// Tokens of one call, as the vendor counted them; 0 where it did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// The reply of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// Its bill.
    pub usage: Usage,
    /// True if it was cut at the limit of tokens.
    pub is_cut: bool,
    /// How long the calls took, attempts that failed included.
    pub took: Duration,
    /// How many attempts it took, from 1.
    pub attempts: u32,
}
