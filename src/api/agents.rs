//! The model that verbs may ask, where one is configured, and how agents work.

use std::sync::Arc;

use super::problem::Problem;
use crate::agent::{Agent, AgentOptions};
use crate::api::responses::DeltaApplied;
use crate::domain::memory::key::MemoryKey;
use crate::engine::{AppliedDelta, Engine};
use crate::model::{Model, ModelError};

/// A model, and how agents work.
#[derive(Clone, Default)]
pub struct Agents {
    /// The model; absent where none is configured.
    pub model: Option<Arc<dyn Model>>,
    /// Whose wire it speaks, and where, for people.
    pub endpoint: String,
    /// How agents work.
    pub options: AgentOptions,
}

impl Agents {
    /// An agent on a memory.
    pub fn agent(&self, engine: &Engine, key: &MemoryKey, options: AgentOptions) -> Agent {
        Agent::new(
            (engine.clone(), key.clone()),
            self.model.clone(),
            options,
            receipt,
        )
    }
}

/// A receipt as answers show it.
fn receipt(applied: &AppliedDelta) -> serde_json::Value {
    serde_json::to_value(DeltaApplied::from(applied.clone())).unwrap_or_default()
}

impl From<ModelError> for Problem {
    fn from(error: ModelError) -> Self {
        Self::new(error.code(), error.to_string()).with_hint(error.hint())
    }
}
