//! The stores of a session: where they are, and how to open them.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

#[cfg(feature = "neo4j")]
use serde_json::{Value, json};

use super::Session;
#[cfg(feature = "neo4j")]
use crate::models::analyst::analyst;
use crate::place;
#[cfg(unix)]
use crate::resident::Opened;
use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_agents::agent::tools::Source;
use hindlore_api::problem::Problem;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
#[cfg(feature = "neo4j")]
use hindlore_neo4j::{Listener, Neo4jOptions, Neo4jStore};
use hindlore_store::Store;

impl Session {
    /// Opens the store named by the settings.
    pub(crate) fn engine(&self) -> Result<Engine, Problem> {
        self.engine_at(self.place()?)
    }

    /// Opens the same store with other engine options.
    pub(crate) fn engine_with(&self, options: EngineOptions) -> Result<Engine, Problem> {
        self.opened_at(self.place()?, || Ok(options))
    }

    /// Opens the store at a place: the path of a file, or the address of a server.
    pub(crate) fn engine_at(&self, place: &str) -> Result<Engine, Problem> {
        self.opened_at(place, || self.engine_options())
    }

    fn place(&self) -> Result<&str, Problem> {
        self.settings.text("store").ok_or_else(|| {
            Problem::new("store_unavailable", "this user has no folder for data")
                .with_hint("name a file with --store or HINDLORE_STORE")
        })
    }

    /// Options are asked for where an engine is made, since reading their tables takes a millisecond.
    fn opened_at(
        &self,
        place: &str,
        options: impl FnOnce() -> Result<EngineOptions, Problem>,
    ) -> Result<Engine, Problem> {
        let engine = self.engine_over(place, options)?;
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push(engine.clone());
        Ok(engine)
    }

    fn engine_over(
        &self,
        place: &str,
        options: impl FnOnce() -> Result<EngineOptions, Problem>,
    ) -> Result<Engine, Problem> {
        let is_server = place::is_server(place)?;
        let made =
            |store: Arc<dyn Store>, options| Engine::new(store, Arc::new(SystemClock), options);
        #[cfg(unix)]
        if let (Some(warm), false) = (&self.warm, is_server) {
            return warm.engine(place, &self.settings, || {
                let options = options()?;
                let store = self.file_at(place)?;
                let engine = made(store.clone(), options);
                Ok(Opened { engine, store })
            });
        }
        // Before the store: wrong settings make no file.
        let options = options()?;
        let began = Instant::now();
        let store: Arc<dyn Store> = if is_server {
            self.server_at(place)?
        } else {
            self.file_at(place)?
        };
        tracing::debug!(took = ?began.elapsed(), "the store is open");
        Ok(made(store, options))
    }

    /// Opens the file at a place; reports if that updates it.
    fn file_at(&self, place: &str) -> Result<Arc<EmbeddedStore>, Problem> {
        if place.trim().is_empty() {
            return Err(
                Problem::new("store_unavailable", "the name of the store is empty")
                    .with_hint("name a file with --store or HINDLORE_STORE"),
            );
        }
        let store = EmbeddedStore::open(place, self.file_options())?;
        if let Some((from, to)) = store.upgrade() {
            let said = format!(
                "`{place}` was upgraded from schema version {from} to {to}; programs of the old version cannot open \
                 it any more. `migrate status` tells what is pending without upgrading: copy the file then, if you \
                 want a way back"
            );
            self.warn("upgraded", said);
        }
        Ok(Arc::new(store))
    }

    /// Waits for the engines' background work; those that stay loaded only write their records.
    pub(crate) async fn settle(&self) {
        let opened =
            std::mem::take(&mut *self.opened.lock().unwrap_or_else(PoisonError::into_inner));
        for engine in opened {
            if self.is_warm() {
                engine.flush_all().await;
            } else {
                engine.drain().await;
            }
        }
    }

    /// Options for opening a file.
    pub(crate) fn file_options(&self) -> EmbeddedOptions {
        let defaults = EmbeddedOptions::default();
        let timeout = self.settings.whole("busy_timeout_ms");
        EmbeddedOptions {
            busy_timeout_ms: timeout.unwrap_or(defaults.busy_timeout_ms),
            ..defaults
        }
    }

    /// Connects to the server named by the store without updating it; pending migrations are an error.
    #[cfg(feature = "neo4j")]
    pub(crate) async fn engine_as_it_is(&self) -> Result<Engine, Problem> {
        let options = Neo4jOptions {
            migrate: false,
            ..self.options_at(self.settings.text_or_empty("store"))?
        };
        let store = Arc::new(Neo4jStore::connect(options).await?);
        Ok(Engine::new(
            store,
            Arc::new(SystemClock),
            self.engine_options()?,
        ))
    }

