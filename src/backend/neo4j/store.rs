//! The store: how a database is reached, and the ways in which every call reads and writes.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use neo4rs::{ConfigBuilder, Graph};

use super::address::shown;
use super::contention_backoff::ContentionBackoff;
use super::error::Failure;
use super::executor::{Aim, Executor, Limits};
use super::state::Access;
use super::statements::{DATABASE, SERVER};
use super::values::Map;
use super::wire::Wire;
use super::work::{Task, carry_out};
use super::{schema, tls};
use mnemograph_store::{ErrorKind, StoreError, StoreResult};

const CONNECT: &str = "connect";
/// Rows that the server sends before it waits to be asked for more.
const FETCH_SIZE: usize = 1_000;

/// How a database is reached.
#[derive(Clone, PartialEq, Eq)]
pub struct Neo4jOptions {
    /// Address, such as `bolt://localhost:7687` or `neo4j+s://example.org`. With `+s` the connection is
    /// encrypted and the server's certificate is checked; with `+ssc` it is encrypted and anybody may be
    /// at the other end.
    pub uri: String,
    /// Certificates (PEM) of the authorities that may vouch for the server, in place of those that this
    /// machine trusts; only with `+s`.
    pub ca_file: Option<PathBuf>,
    /// Who asks.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// Name of the database.
    pub database: String,
    /// Name of this instance in what it writes.
    pub instance: String,
    /// How long a connection may take to be made, in milliseconds. A server that has just started answers its
    /// first question seconds after it accepted the connection.
    pub connect_timeout_ms: u64,
    /// How long a statement may take, the wait for a free connection included, in milliseconds.
    pub statement_timeout_ms: u64,
    /// How long a unit of work may take with all its repetitions, in milliseconds.
    pub work_timeout_ms: u64,
    /// Connections that may be open at once.
    pub connections: usize,
    /// Whether pending migrations are applied; otherwise they are an error.
    pub migrate: bool,
}

impl Default for Neo4jOptions {
    fn default() -> Self {
        Self {
            uri: "bolt://localhost:7687".to_owned(),
            ca_file: None,
            user: "neo4j".to_owned(),
            password: String::new(),
            database: "neo4j".to_owned(),
            instance: "local".to_owned(),
            connect_timeout_ms: 15_000,
            statement_timeout_ms: 30_000,
            work_timeout_ms: 60_000,
            connections: 16,
            migrate: true,
        }
    }
}

impl fmt::Debug for Neo4jOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neo4jOptions")
            .field("uri", &shown(&self.uri))
            .field("user", &self.user)
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

/// A store in one database.
pub struct Neo4jStore {
    pub(super) executor: Executor,
    /// The address, fit to be shown.
    pub(super) server: String,
    pub(super) instance: String,
    pub(super) read_only: bool,
    pub(super) backoff: Arc<ContentionBackoff>,
}

impl fmt::Debug for Neo4jStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neo4jStore")
            .field("server", &self.server)
            .field("database", &self.executor.database())
            .field("read_only", &self.read_only)
            .finish_non_exhaustive()
    }
}

impl Neo4jStore {
    /// Reaches a database and makes sure that it has the schema of this engine.
    ///
    /// # Errors
    /// `Invalid` for an address or a file of authorities that cannot be one, `Unavailable` for a server
    /// that cannot be reached or trusted, refuses the user or lacks the database or the schema, `Foreign` for what is not a Neo4j,
    /// `NewerSchema`, `Damaged` for a migration that was applied in another form, and `ReadOnly` when
    /// the schema would have to be brought up to date and cannot.
    pub async fn connect(options: Neo4jOptions) -> StoreResult<Self> {
        let migrate = options.migrate;
        let store = Self::reach(options).await?;
        store.make_ready(migrate).await?;
        Ok(store)
    }

    /// Reaches a database, whatever its schema.
    pub(super) async fn reach(options: Neo4jOptions) -> StoreResult<Self> {
        // A second call finds the provider of the first, which is the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let server = shown(&options.uri);
        let config = tls::trust(
            config_of(&options),
            &options.uri,
            options.ca_file.as_deref(),
        )?;
        let graph = config.build().and_then(Graph::connect);
        let graph = graph.map_err(|error| {
            Failure::from_driver(error, CONNECT).into_store_error(CONNECT, &server)
        })?;
        let limits = Limits {
            statement: Duration::from_millis(options.statement_timeout_ms),
            work: Duration::from_millis(options.work_timeout_ms),
        };
        let mut store = Self {
            executor: Executor::new(
                (graph, options.connections.max(1)),
                (&options.database, Wire::to(&options.uri)),
                limits,
            ),
            server,
            instance: options.instance,
            read_only: false,
            backoff: Arc::new(ContentionBackoff::new()),
        };
        let limit = Duration::from_millis(options.connect_timeout_ms);
        let met = tokio::time::timeout(limit, store.meet()).await;
        // The first question writes nothing, so that no answer leaves nothing open.
        let met = met.unwrap_or(Err(Failure::Late(CONNECT)));
        store.read_only = met.map_err(|failure| match failure {
            Failure::Unknown(what) | Failure::Cut(what) => {
                let server = &store.server;
                let context = format!("`{server}` cannot be reached; check its address ({what})");
                StoreError::new(ErrorKind::Unavailable, CONNECT, context)
            }
            other => store.store_error(CONNECT, other),
        })?;
        Ok(store)
    }

