//! The tools that every agent has: a calculator, and a search of its memory.

use async_trait::async_trait;

use super::Tool;
use crate::agent::calculator::calculate;
use hindlore::{Engine, RetrieveRequest};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query};

/// Bullets that a search of memory returns.
const FOUND: usize = 5;

/// Calculates.
pub struct Calculator;

#[async_trait]
impl Tool for Calculator {
    fn name(&self) -> &str {
        "calculator"
    }

    fn about(&self) -> &str {
        "the value of an arithmetic expression such as `3 * (4 + 5)`"
    }

    async fn call(&self, input: &str) -> Result<String, String> {
        calculate(input)
    }
}

/// Searches memory. It leaves no trace: the turn has been counted when memory was loaded.
pub struct MemorySearch {
    /// The engine.
    pub engine: Engine,
    /// The memory.
    pub key: MemoryKey,
}

#[async_trait]
impl Tool for MemorySearch {
    fn name(&self) -> &str {
        "memory_search"
    }

    fn about(&self) -> &str {
        "notes from earlier work about the words that it is given"
    }

    async fn call(&self, input: &str) -> Result<String, String> {
        let text: String = input.chars().take(QUERY_MAX_CHARS).collect();
        let query = Query {
            top_k: FOUND,
            ..Query::new(text)
        };
        let found = self
            .engine
            .retrieve(&self.key, RetrieveRequest::peek(query))
            .await;
        let found = found.map_err(|error| error.to_string())?;
        let lines: Vec<String> = found
            .bullets
            .iter()
            .map(|one| format!("[{}] {}", one.bullet.id, one.bullet.content.as_str()))
            .collect();
        Ok(if lines.is_empty() {
            "nothing is known of it".to_owned()
        } else {
            lines.join("\n")
        })
    }
}
