//! The traces of the solver: steps with tools, and rated thoughts.

use serde::{Deserialize, Serialize};

/// One step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Why.
    pub thought: String,
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: String,
    /// Its output.
    pub result: String,
    /// Whether it failed.
    pub failed: bool,
}

/// A chain of thoughts with its rating.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thought {
    /// The thoughts, first to last.
    pub chain: Vec<String>,
    /// How promising, 0..=1.
    pub rating: f64,
    /// Its depth, from 1.
    pub depth: u32,
}
