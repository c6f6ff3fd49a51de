//! A memory for one test: an engine over a temporary store, a fixed clock, and a key.

use std::sync::Arc;

use super::seed::{seed_file, seed_texts};
use super::temporary::TemporaryStore;
use hindlore::clock::{SetClock, random_id};
use hindlore::{
    AppliedDelta, Engine, EngineError, EngineOptions, MemoryView, RetrieveRequest, Retrieved,
};
use hindlore_api::import::Format;
use hindlore_api::problem::Problem;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::{DEFAULT_NAME, MemoryKey};
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::Store;

/// Initial time of the clock: a morning in September 2026.
const MORNING_MS: i64 = 1_790_000_000_000;

/// A memory for one test.
///
/// Its tenant is random, so that tests can share a store. It has no seed bullets, so it holds only the bullets of the
/// test.
pub struct TestMemory {
    /// The engine, with every verb.
    pub engine: Engine,
    /// Key of the memory.
    pub key: MemoryKey,
    /// The clock, which shows one time until set.
    pub clock: Arc<SetClock>,
    temporary: Option<TemporaryStore>,
    #[cfg(feature = "neo4j")]
    server: Option<super::server::Server>,
    #[cfg(feature = "neo4j")]
    _erasing: Option<super::server::Erasing>,
}

impl TestMemory {
    /// A memory in its own embedded store.
    ///
    /// # Errors
    ///
    /// If no folder or store can be created.
    pub fn embedded() -> Result<Self, Problem> {
        let temporary = TemporaryStore::new()?;
        let mut memory = Self::over(temporary.store()?)?;
        memory.temporary = Some(temporary);
        Ok(memory)
    }

    /// A memory in a store opened by the caller.
    ///
    /// # Errors
    ///
    /// If the machine has no randomness for the tenant's name.
    pub fn over(store: Arc<dyn Store>) -> Result<Self, Problem> {
        Self::with(store, options())
    }

    /// A memory in a store opened by the caller, with engine options.
    ///
    /// # Errors
    ///
    /// If the machine has no randomness for the tenant's name.
    pub fn with(store: Arc<dyn Store>, options: EngineOptions) -> Result<Self, Problem> {
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(MORNING_MS)));
        Ok(Self {
            engine: Engine::new(store, clock.clone(), options),
            key: MemoryKey::new(&fresh_name("tenant")?, "learner", DEFAULT_NAME)?,
            clock,
            temporary: None,
            #[cfg(feature = "neo4j")]
            server: None,
            #[cfg(feature = "neo4j")]
            _erasing: None,
        })
    }

    /// A memory on a server, under its own tenant. It stays there unless
    /// [`erased_at_end`](Self::erased_at_end) is called.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached or has another schema.
    #[cfg(feature = "neo4j")]
    pub async fn on(server: &super::server::Server) -> Result<Self, Problem> {
        let mut memory = Self::over(server.store().await?)?;
        memory.server = Some(server.clone());
        Ok(memory)
    }

    /// Erases everything of the tenant from the server when dropped, even if the test fails. An embedded
    /// store needs no such thing: it is removed as a whole.
    #[cfg(feature = "neo4j")]
    #[must_use]
    pub fn erased_at_end(mut self) -> Self {
        let tenant = self.key.tenant().to_owned();
        let erasing = |server| super::server::Erasing { server, tenant };
        self._erasing = self.server.clone().map(erasing);
        self
    }

    /// The temporary store, if this memory has its own.
    pub fn temporary(&self) -> Option<&TemporaryStore> {
        self.temporary.as_ref()
    }

    /// Another engine over the same store, with nothing in process yet.
    pub fn second_engine(&self) -> Engine {
        let store = self.engine.store().clone();
        Engine::new(store, self.clock.clone(), self.engine.options().clone())
    }

    /// Adds one bullet per text; returns the bullets added.
    ///
    /// # Errors
    ///
    /// Those of applying the delta.
    pub async fn seed(&self, texts: &[&str]) -> Result<Vec<BulletId>, Problem> {
        seed_texts(&self.engine, &self.key, texts).await
    }

    /// Imports an export of this engine, completely or not at all.
    ///
    /// # Errors
    ///
    /// Unreadable records, and those of importing.
    pub async fn seed_export(&self, export: &[u8]) -> Result<AppliedDelta, Problem> {
        seed_file(&self.engine, &self.key, Format::Hindlore, export).await
    }

    /// Retrieves with the defaults, which is an event of the memory.
    ///
    /// # Errors
    /// Those of the retrieval.
    pub async fn retrieve(&self, query: &str) -> Result<Retrieved, Problem> {
        let request = RetrieveRequest::new(Query::new(query));
        Ok(self.engine.retrieve(&self.key, request).await?)
    }

    /// The present memory.
    ///
    /// # Errors
    ///
    /// If there is none yet, or it cannot be read.
    pub async fn view(&self) -> Result<MemoryView, Problem> {
        let view = self.engine.view(&self.key).await?;
        Ok(view.ok_or_else(|| EngineError::NoMemory(self.key.clone()))?)
    }
}

