//! The tools of `react`: text in, text out. Every agent has a calculator and a search of its memory; a program adds
//! commands, HTTP endpoints and MCP servers.
//!
//! A fault of a tool is text for the model like any other output, so that no tool can end a turn.

pub mod command;
pub mod mcp;
mod own;
mod process;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use hindlore_domain::memory::key::MemoryKey;
pub use own::{Calculator, MemorySearch};
pub use process::shell;

/// Characters of a result that the model is shown.
pub const RESULT_CHARS: usize = 4_000;

/// A tool.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Its name: letters, digits and underscores.
    fn name(&self) -> &str;

    /// Its effect and its input, in one sentence for the model.
    fn about(&self) -> &str;

    /// Its result or its fault; both are text for the model.
    async fn call(&self, input: &str) -> Result<String, String>;
}

/// A tool of one memory, made from its key.
pub type OfMemory = Arc<dyn Fn(&MemoryKey) -> Arc<dyn Tool> + Send + Sync>;

/// Where tools come from.
#[derive(Clone)]
pub enum Source {
    /// One tool.
    Tool(Arc<dyn Tool>),
    /// One tool for each memory.
    OfMemory(OfMemory),
    /// The tools that an MCP server lists.
    Server(Arc<mcp::McpServer>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool(tool) => f.debug_tuple("Tool").field(&tool.name()).finish(),
            Self::OfMemory(_) => f.write_str("OfMemory"),
            Self::Server(server) => f.debug_tuple("Server").field(&server.name()).finish(),
        }
    }
}

impl Source {
    /// Its tools for a memory.
    ///
    /// # Errors
    /// Why a server lists none.
    pub async fn tools(&self, key: &MemoryKey) -> Result<Vec<Arc<dyn Tool>>, String> {
        match self {
            Self::Tool(tool) => Ok(vec![tool.clone()]),
            Self::OfMemory(made) => Ok(vec![made(key)]),
            Self::Server(server) => server.tools().await,
        }
    }
}

/// A model's input as the arguments of a tool: a JSON object as it is, any other text as the value of one field.
pub fn arguments(input: &str, field: &str) -> Value {
    match serde_json::from_str(input) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        _ => json!({ field: input }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_a_field_and_an_object_stays() {
        assert_eq!(arguments("a b", "input"), json!({"input": "a b"}));
        assert_eq!(arguments("12", "words"), json!({"words": "12"}));
        assert_eq!(arguments(r#"{"x": 1}"#, "input"), json!({"x": 1}));
    }
}
