//! One run of a command: its settings, its output, and the store it opens when needed.

mod access;
pub(crate) mod idle_settings;
mod injected_io;
pub(crate) mod model_use;
mod options;
mod stores;
pub(crate) mod unknown_names;

use std::fmt::Display;
use std::future::Future;
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::output::Output;
#[cfg(unix)]
use super::resident::Warm;
use super::temp_store::TempStore;
use super::{lesson_rules, models, place, policy, progress, trajectory_policy};
use hindlore::{Engine, EngineError, MemoryView};
use hindlore_agents::model::Metered;
use hindlore_api::agents::Agents;
use hindlore_api::problem::Problem;
use hindlore_api::server::Surfaces;
use hindlore_config::Settings;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::key::MemoryKey;

/// Everything a command works with.
pub struct Session {
    /// Resolved settings.
    pub settings: Settings,
    /// Destination of answers.
    pub output: Output,
    /// All opened engines, to be settled at the end.
    opened: Mutex<Vec<Engine>>,
    /// Subject of the command, once it has opened its store.
    meant: Mutex<Option<Meant>>,
    /// Replaces a store that does not exist yet.
    nothing: Mutex<Option<TempStore>>,
    /// Notes to programs in addition to the answer.
    notes: Mutex<Vec<Problem>>,
    /// The model and how agents work, for all verbs of this session.
    agents: OnceLock<Arc<Agents>>,
    /// Serves over HTTP, in a program that has a server.
    surfaces: Surfaces,
    /// Faults in the settings, for a command that reports them and continues.
    faults: Option<Vec<Problem>>,
    /// The text on stdin, if it is not this process's own.
    stdin: Option<Arc<str>>,
    /// Use of the model for embeddings, by which the process also counts as one that stays.
    model_use: OnceLock<model_use::ModelUse>,
    /// Engines that stay loaded, in a resident process.
    #[cfg(unix)]
    warm: Option<Arc<Warm>>,
}

/// Subject of a command.
#[derive(Clone)]
pub(crate) struct Meant {
    /// The engine over the store.
    pub(crate) engine: Engine,
    /// The memory.
    pub(crate) key: MemoryKey,
    /// Bullets or lessons.
    pub(crate) about: About,
}

/// Whether a command is about a memory, or about lessons, which belong to no scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum About {
    /// Bullets in one scope.
    Memory,
    /// Lessons, errors and runs of a learner.
    Lessons,
}

/// An opened store, and the selected memory.
pub(crate) struct OpenMemory {
    /// The engine over the store.
    pub(crate) engine: Engine,
    /// The memory.
    pub(crate) key: MemoryKey,
}

/// An opened store, and the owner of the selected lessons.
pub(crate) struct OpenLessons {
    /// The engine over the store.
    pub(crate) engine: Engine,
    /// The owner.
    pub(crate) owner: LearnerId,
}

/// Parses a typed id; `what` names its kind.
pub(crate) fn id<T: FromStr<Err: Display>>(what: &str, raw: &str) -> Result<T, Problem> {
    raw.parse().map_err(|error: T::Err| {
        let message = format!("`{}` is no id of a {what}: {error}", raw.escape_debug());
        Problem::new("invalid_id", message).with_hint("copy it from a listing")
    })
}

impl Session {
    /// A session without an open store.
    pub(crate) fn new(settings: Settings, output: Output) -> Self {
        Self {
            settings,
            output,
            opened: Mutex::default(),
            meant: Mutex::default(),
            nothing: Mutex::default(),
            notes: Mutex::default(),
            agents: OnceLock::new(),
            surfaces: Surfaces::default(),
            faults: None,
            stdin: None,
            model_use: OnceLock::new(),
            #[cfg(unix)]
            warm: None,
        }
    }

    /// A session of a program that has a server.
    pub(crate) fn serving(self, surfaces: Surfaces) -> Self {
        Self { surfaces, ..self }
    }

    /// Another session with the same settings and the same model.
    pub(crate) fn again(&self) -> Self {
        Self {
            agents: OnceLock::from(self.agents()),
            ..Self::new(self.settings.clone(), self.output.clone())
        }
    }

    /// The model and how agents work.
    pub(crate) fn agents(&self) -> Arc<Agents> {
        let made = || {
            let is_wanted = self.settings.switch("agent.analyst");
            let analyst = is_wanted.then(|| self.analyst());
            Arc::new(models::agents(&self.settings, analyst))
        };
        self.agents.get_or_init(made).clone()
    }

