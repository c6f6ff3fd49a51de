//! The hook of an agent over the product: an engine on a store in a file of its own, reached by the verbs that
//! every surface has.
//!
//! The store survives a crash of the process and no power cut, which is the cheapest durable setting that the
//! product has: an experiment that dies is run again. Time is set, an hour between two runs and a second between
//! two calls, so that the same seed gives the same verdicts on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use super::error::{LabError, LabResult};
use hindlore::clock::SetClock;
use hindlore::lessons::LessonRules;
use hindlore::{Engine, EngineOptions};
use hindlore_api::access::Access;
use hindlore_api::hint::Plain;
use hindlore_api::standing::Standing;
use hindlore_api::verb::Verb;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_primitives::timestamp::Timestamp;

/// Where the time of an experiment begins, in milliseconds.
const BEGINNING: i64 = 1_700_000_000_000;
/// Between two calls, in milliseconds.
const SECOND: i64 = 1_000;
/// Between two runs, in milliseconds.
const HOUR: i64 = 3_600_000;

/// Where the executor is before its first run.
const PROJECT: &str = "runs";

/// An engine with a store and a clock of its own.
#[allow(
    missing_debug_implementations,
    reason = "an engine over an open file has nothing to show"
)]
pub struct Hook {
    // Dropped in this order: the store is closed before its folder goes.
    access: Access,
    runtime: Runtime,
    clock: Arc<SetClock>,
    now: AtomicI64,
    _folder: TempDir,
}

impl Hook {
    /// An engine over a new store, with rules of one's own.
    pub fn open(rules: LessonRules) -> LabResult<Self> {
        let folder = TempDir::new().map_err(broken)?;
        let options = EmbeddedOptions {
            durable: false,
            ..EmbeddedOptions::default()
        };
        let store = EmbeddedStore::open(folder.path().join("lab.db"), options).map_err(broken)?;
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(BEGINNING)));
        let options = EngineOptions {
            lessons: Arc::new(rules),
            ..EngineOptions::default()
        };
        Ok(Self {
            access: Access::new(
                Engine::new(Arc::new(store), clock.clone(), options),
                key(PROJECT)?,
                Arc::new(Plain),
            )
            .by(Some("lab".to_owned()))
            .of(Standing::operator(None)),
            runtime: Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(broken)?,
            clock,
            now: AtomicI64::new(BEGINNING),
            _folder: folder,
        })
    }

    /// Moves the agent to another project, as a hook names the repository that it is called in.
    pub fn enter(&mut self, project: &str) -> LabResult<()> {
        self.access = self.access.about(key(project)?);
        Ok(())
    }

    /// Calls a verb, a second after the last call.
    pub fn call<V: Verb>(&self, verb: V) -> LabResult<V::Answer> {
        self.pass(SECOND);
        let answer = self.runtime.block_on(self.access.answer(verb));
        answer.map_err(|problem| broken(format!("{}: {problem}", V::NAME)))
    }

    /// Lets an hour pass.
    pub fn pass_an_hour(&self) {
        self.pass(HOUR);
    }

    /// Acts as a program that has the engine as a library.
    pub fn with_engine<T>(&self, work: impl AsyncFnOnce(&Access) -> LabResult<T>) -> LabResult<T> {
        self.pass(SECOND);
        self.runtime.block_on(work(&self.access))
    }

    fn pass(&self, millis: i64) {
        let now = self.now.fetch_add(millis, Ordering::Relaxed) + millis;
        self.clock.set(Timestamp::from_millis(now));
    }
}

/// The memory of the executor in a project.
fn key(project: &str) -> LabResult<MemoryKey> {
    MemoryKey::new("lab", "executor", project).map_err(broken)
}

/// A refusal or failure of the product.
pub(crate) fn broken(error: impl std::fmt::Display) -> LabError {
    LabError::new(
        format!("the memory arm cannot go on: {error}"),
        "there must be room for a file in the folder of temporary files",
    )
}
