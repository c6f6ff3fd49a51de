//! A run of one command: its settings, its output, and the store that it opens when it needs one.

use std::fmt::Display;
use std::future::Future;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::commands::CommandResult;
use super::output::{Outcome, Output, receipts};
use super::{lesson_rules, place, policy, progress};
use crate::api::problem::Problem;
use crate::api::shapes::DeltaApplied;
use crate::backend::embedded::{EmbeddedOptions, EmbeddedStore};
#[cfg(feature = "neo4j")]
use crate::backend::neo4j::{Neo4jOptions, Neo4jStore};
use crate::config::Settings;
use crate::domain::lesson::lesson::Owner;
use crate::domain::memory::delta::{Delta, Operation};
use crate::domain::memory::key::MemoryKey;
use crate::engine::clock::SystemClock;
use crate::engine::{Durability, Engine, EngineError, EngineOptions, EngineResult, MemoryView};
use crate::store::Store;

/// What every command works with.
pub(crate) struct Session {
    /// What the program was told.
    pub(crate) settings: Settings,
    /// Where answers go.
    pub(crate) output: Output,
    /// Every engine that was opened, to be settled at the end.
    opened: Mutex<Vec<Engine>>,
}

/// An opened store, and the memory that is meant.
pub(crate) struct OpenMemory {
    /// The engine over the store.
    pub(crate) engine: Engine,
    /// The memory.
    pub(crate) key: MemoryKey,
}

/// An opened store, and whose lessons are meant.
pub(crate) struct OpenLessons {
    /// The engine over the store.
    pub(crate) engine: Engine,
    /// Whose.
    pub(crate) owner: Owner,
}

/// Reads an id that was typed; `what` is what it names.
pub(crate) fn id<T: FromStr<Err: Display>>(what: &str, raw: &str) -> Result<T, Problem> {
    raw.parse().map_err(|error: T::Err| {
        let message = format!("`{}` is no id of a {what}: {error}", raw.escape_debug());
        Problem::new("invalid_id", message).with_hint("copy it from a listing")
    })
}

impl Session {
    /// A session that has opened nothing yet.
    pub(crate) fn new(settings: Settings, output: Output) -> Self {
        Self {
            settings,
            output,
            opened: Mutex::default(),
        }
    }

    /// The same for work on the side, which waits for the lock of a file at most this long, and settles by itself.
    pub(crate) fn aside(&self, busy_timeout: Duration) -> Self {
        let mut settings = self.settings.clone();
        let most = self.settings.whole("busy_timeout_ms").unwrap_or(u64::MAX);
        let busy = u64::try_from(busy_timeout.as_millis()).unwrap_or(u64::MAX);
        let busy = serde_json::Value::from(busy.min(most));
        settings.set_flag("busy_timeout_ms", "learn", busy);
        Self::new(settings, self.output)
    }

    /// The memory that the settings name.
    pub(crate) fn key(&self) -> Result<MemoryKey, Problem> {
        let name = |part| self.settings.text_or_empty(part);
        Ok(MemoryKey::new(
            name("tenant"),
            name("learner"),
            name("scope"),
        )?)
    }

    /// Opens the store and names the memory that is meant.
    pub(crate) fn open(&self) -> Result<OpenMemory, Problem> {
        let key = self.key()?;
        let engine = self.engine()?;
        Ok(OpenMemory { engine, key })
    }

    /// Opens the store and names whose lessons are meant.
    pub(crate) fn open_lessons(&self) -> Result<OpenLessons, Problem> {
        let key = self.key()?;
        let owner = Owner::new(key.tenant(), key.learner())?;
        let engine = self.engine()?;
        Ok(OpenLessons { engine, owner })
    }

    /// Opens the store and names whose lessons are meant, by what was written down.
    pub(crate) fn lessons_of(&self, tenant: &str, learner: &str) -> Result<OpenLessons, Problem> {
        let owner = Owner::new(tenant, learner)?;
        let engine = self.engine()?;
        Ok(OpenLessons { engine, owner })
    }

    /// Opens a store and names the memory, for what makes nothing new: a store that was typed must be there.
    pub(crate) fn open_there(&self) -> Result<OpenMemory, Problem> {
        self.typed_store_exists()?;
        self.open()
    }

    /// Opens a store and names whose lessons are meant, for what makes nothing new.
    pub(crate) fn open_lessons_there(&self) -> Result<OpenLessons, Problem> {
        self.typed_store_exists()?;
        self.open_lessons()
    }