    /// The model with the configured budget over a whole command; absent where none is configured.
    pub(crate) fn metered_model(&self) -> Result<Option<Metered>, Problem> {
        let agents = self.agents();
        let Some(configured) = agents.model()? else {
            return Ok(None);
        };
        let options = agents.options()?;
        let model = configured.model.clone();
        Ok(Some(Metered::new(model, options.prices, options.budget)))
    }

    /// The server of the program.
    pub(crate) fn surfaces(&self) -> Surfaces {
        self.surfaces
    }

    /// A session for work in the background, which waits at most `busy_timeout` for a file's lock and settles
    /// itself.
    pub(crate) fn aside(&self, busy_timeout: Duration) -> Self {
        let mut settings = self.settings.clone();
        let most = self.settings.whole("busy_timeout_ms").unwrap_or(u64::MAX);
        let busy = u64::try_from(busy_timeout.as_millis()).unwrap_or(u64::MAX);
        let busy = serde_json::Value::from(busy.min(most));
        settings.set_flag("busy_timeout_ms", "learn", busy);
        Self {
            #[cfg(unix)]
            warm: self.warm.clone(),
            ..Self::new(settings, self.output.clone())
        }
    }

    /// Warns of something the answer does not show: people at once, programs in a separate document.
    pub(crate) fn warn(&self, code: &'static str, said: String) {
        if !self.output.is_json() {
            return self.output.note(&format!("note: {said}"));
        }
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.push(Problem::new(code, said));
    }

