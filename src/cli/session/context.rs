//! The context of a verb: the opened store, its subject, and the author.

use std::sync::Arc;

use super::{About, OpenMemory, Session, whereabouts};
use crate::api::catalog::Registered;
use crate::api::problem::Problem;
use crate::api::verb::{Context, MissingStore, Subject, Verb};
use crate::cli::form::Request;
use crate::cli::shell::{Spoken, quoted};
use crate::domain::memory::key::MemoryKey;
use crate::engine::Engine;

impl Session {
    /// For a verb about a memory that creates nothing.
    pub(crate) fn context_there(&self) -> Result<Context, Problem> {
        Ok(self.context_of_memory(self.open_there()?))
    }

    /// For a query about a memory.
    pub(crate) fn context_to_ask(&self) -> Result<Context, Problem> {
        Ok(self.context_of_memory(self.open_to_ask()?))
    }

    /// For a verb that may create a memory.
    pub(crate) async fn context_to_write(&self) -> Result<Context, Problem> {
        Ok(self.context_of_memory(self.open_to_write().await?))
    }

    /// For any verb, by its subject and by how it treats a missing store.
    pub(crate) async fn context_for(&self, verb: &Registered) -> Result<Context, Problem> {
        self.context_about(verb.subject, verb.missing_store).await
    }

    /// As `context_for`, for a verb whose type is known.
    pub(crate) async fn context_of<V: Verb>(&self) -> Result<Context, Problem> {
        self.context_about(V::SUBJECT, V::MISSING_STORE).await
    }

    /// Answers a typed request: checks it, opens the store as the verb needs it, and waits.
    pub(crate) async fn answer<V: Verb>(
        &self,
        what: &str,
        request: Request,
    ) -> Result<V::Answer, Problem> {
        let request: V = request.read()?;
        let context = self.context_of::<V>().await?;
        self.wait(what, request.call(&context)).await
    }

    async fn context_about(
        &self,
        subject: Subject,
        missing_store: MissingStore,
    ) -> Result<Context, Problem> {
        let key = self.key()?;
        let engine = match missing_store {
            MissingStore::Refused => self.engine_there()?,
            MissingStore::Empty => self.engine_to_ask()?,
            MissingStore::Made => self.engine()?,
        };
        let about = match subject {
            Subject::Learner => About::Lessons,
            Subject::Store | Subject::Tenant | Subject::Memory => About::Memory,
        };
        self.mean(&engine, &key, about);
        if missing_store == MissingStore::Made {
            whereabouts::note_new(self).await?;
        }
        Ok(self.context(engine, key))
    }

    fn context_of_memory(&self, memory: OpenMemory) -> Context {
        self.context(memory.engine, memory.key)
    }

    fn context(&self, engine: Engine, key: MemoryKey) -> Context {
        Context {
            engine,
            key,
            author: self.typed_author(),
            voice: Arc::new(self.voice()),
        }
    }

    /// How commands are worded for whoever reads an answer: with the store and the learner that were typed.
    pub(crate) fn voice(&self) -> Spoken {
        let typed = ["store", "tenant", "learner"].into_iter();
        let typed = typed.filter(|name| self.settings.is_flag(name));
        let flags = typed.filter_map(|name| {
            let value = self.settings.text(name)?;
            Some(format!(" --{name} {}", quoted(value)))
        });
        Spoken::with_flags(flags.collect())
    }
}
