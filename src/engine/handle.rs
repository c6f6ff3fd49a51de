//! The handle that callers hold: the context, and the actors of the open memories.
//!
//! Every verb is an `impl Engine` in its own file, above this one.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::actor::memory_actor::MemoryActor;
use super::actor::registry::ActorRegistry;
use super::clock::{SystemClock, WallClock};
use super::context::Context;
use super::decide_records::decide_records;
use super::error::EngineResult;
use super::log;
use super::options::EngineOptions;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::{Redactions, Redactor};
use hindlore_store::Store;
use hindlore_store::records::{RecordCommit, RecordReads, RecordsRead};

/// When a learner's idle runs were last looked for.
pub(super) type IdleSweeps = Mutex<HashMap<LearnerId, Timestamp>>;

/// The memory engine over one store. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    context: Arc<Context>,
    actors: ActorRegistry,
    idle_sweeps: IdleSweeps,
}

impl Engine {
    /// Makes an engine over a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn WallClock>, options: EngineOptions) -> Self {
        let context = Arc::new(Context::new(store, clock, options));
        Self {
            shared: Arc::new(Shared {
                context,
                actors: ActorRegistry::default(),
                idle_sweeps: Mutex::default(),
            }),
        }
    }

    /// Opens the memories in one file, with the clock of this machine and default options; creates the file if it is
    /// missing.
    ///
    /// # Errors
    ///
    /// Those of [`EmbeddedStore::open`].
    pub fn open(path: impl AsRef<Path>) -> EngineResult<Self> {
        let store = EmbeddedStore::open(path, EmbeddedOptions::default())?;
        Ok(Self::new(
            Arc::new(store),
            Arc::new(SystemClock),
            EngineOptions::default(),
        ))
    }

    /// An engine that reads one memory as it was; other memories are the present ones.
    pub(super) fn with_past(&self, memory: Memory) -> Self {
        let context = self.context().clone();
        Self {
            shared: Arc::new(Shared {
                actors: ActorRegistry::of_past(&context, memory),
                context,
                idle_sweeps: Mutex::default(),
            }),
        }
    }

    /// The store of this engine. For tests; surfaces use verbs.
    #[cfg(feature = "testkit")]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.context().store
    }

    /// The store of this engine; surfaces use verbs.
    #[cfg(not(feature = "testkit"))]
    pub(super) fn store(&self) -> &Arc<dyn Store> {
        &self.context().store
    }

    /// The options this engine was made with.
    pub fn options(&self) -> &EngineOptions {
        &self.context().options
    }

    /// Pieces of the present work done, and their total; (0, 0) before any work.
    pub fn progress(&self) -> (u64, u64) {
        self.context().progress.get()
    }

    /// Writes the deferred records of a memory. [`Engine::drain`] does so for all memories.
    pub async fn flush(&self, key: &MemoryKey) -> EngineResult<()> {
        // Without a window no record is deferred.
        if self.options().durability.window().is_none() {
            return Ok(());
        }
        self.actor(key).flush().await
    }

    /// Waits for background work: records deferred under [`Durability::Grouped`](super::Durability::Grouped),
    /// and compaction. Call it before a process ends; a compaction that is cut off is done again later.
    pub async fn drain(&self) {
        // Flushed first, because a flush may start further background work, such as a compaction.
        self.flush_all().await;
        for actor in self.shared.actors.all() {
            actor.image_if_due();
        }
        self.context().drain().await;
    }

    /// Writes the deferred records of all memories, and waits for no other work.
    pub async fn flush_all(&self) {
        // Without a window no record is deferred.
        if self.options().durability.window().is_none() {
            return;
        }
        for actor in self.shared.actors.all() {
            // Logged where it happens; the caller can do no more about it.
            let _ = actor.flush().await;
        }
    }

    /// Returns the part of a text that a log event shows: its beginning, or its length unless contents are shown.
    pub fn loggable(&self, text: &str) -> String {
        log::shown(text, self.options().log_contents)
    }

    pub(super) fn context(&self) -> &Arc<Context> {
        &self.shared.context
    }

    /// Decides a commit under the lock of an owner, and returns the result of the last decision.
    pub(super) async fn decide_records<T: Send + 'static>(
        &self,
        owner: &LearnerId,
        reads: RecordReads,
        decide: impl Fn(RecordsRead) -> EngineResult<(T, RecordCommit)> + Send + 'static,
    ) -> EngineResult<T> {
        decide_records(self.store(), owner, reads, decide).await
    }

    /// The time by this engine's clock.
    pub fn now(&self) -> Timestamp {
        self.context().now()
    }

    /// The actor of a memory.
    pub(super) fn actor(&self, key: &MemoryKey) -> Arc<MemoryActor> {
        self.shared.actors.actor(self.context(), key)
    }

    /// Closes memories that were erased.
    pub(super) async fn close_erased(&self, is_erased: impl Fn(&MemoryKey) -> bool) {
        // Removed from the registry first: a later request gets another actor and defers nothing to the erased
        // memory.
        for actor in self.shared.actors.close(is_erased) {
            actor.note_erased().await;
        }
    }

    pub(super) fn idle_sweeps(&self) -> &IdleSweeps {
        &self.shared.idle_sweeps
    }

    pub(super) fn redactor(&self) -> &Redactor {
        &self.options().redactor
    }

    /// Removes the secrets from a text meant for a record.
    pub(super) fn redacted(&self, text: &str) -> (String, Redactions) {
        let mut text = text.to_owned();
        let mut sweep = self.redactor().sweep();
        sweep.text(&mut text);
        (text, sweep.finish())
    }
}