    /// Prints the collected notes for programs after an answer; an error has its own document.
    pub(crate) fn give_notes(&self) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        self.output.notes(&std::mem::take(&mut *notes));
    }

    /// A session of a command that reports faults in the settings and continues.
    pub(crate) fn telling(self, mut faults: Vec<Problem>) -> Self {
        let settings = &self.settings;
        let tables = policy::tables(settings).unwrap_or_else(|problem| {
            faults.push(problem);
            Tables::standard()
        });
        faults.extend(policy::local_with_faults(settings, &tables).1);
        faults.extend(lesson_rules::read(settings).err());
        faults.extend(trajectory_policy::read(settings).err());
        faults.extend(options::durability(settings).err());
        Self {
            faults: Some(faults),
            ..self
        }
    }

    /// Faults in the settings that the command ignores.
    pub(crate) fn faults(&self) -> &[Problem] {
        self.faults.as_deref().unwrap_or_default()
    }

    /// Subject of the command, if it has opened a store.
    pub(crate) fn meant(&self) -> Option<Meant> {
        let meant = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
        meant.clone()
    }

    fn mean(&self, engine: &Engine, key: &MemoryKey, about: About) {
        *self.meant.lock().unwrap_or_else(PoisonError::into_inner) = Some(Meant {
            engine: engine.clone(),
            key: key.clone(),
            about,
        });
    }

    /// The memory selected by the settings.
    pub(crate) fn key(&self) -> Result<MemoryKey, Problem> {
        let name = |part| self.settings.text_or_empty(part);
        Ok(MemoryKey::new(
            name("tenant"),
            name("learner"),
            name("scope"),
        )?)
    }

    /// Opens the store and selects the memory.
    pub(crate) fn open(&self) -> Result<OpenMemory, Problem> {
        self.must_run_the_store()?;
        self.memory()
    }

    fn memory(&self) -> Result<OpenMemory, Problem> {
        let key = self.key()?;
        Ok(self.about_memory(self.engine()?, key))
    }

    /// Opens the store and selects the owner of the lessons.
    pub(crate) fn open_lessons(&self) -> Result<OpenLessons, Problem> {
        self.must_run_the_store()?;
        let key = self.key()?;
        self.about_lessons(self.engine()?, &key)
    }

    /// Opens the store and selects the owner of the lessons by recorded names.
    pub(crate) fn lessons_of(&self, tenant: &str, learner: &str) -> Result<OpenLessons, Problem> {
        self.must_run_the_store()?;
        let owner = LearnerId::new(tenant, learner)?;
        let engine = self.engine()?;
        Ok(OpenLessons { engine, owner })
    }

    /// Opens a store for reading and selects the owner of the lessons by recorded names; creates no store.
    pub(crate) fn lessons_there(
        &self,
        tenant: &str,
        learner: &str,
    ) -> Result<OpenLessons, Problem> {
        self.must_run_the_store()?;
        let owner = LearnerId::new(tenant, learner)?;
        let engine = self.engine_there()?;
        Ok(OpenLessons { engine, owner })
    }

    /// Opens a store and selects the memory, for a command that creates nothing.
    pub(crate) fn open_there(&self) -> Result<OpenMemory, Problem> {
        self.must_run_the_store()?;
        self.memory_there()
    }

    fn memory_there(&self) -> Result<OpenMemory, Problem> {
        let key = self.key()?;
        Ok(self.about_memory(self.engine_there()?, key))
    }

    /// Opens a store and selects the memory, for a query. A missing store is an empty one, even if it was
    /// typed, and a prompt gets no notes.
    fn memory_to_ask(&self) -> Result<OpenMemory, Problem> {
        let key = self.key()?;
        Ok(self.about_memory(self.engine_to_ask()?, key))
    }

    /// Opens a store and selects the owner of the lessons, for a command that creates nothing.
    pub(crate) fn open_lessons_there(&self) -> Result<OpenLessons, Problem> {
        self.must_run_the_store()?;
        let key = self.key()?;
        self.about_lessons(self.engine_there()?, &key)
    }

    fn about_memory(&self, engine: Engine, key: MemoryKey) -> OpenMemory {
        self.mean(&engine, &key, About::Memory);
        OpenMemory { engine, key }
    }

    fn about_lessons(&self, engine: Engine, key: &MemoryKey) -> Result<OpenLessons, Problem> {
        let owner = LearnerId::new(key.tenant(), key.learner())?;
        self.mean(&engine, key, About::Lessons);
        Ok(OpenLessons { engine, owner })
    }

    /// Opens the store for reading. A typed one must exist. One from the settings may still await its first
    /// write: until then it counts as empty, and no file is created.
    fn engine_there(&self) -> Result<Engine, Problem> {
        match self.missing_store()? {
            Some(missing) if self.settings.is_flag("store") => Err(missing),
            Some(missing) => self.engine_of_nothing(missing),
            None => self.engine(),
        }
    }

    /// Opens the store for a query.
    fn engine_to_ask(&self) -> Result<Engine, Problem> {
        match self.missing_store()? {
            Some(missing) => self.engine_of_nothing(missing),
            None => self.engine(),
        }
    }

    /// The problem of a store that is named but missing.
    fn missing_store(&self) -> Result<Option<Problem>, Problem> {
        let place = self.settings.text("store");
        let place = place.filter(|it| !it.trim().is_empty());
        let Some(place) = place else {
            return Ok(None);
        };
        Ok(place::is_missing(place)?.then(|| place::missing(place)))
    }

    /// An engine over an empty temporary store, so that no file is created at the configured place.
    fn engine_of_nothing(&self, missing: Problem) -> Result<Engine, Problem> {
        let options = self.engine_options()?;
        if self.settings.is_given("store") {
            self.warn("no_store", missing.message);
        }
        let temp = TempStore::new()?;
        let engine = temp.engine("nothing.db", options)?;
        *self.nothing.lock().unwrap_or_else(PoisonError::into_inner) = Some(temp);
        Ok(engine)
    }

    /// The typed author; the engine fills in the one from the settings.
    pub(crate) fn typed_author(&self) -> Option<String> {
        let author = self.settings.text("author").map(str::to_owned);
        author.filter(|_| self.settings.is_flag("author"))
    }

    /// Awaits an engine verb, with progress if it takes long.
    pub(crate) async fn wait<T, E: Into<Problem>>(
        &self,
        what: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Problem> {
        let began = Instant::now();
        let done = progress::watch(what, work).await;
        tracing::debug!(what, took = ?began.elapsed(), "waited");
        done.map_err(Into::into)
    }

    /// As `wait`, for work that the engine counts.
    pub(crate) async fn wait_counting<T, E: Into<Problem>>(
        &self,
        what: &str,
        counted: impl Fn() -> (u64, u64),
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Problem> {
        let began = Instant::now();
        let done = progress::watch_counting(what, counted, work).await;
        tracing::debug!(what, took = ?began.elapsed(), "waited");
        done.map_err(Into::into)
    }
}

impl OpenMemory {
    /// Reads the memory; an error if there is none.
    pub(crate) async fn view(&self) -> Result<MemoryView, Problem> {
        let view = self.engine.view(&self.key).await?;
        Ok(view.ok_or_else(|| EngineError::NoMemory(self.key.clone()))?)
    }
}