    /// Refuses a typed store that is not there. One from the settings may wait for its first write: until then
    /// there is nothing in it, and that is an answer.
    fn typed_store_exists(&self) -> Result<(), Problem> {
        match self.settings.text("store") {
            Some(store) if self.settings.is_flag("store") && !store.trim().is_empty() => {
                place::must_exist(store)
            }
            _ => Ok(()),
        }
    }

    /// Opens the store that the settings name.
    pub(crate) fn engine(&self) -> Result<Engine, Problem> {
        let place = self.settings.text("store").ok_or_else(|| {
            Problem::new("store_unavailable", "this user has no folder for data")
                .with_hint("name a file with --store or MNEMOGRAPH_STORE")
        })?;
        self.engine_at(place)
    }

    /// Opens the store at a place: the path of a file, or the address of a server.
    pub(crate) fn engine_at(&self, place: &str) -> Result<Engine, Problem> {
        let options = self.engine_options()?;
        let store = self.store_at(place)?;
        let engine = Engine::new(store, Arc::new(SystemClock), options);
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push(engine.clone());
        Ok(engine)
    }

    /// Waits for what the engines still do behind their answers.
    pub(crate) async fn settle(&self) {
        let opened =
            std::mem::take(&mut *self.opened.lock().unwrap_or_else(PoisonError::into_inner));
        for engine in opened {
            engine.settle().await;
        }
    }

    fn store_at(&self, place: &str) -> Result<Arc<dyn Store>, Problem> {
        if place::is_server(place)? {
            return self.server_at(place);
        }
        if place.trim().is_empty() {
            return Err(
                Problem::new("store_unavailable", "the name of the store is empty")
                    .with_hint("name a file with --store or MNEMOGRAPH_STORE"),
            );
        }
        Ok(Arc::new(EmbeddedStore::open(place, self.file_options())?))
    }

    /// How a file is opened.
    pub(crate) fn file_options(&self) -> EmbeddedOptions {
        let defaults = EmbeddedOptions::default();
        let timeout = self.settings.whole("busy_timeout_ms");
        EmbeddedOptions {
            busy_timeout_ms: timeout.unwrap_or(defaults.busy_timeout_ms),
            ..defaults
        }
    }

    /// Reaches the server that the store names as it is: what is pending there stays so, and is an error.
    #[cfg(feature = "neo4j")]
    pub(crate) async fn server_as_it_is(&self) -> Result<Arc<dyn Store>, Problem> {
        let options = Neo4jOptions {
            migrate: false,
            ..self.options_at(self.settings.text_or_empty("store"))
        };
        Ok(Arc::new(Neo4jStore::connect(options).await?))
    }

    #[cfg(not(feature = "neo4j"))]
    pub(crate) async fn server_as_it_is(&self) -> Result<Arc<dyn Store>, Problem> {
        self.server_at(self.settings.text_or_empty("store"))
    }

