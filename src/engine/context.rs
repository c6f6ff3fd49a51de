//! The surroundings shared by the whole engine: store, clock, options, and background work.
//!
//! It knows neither actors nor verbs, so both can call code written against it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;

use super::clock::WallClock;
use super::options::EngineOptions;
use super::progress::Progress;
use super::write_limiter::Lanes;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::delta::Origin;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::Store;

/// The engine's surroundings, shared by everything it runs.
pub(super) struct Context {
    pub(super) store: Arc<dyn Store>,
    pub(super) options: EngineOptions,
    pub(super) progress: Progress,
    pub(super) lanes: Lanes,
    clock: Arc<dyn WallClock>,
    /// Kept so that a shutdown can await it.
    background: Mutex<JoinSet<()>>,
}

impl Context {
    pub(super) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn WallClock>,
        options: EngineOptions,
    ) -> Self {
        Self {
            store,
            options,
            progress: Progress::default(),
            lanes: Lanes::default(),
            clock,
            background: Mutex::default(),
        }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.options.tables
    }

    /// The origin of deltas made by this engine.
    pub(super) fn origin(&self, author: Option<String>) -> Origin {
        Origin {
            author: author.or_else(|| self.options.author.clone()),
            instance: self.options.instance.clone(),
            engine_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Runs work that no request waits for.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut background = self.background();
        // A join set keeps finished tasks until they are joined; without this it would only grow.
        while background.try_join_next().is_some() {}
        background.spawn(work);
    }

    /// Waits until all background work has ended, including work started meanwhile.
    pub(super) async fn drain(&self) {
        loop {
            // Taken out, because the lock must not be held across the wait; new tasks start in an empty set.
            let mut waiting = std::mem::take(&mut *self.background());
            if waiting.is_empty() {
                return;
            }
            while let Some(ended) = waiting.join_next().await {
                if let Err(error) = ended {
                    tracing::warn!(%error, "a background task did not end");
                }
            }
        }
    }

    fn background(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.background
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
