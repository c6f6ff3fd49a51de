//! The model that verbs may ask, where one is configured, and how agents work.

use std::sync::{Arc, LazyLock};

use super::problem::Problem;
use crate::responses::DeltaApplied;
use hindlore::{AppliedDelta, Engine};
use hindlore_agents::agent::tools::Source;
use hindlore_agents::agent::{Agent, AgentOptions};
use hindlore_agents::model::{Model, ModelError};
use hindlore_domain::memory::key::MemoryKey;

/// A configured model.
pub struct Configured {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Its protocol and address, for people.
    pub endpoint: String,
}

type Made<T> = LazyLock<Result<T, Problem>, Box<dyn FnOnce() -> Result<T, Problem> + Send>>;

/// A model, and how agents work; each is made when a verb first asks for it. Most calls ask for neither: they wait for no
/// client, and a mistake in the settings of a model does not concern them.
pub struct Agents {
    options: Made<AgentOptions>,
    model: Made<Option<Configured>>,
    tools: Made<Vec<Source>>,
}

impl Default for Agents {
    fn default() -> Self {
        Self::made_by(
            || Ok(AgentOptions::default()),
            || Ok(None),
            || Ok(Vec::new()),
        )
    }
}

impl Agents {
    /// Agents whose options, model and added tools are made by these functions.
    pub fn made_by(
        options: impl FnOnce() -> Result<AgentOptions, Problem> + Send + 'static,
        model: impl FnOnce() -> Result<Option<Configured>, Problem> + Send + 'static,
        tools: impl FnOnce() -> Result<Vec<Source>, Problem> + Send + 'static,
    ) -> Self {
        Self {
            options: LazyLock::new(Box::new(options)),
            model: LazyLock::new(Box::new(model)),
            tools: LazyLock::new(Box::new(tools)),
        }
    }

    /// How agents work.
    ///
    /// # Errors
    /// `invalid_config` for a setting that cannot be.
    pub fn options(&self) -> Result<&AgentOptions, Problem> {
        self.options.as_ref().map_err(Problem::clone)
    }

    /// The model; absent where none is configured.
    ///
    /// # Errors
    /// `invalid_config` for a setting that cannot be.
    pub fn model(&self) -> Result<Option<&Configured>, Problem> {
        let made = self.model.as_ref().map_err(Problem::clone)?;
        Ok(made.as_ref())
    }

    /// An agent on a memory.
    ///
    /// # Errors
    /// Those of [`model`](Self::model), and `invalid_config` for a tool that cannot be.
    pub fn agent(
        &self,
        engine: &Engine,
        key: &MemoryKey,
        options: AgentOptions,
    ) -> Result<Agent, Problem> {
        let model = self.model()?.map(|configured| configured.model.clone());
        let sources = self.tools.as_ref().map_err(Problem::clone)?.clone();
        let own = (engine.clone(), key.clone());
        Ok(Agent::new(own, model, options, receipt).with_sources(sources))
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
