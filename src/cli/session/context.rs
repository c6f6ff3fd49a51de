//! What a verb is called with: the opened store, whom it is about, and who asks.

use super::{OpenMemory, Session};
use crate::api::catalog::Registered;
use crate::api::problem::Problem;
use crate::api::verb::{Context, Effect, Subject};
use crate::domain::memory::key::MemoryKey;
use crate::engine::Engine;

impl Session {
    /// For a verb about a memory that makes nothing new.
    pub(crate) fn context_there(&self) -> Result<Context, Problem> {
        Ok(self.context_of_memory(self.open_there()?))
    }

    /// For a question about a memory.
    pub(crate) fn context_to_ask(&self) -> Result<Context, Problem> {
        Ok(self.context_of_memory(self.open_to_ask()?))
    }

    /// For a verb that may make a new memory.
    pub(crate) async fn context_to_write(&self) -> Result<Context, Problem> {
        Ok(self.context_of_memory(self.open_to_write().await?))
    }

    /// For a verb about a learner that makes nothing new.
    pub(crate) fn context_of_learner_there(&self) -> Result<Context, Problem> {
        let engine = self.open_lessons_there()?.engine;
        Ok(self.context(engine, self.key()?))
    }

    /// For a verb about a learner that may make a new one.
    pub(crate) async fn context_of_learner_to_write(&self) -> Result<Context, Problem> {
        let engine = self.open_lessons_to_write().await?.engine;
        Ok(self.context(engine, self.key()?))
    }

    /// For any verb, by what it is about and what it does.
    pub(crate) async fn context_for(&self, verb: &Registered) -> Result<Context, Problem> {
        let is_learner = verb.subject == Subject::Learner;
        match verb.effect {
            Effect::Writes if is_learner => self.context_of_learner_to_write().await,
            Effect::Writes => self.context_to_write().await,
            Effect::Reads | Effect::Destroys if is_learner => self.context_of_learner_there(),
            Effect::Reads | Effect::Destroys => self.context_there(),
        }
    }

    fn context_of_memory(&self, memory: OpenMemory) -> Context {
        self.context(memory.engine, memory.key)
    }

    fn context(&self, engine: Engine, key: MemoryKey) -> Context {
        Context {
            engine,
            key,
            author: self.typed_author(),
        }
    }
}