/// Engine options for tests: new memories get no seed bullets.
fn options() -> EngineOptions {
    EngineOptions {
        instance: "test".to_owned(),
        seeds: false,
        ..EngineOptions::default()
    }
}

/// A unique name: a prefix and 80 random bits.
///
/// # Errors
///
/// If the machine has no randomness.
pub fn fresh_name(prefix: &str) -> Result<String, Problem> {
    random_id(prefix).map_err(|error| {
        Problem::new("no_chance", format!("no random name can be made: {error}"))
            .with_hint("check that this machine offers random bytes to programs")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{assert_same, compare};
    use hindlore_api::export::{Manifest, write_export};

    const TEXTS: &[&str] = &["close the valve after every run", "open the file last"];

    fn export(view: &MemoryView) -> Vec<u8> {
        let manifest = Manifest {
            key: view.key.clone(),
            revision: view.revision,
            clock: view.clock,
            digest: view.digest.clone(),
            content_digest: view.content_digest.clone(),
            policy: view.policy.clone(),
            bullets: view.bullets.len() as u64,
            links: view.links.len() as u64,
            has_memory: true,
            learned: None,
        };
        let mut text = Vec::new();
        write_export(&mut text, &manifest, view.bullets.iter(), view.links.iter()).unwrap();
        text
    }

    #[tokio::test]
    async fn memories_are_strangers_to_each_other() {
        let one = TestMemory::embedded().unwrap();
        let two = TestMemory::over(one.engine.store().clone()).unwrap();
        let added = one.seed(TEXTS).await.unwrap();
        assert_eq!(added.len(), 2);
        assert_ne!(one.key, two.key);
        assert_eq!(two.view().await.unwrap_err().code, "no_memory");
        assert!(one.temporary().is_some() && two.temporary().is_none());
    }

    #[tokio::test]
    async fn the_same_seeds_are_seeded_once() {
        let memory = TestMemory::embedded().unwrap();
        memory.seed(TEXTS).await.unwrap();
        let first = memory.view().await.unwrap();
        memory.seed(TEXTS).await.unwrap();
        assert_eq!(memory.view().await.unwrap(), first);
        let second = memory.second_engine();
        assert_same(&second.view(&memory.key).await.unwrap().unwrap(), &first);
    }

    #[tokio::test]
    async fn an_export_is_a_seed() {
        let one = TestMemory::embedded().unwrap();
        one.seed(TEXTS).await.unwrap();
        one.retrieve("the file").await.unwrap();
        let whole = one.view().await.unwrap();
        let two = TestMemory::embedded().unwrap();
        two.seed_export(&export(&whole)).await.unwrap();
        assert_eq!(
            two.view().await.unwrap().content_digest,
            whole.content_digest
        );
        let refused = two.seed_export(b"no export").await.unwrap_err();
        assert!(!refused.message.is_empty());
    }

    #[tokio::test]
    async fn a_comparison_names_what_differs() {
        let one = TestMemory::embedded().unwrap();
        one.seed(TEXTS).await.unwrap();
        let before = one.view().await.unwrap();
        assert_eq!(compare(&before, &before), Ok(()));
        one.retrieve("close the valve").await.unwrap();
        one.seed(&["a third thing"]).await.unwrap();
        let after = one.view().await.unwrap();
        let told = compare(&before, &after).unwrap_err().to_string();
        for part in [
            "only in the other: \"a third thing\"",
            "strength",
            "clock 1,",
            "clock 3,",
        ] {
            assert!(told.contains(part), "`{part}` in {told}");
        }
        let refused = std::panic::catch_unwind(|| assert_same(&before, &after));
        assert!(refused.is_err());
    }
}