    /// Reaches a server. Commands run in tasks of a runtime with several threads, so this one may wait.
    #[cfg(feature = "neo4j")]
    fn server_at(&self, uri: &str) -> Result<Arc<dyn Store>, Problem> {
        let connect = Neo4jStore::connect(self.options_at(uri));
        let store =
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(connect));
        Ok(Arc::new(store?))
    }

    /// How the server is reached that the settings name as the store, where they name one.
    #[cfg(feature = "neo4j")]
    pub(crate) fn server_options(&self) -> Result<Option<Neo4jOptions>, Problem> {
        let store = self.settings.text_or_empty("store");
        Ok(place::is_server(store)?.then(|| self.options_at(store)))
    }

    #[cfg(feature = "neo4j")]
    fn options_at(&self, uri: &str) -> Neo4jOptions {
        let settings = &self.settings;
        let defaults = Neo4jOptions::default();
        let or = |name: &str, other: String| settings.text(name).map_or(other, str::to_owned);
        Neo4jOptions {
            uri: uri.to_owned(),
            user: or("neo4j.username", defaults.user.clone()),
            password: or("neo4j.password", defaults.password.clone()),
            database: or("neo4j.database", defaults.database.clone()),
            ca_file: settings.text("neo4j.ca_file").map(Into::into),
            instance: settings.text_or_empty("instance").to_owned(),
            ..defaults
        }
    }

    /// Tells whether the store is a server.
    pub(crate) fn names_a_server(&self) -> Result<bool, Problem> {
        place::is_server(self.settings.text_or_empty("store"))
    }

    /// How the server that the settings name is reached; an error when they name a file.
    #[cfg(feature = "neo4j")]
    pub(crate) fn server_to_measure(&self) -> Result<Neo4jOptions, Problem> {
        let settings = &self.settings;
        let is_meant = self.names_a_server()? || settings.is_flag("store");
        let named = settings.text("store").filter(|_| is_meant);
        let place = named.or(settings.text("neo4j.uri")).unwrap_or_default();
        if place::is_server(place)? {
            return Ok(self.options_at(place));
        }
        let message = format!("`{place}` is not the address of a server");
        Err(Problem::new("no_server", message)
            .with_hint("name one with --store or NEO4J_URI, such as bolt://localhost:7687"))
    }

    #[cfg(not(feature = "neo4j"))]
    fn server_at(&self, uri: &str) -> Result<Arc<dyn Store>, Problem> {
        let message =
            format!("the store at {uri} cannot be opened: this build has no Neo4j backend");
        Err(Problem::new("store_unavailable", message)
            .with_hint("build with the feature `neo4j`, or name a file with --store"))
    }

    /// How engines of this session are made.
    pub(crate) fn engine_options(&self) -> Result<EngineOptions, Problem> {
        let settings = &self.settings;
        let tables = policy::tables(settings)?;
        Ok(EngineOptions {
            instance: settings.text_or_empty("instance").to_owned(),
            author: settings.text("author").map(str::to_owned),
            policy: policy::local(settings, &tables)?,
            seeds: settings.switch("seeds"),
            tables: Arc::new(tables),
            log_contents: settings.switch("log_contents"),
            lessons: Arc::new(lesson_rules::read(settings)?),
            durability: durability(settings)?,
        })
    }

    /// The author that was typed; one from the settings is the engine's to fill in.
    pub(crate) fn typed_author(&self) -> Option<String> {
        let author = self.settings.text("author").map(str::to_owned);
        author.filter(|_| self.settings.is_flag("author"))
    }

    /// Waits for an engine verb, with a sign of life when it takes long.
    pub(crate) async fn wait<T>(
        &self,
        what: &str,
        work: impl Future<Output = EngineResult<T>>,
    ) -> Result<T, Problem> {
        Ok(progress::watch(what, work).await?)
    }
}

impl Session {
    /// Carries out one operation on a bullet that the user named, and shows its receipt.
    pub(crate) async fn change_bullet(
        &self,
        id: &str,
        operation: Operation,
        reasoning: Option<String>,
    ) -> CommandResult {
        let memory = self.open_there()?;
        memory.bullet(id).await?;
        let mut delta = Delta::new(Engine::fresh_delta_id()?, vec![operation]);
        delta.reasoning = reasoning;
        delta.origin.author = self.typed_author();
        let applied = memory.engine.apply_delta(&memory.key, delta).await?;
        let shown = DeltaApplied::of(applied.receipt, applied.repeated);
        self.output
            .show(&shown, |page| receipts::applied(page, &shown))?;
        Ok(Outcome::Done)
    }
}

impl OpenMemory {
    /// Checks that the memory has a bullet, by our id or another program's.
    async fn bullet(&self, id: &str) -> Result<(), Problem> {
        let view = self.view().await?;
        match view.find(id) {
            Some(_) => Ok(()),
            None => Err(EngineError::NoBullet(id.to_owned()).into()),
        }
    }

    /// Reads the memory; an error where there is none.
    pub(crate) async fn view(&self) -> Result<MemoryView, Problem> {
        let view = self.engine.view(&self.key).await?;
        Ok(view.ok_or_else(|| EngineError::NoMemory(self.key.clone()))?)
    }
}

/// When retrievals are answered, as the settings say.
fn durability(settings: &Settings) -> Result<Durability, Problem> {
    let window = Duration::from_millis(settings.whole("grouped_window_ms").unwrap_or_default());
    match settings.text_or_empty("durability") {
        "durable" => Ok(Durability::Durable),
        "grouped" => Ok(Durability::Grouped { window }),
        other => {
            let message = format!("durability is `{other}`");
            Err(Problem::new("invalid_config", message).with_hint(
                "`durable` answers when the record is on disk, `grouped` at once, with \
                 `grouped_window_ms` until it is sent to the store",
            ))
        }
    }
}