    /// True when every write will be refused.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Asks what the server is; gives whether the database may only be read.
    async fn meet(&self) -> Result<bool, Failure> {
        let about = self.executor.alone(Aim::Ask, SERVER, Map::new()).await?;
        let edition: Option<String> = about.first().map(|row| row.get("edition")).transpose()?;
        let named = Map::new().with("database", self.executor.database());
        let rows = self.executor.alone(Aim::Ask, DATABASE, named).await?;
        let access: Option<String> = rows.first().map(|row| row.get("access")).transpose()?;
        tracing::debug!(?edition, ?access, "a Neo4j answered");
        Ok(access.as_deref() == Some("read-only"))
    }

    async fn make_ready(&self, migrate: bool) -> StoreResult<()> {
        let judged = schema::judge(&self.executor).await;
        if judged.map_err(|failure| self.store_error(CONNECT, failure))? {
            return Ok(());
        }
        let lacking = |kind, what: &str| {
            let context = format!("`{}` has no schema of this engine yet; {what}", self.server);
            Err(StoreError::new(kind, CONNECT, context))
        };
        if self.read_only {
            return lacking(ErrorKind::ReadOnly, "connect once with the right to write");
        }
        if !migrate {
            return lacking(ErrorKind::Unavailable, "migrate it first");
        }
        let applied = schema::migrate(&self.executor, &self.instance).await;
        applied
            .map(|_| ())
            .map_err(|failure| self.store_error(CONNECT, failure))
    }

    pub(super) fn store_error(&self, operation: &'static str, failure: Failure) -> StoreError {
        failure.into_store_error(operation, &self.server)
    }

    pub(super) fn access(&self) -> Access {
        if self.read_only {
            Access::ReadOnly
        } else {
            Access::Locked
        }
    }

    pub(super) fn writable(&self, operation: &'static str) -> StoreResult<()> {
        if self.read_only {
            Err(self.store_error(operation, Failure::ReadOnly))
        } else {
            Ok(())
        }
    }

    /// Reads in one transaction.
    pub(super) async fn read<T: Task>(
        &self,
        operation: &'static str,
        task: T,
    ) -> StoreResult<T::Output> {
        let done = carry_out(&self.executor, task).await;
        done.map_err(|failure| self.store_error(operation, failure))
    }

    /// Reads in one transaction what `task` makes for a way to look. A database may be closed to writers
    /// while an instance runs; then nobody else writes either, and the lock is not needed.
    pub(super) async fn look_with<T: Task>(
        &self,
        operation: &'static str,
        task: impl Fn(Access) -> T + Send + Sync,
    ) -> StoreResult<T::Output> {
        let mut done = carry_out(&self.executor, task(self.access())).await;
        if matches!(&done, Err(failure) if failure.is_read_only()) {
            done = carry_out(&self.executor, task(Access::ReadOnly)).await;
        }
        done.map_err(|failure| self.store_error(operation, failure))
    }

    /// Writes in one transaction: what the task did is on disk when this gives `Ok`.
    pub(super) async fn write<T: Task>(
        &self,
        operation: &'static str,
        task: T,
    ) -> StoreResult<T::Output> {
        self.writable(operation)?;
        self.read(operation, task).await
    }
}

fn config_of(options: &Neo4jOptions) -> ConfigBuilder {
    let statement = Duration::from_millis(options.statement_timeout_ms);
    ConfigBuilder::new()
        .uri(options.uri.as_str())
        .user(options.user.as_str())
        .password(options.password.as_str())
        .db(options.database.as_str())
        .fetch_size(FETCH_SIZE)
        .max_connections(options.connections.max(1))
        // The driver reads with the same limit as it connects, so this is no shorter than a statement.
        .connection_timeout(statement)
        // In this driver the longest wait for a free connection, whatever the name says.
        .max_lifetime(statement)
}