    #[cfg(not(feature = "neo4j"))]
    pub(crate) async fn engine_as_it_is(&self) -> Result<Engine, Problem> {
        self.engine()
    }

    /// Connects to a server. May block, because commands run on a runtime with several threads.
    #[cfg(feature = "neo4j")]
    fn server_at(&self, uri: &str) -> Result<Arc<dyn Store>, Problem> {
        let connect = Neo4jStore::connect(self.options_at(uri)?);
        let store =
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(connect));
        Ok(Arc::new(store?))
    }

    /// Connection options of the configured server, if the store is one.
    #[cfg(feature = "neo4j")]
    pub(crate) fn server_options(&self) -> Result<Option<Neo4jOptions>, Problem> {
        let store = self.settings.text_or_empty("store");
        let is_server = place::is_server(store)?;
        is_server.then(|| self.options_at(store)).transpose()
    }

    /// The analysts' queries as a tool of agents.
    #[cfg(feature = "neo4j")]
    pub(super) fn analyst(&self) -> Result<Source, Problem> {
        let options = self.server_options()?.ok_or_else(|| {
            let message = "`agent.analyst` is set, and the store is no Neo4j server";
            Problem::new("invalid_config", message)
                .with_hint("name one with --store, or leave the setting out")
        })?;
        Ok(analyst(options))
    }

    #[cfg(not(feature = "neo4j"))]
    pub(super) fn analyst(&self) -> Result<Source, Problem> {
        let message = "`agent.analyst` is set, and this build has no Neo4j backend";
        Err(Problem::new("invalid_config", message).with_hint("leave the setting out"))
    }

    #[cfg(feature = "neo4j")]
    fn options_at(&self, uri: &str) -> Result<Neo4jOptions, Problem> {
        let settings = &self.settings;
        let defaults = Neo4jOptions::default();
        let output = self.output.clone();
        let millis = |name: &str, other: u64| settings.whole(name).unwrap_or(other);
        let count =
            |name: &str, other: usize| settings.whole(name).map_or(other, |count| count as usize);
        let or = |name: &str, other: String| settings.text(name).map_or(other, str::to_owned);
        let options = Neo4jOptions {
            uri: uri.to_owned(),
            user: or("neo4j.username", defaults.user.clone()),
            password: or("neo4j.password", defaults.password.clone()),
            database: or("neo4j.database", defaults.database.clone()),
            ca_file: settings.text("neo4j.ca_file").map(Into::into),
            instance: settings.text_or_empty("instance").to_owned(),
            connections: count("neo4j.connections", defaults.connections),
            waiting_connections: count("neo4j.waiting_connections", defaults.waiting_connections),
            connect_timeout_ms: millis("neo4j.connect_timeout_ms", defaults.connect_timeout_ms),
            statement_timeout_ms: millis(
                "neo4j.statement_timeout_ms",
                defaults.statement_timeout_ms,
            ),
            work_timeout_ms: millis("neo4j.work_timeout_ms", defaults.work_timeout_ms),
            patience_ms: millis("neo4j.patience_ms", defaults.patience_ms),
            listener: Listener::new(move |what| output.note(what)),
            ..defaults
        };
        Ok(options.with_login_of_address()?)
    }

    /// Reads the memories that the original programs left in a Neo4j, as rows of an `ace-state` import.
    #[cfg(feature = "neo4j")]
    pub(crate) async fn ace_states(&self, uri: &str) -> Result<String, Problem> {
        let states = Neo4jStore::ace_states(self.options_at(uri)?).await?;
        if states.is_empty() {
            let message = "the database has no AceMemoryState with a `memory_json`";
            return Err(Problem::new("nothing_to_import", message).with_hint(
                "name another one with NEO4J_DATABASE; a store is copied by `migrate`",
            ));
        }
        let rows = states.into_iter().map(|state| {
            json!({"user_id": state.user, "memory_json": state.memory, "access_clock": state.clock})
        });
        Ok(Value::Array(rows.collect()).to_string())
    }

    #[cfg(not(feature = "neo4j"))]
    pub(crate) async fn ace_states(&self, uri: &str) -> Result<String, Problem> {
        self.server_at(uri).map(|_| String::new())
    }

    /// True if the store is a server.
    pub fn names_a_server(&self) -> Result<bool, Problem> {
        place::is_server(self.settings.text_or_empty("store"))
    }

    /// Connection options of the configured server; an error if the store is a file.
    #[cfg(feature = "neo4j")]
    pub fn server_to_measure(&self) -> Result<Neo4jOptions, Problem> {
        let settings = &self.settings;
        let is_meant = self.names_a_server()? || settings.is_flag("store");
        let named = settings.text("store").filter(|_| is_meant);
        let place = named.or(settings.text("neo4j.uri")).unwrap_or_default();
        if place::is_server(place)? {
            return self.options_at(place);
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
}
