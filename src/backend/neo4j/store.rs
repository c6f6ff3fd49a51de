//! The store: connecting to a database, and the ways in which every call reads and writes.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use neo4rs::{ConfigBuilder, Graph};
use tokio::time::{Instant, sleep};

use super::address::shown;
use super::contention_backoff::ContentionBackoff;
use super::error::Failure;
use super::executor::{Aim, Connections, Executor, Limits};
use super::loopback_padding::Transport;
use super::state::Access;
use super::statements::{DATABASE, SERVER};
use super::tell::{Listener, Tell};
use super::values::Map;
use super::work::{Task, carry_out};
use super::{schema, tls};
use mnemograph_store::{ErrorKind, StoreError, StoreResult};

const CONNECT: &str = "connect";
/// Pause between two tries of a first connection.
const AGAIN: Duration = Duration::from_millis(250);
const MIGRATE: &str = "migrate";
/// Limit for a step of a migration, in milliseconds: an hour.
const LONGEST_MS: u64 = 3_600_000;
/// Rows that the server sends in one batch.
const FETCH_SIZE: usize = 1_000;

/// Options for connecting to a database.
#[derive(Clone, PartialEq, Eq)]
pub struct Neo4jOptions {
    /// Address, such as `bolt://localhost:7687` or `neo4j+s://example.org`. `+s` encrypts and checks the server's
    /// certificate; `+ssc` encrypts without checking who answers.
    pub uri: String,
    /// PEM file with the certificate authorities to trust instead of this machine's; only with `+s`.
    pub ca_file: Option<PathBuf>,
    /// The user name.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// Name of the database.
    pub database: String,
    /// Name of this instance in its writes.
    pub instance: String,
    /// Limit for making a connection, in milliseconds. A server that has just started accepts connections seconds before
    /// it answers the first one.
    pub connect_timeout_ms: u64,
    /// Limit for one statement, including the wait for a free connection, in milliseconds.
    pub statement_timeout_ms: u64,
    /// Limit for one task, including all retries, in milliseconds.
    pub work_timeout_ms: u64,
    /// Largest number of connections for work that waits for nobody's lock.
    pub connections: usize,
    /// Largest number of connections beside those, for work that does. They are opened when they are needed.
    pub waiting_connections: usize,
    /// How long a first connection is tried again where nothing answers yet, in milliseconds.
    pub patience_ms: u64,
    /// True to apply pending migrations; false to refuse a database that has any.
    pub migrate: bool,
    /// Told how far migrations are that take long.
    pub listener: Listener,
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
            waiting_connections: 48,
            patience_ms: 2_000,
            migrate: true,
            listener: Listener::default(),
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
    /// The address, without credentials.
    pub(super) server: String,
    pub(super) instance: String,
    pub(super) read_only: bool,
    /// For the connections that wait longer, of migrations.
    options: Neo4jOptions,
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
    /// Connects to a database and makes sure that it has the schema of this engine.
    ///
    /// # Errors
    /// `Invalid` for a malformed address or authority file; `Unavailable` for a server that is unreachable or untrusted,
    /// refuses the user, or lacks the database or the schema; `Foreign` for a server that is no Neo4j; `NewerSchema`;
    /// `Damaged` when a migration was applied with another text; `ReadOnly` when the schema must be migrated and cannot.
    pub async fn connect(options: Neo4jOptions) -> StoreResult<Self> {
        let migrate = options.migrate;
        let store = Self::reach(options).await?;
        store.make_ready(migrate).await?;
        Ok(store)
    }

    /// Connects to a database, whatever its schema.
    pub(super) async fn reach(options: Neo4jOptions) -> StoreResult<Self> {
        // Fails when a provider is installed already, which is fine.
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
                graph,
                connections_of(&options),
                &options.database,
                Transport::to(&options.uri),
                limits,
            ),
            server,
            instance: options.instance.clone(),
            read_only: false,
            backoff: Arc::new(ContentionBackoff::new()),
            options,
        };
        store.read_only = store
            .meet_with_patience()
            .await
            .map_err(|failure| match failure {
                Failure::Unknown(what) | Failure::Cut(what) => {
                    let server = &store.server;
                    let context =
                        format!("`{server}` cannot be reached; check its address ({what})");
                    StoreError::new(ErrorKind::Unavailable, CONNECT, context)
                }
                other => store.store_error(CONNECT, other),
            })?;
        Ok(store)
    }

    /// True when the database is read-only and every write is refused.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Meets the server, and tries again where nothing answers yet: it may start together with this program.
    async fn meet_with_patience(&self) -> Result<bool, Failure> {
        let limit = Duration::from_millis(self.options.connect_timeout_ms);
        let until = Instant::now() + Duration::from_millis(self.options.patience_ms);
        loop {
            let met = tokio::time::timeout(limit, self.meet()).await;
            // The first statement only reads, so a missing answer leaves no outcome unknown.
            let met = met.unwrap_or(Err(Failure::Late(CONNECT)));
            match met {
                Err(failure) if failure.is_absence() && Instant::now() + AGAIN < until => {
                    tracing::info!(?failure, "nothing answers yet");
                    sleep(AGAIN).await;
                }
                met => return met,
            }
        }
    }

    /// Checks that the server is a supported Neo4j; returns whether the database is read-only.
    async fn meet(&self) -> Result<bool, Failure> {
        let about = self
            .executor
            .auto_commit(Aim::Read, SERVER, Map::new())
            .await?;
        let edition: Option<String> = about.first().map(|row| row.get("edition")).transpose()?;
        let named = Map::new().with("database", self.executor.database());
        let rows = self
            .executor
            .auto_commit(Aim::Read, DATABASE, named)
            .await?;
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
        // Boxed: otherwise every future that opens a store would be as deep as a migration.
        Box::pin(self.apply_migrations(false)).await.map(|_| ())
    }

    /// Applies pending migrations, and with `on_demand` those that wait to be asked for. They have connections of their
    /// own: an index over many nodes takes longer than any other statement may.
    pub(super) async fn apply_migrations(&self, on_demand: bool) -> StoreResult<Vec<String>> {
        self.writable(MIGRATE)?;
        let patient = Self::reach(Neo4jOptions {
            statement_timeout_ms: LONGEST_MS,
            work_timeout_ms: LONGEST_MS,
            connections: 2,
            waiting_connections: 0,
            ..self.options.clone()
        });
        // Boxed, since `reach` is what connecting begins with as well.
        let patient = Box::pin(patient).await?;
        let how = schema::Migrating {
            instance: &self.instance,
            on_demand,
            tell: &Tell::new(self.options.listener.clone()),
        };
        let applied = async {
            let applied = schema::migrate(&patient.executor, &how).await?;
            schema::naming(&self.executor).await?;
            Ok(applied)
        };
        let applied = applied.await;
        applied.map_err(|failure| self.store_error(MIGRATE, failure))
    }

    /// Renames what older engines wrote under plain names, which ends the sharing of the database with them; returns the
    /// names of the applied migrations. Engines of this version may go on meanwhile.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub async fn contract(&self) -> StoreResult<Vec<String>> {
        Box::pin(self.apply_migrations(true)).await
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

    /// Runs the task that `task` makes for an access mode, in one transaction. A database may become read-only while an
    /// instance runs; then no other instance writes either, and the lock is not needed.
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

    /// Runs a task in one write transaction, which is committed to disk when this returns `Ok`.
    pub(super) async fn write<T: Task>(
        &self,
        operation: &'static str,
        task: T,
    ) -> StoreResult<T::Output> {
        self.writable(operation)?;
        self.read(operation, task).await
    }
}

fn connections_of(options: &Neo4jOptions) -> Connections {
    Connections {
        working: options.connections.max(1),
        waiting: options.waiting_connections,
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
        .max_connections(connections_of(options).all())
        // The driver uses its connect timeout for every read as well, so it must not be shorter than a statement's.
        .connection_timeout(statement)
        // Despite its name, this driver setting limits the wait for a free connection.
        .max_lifetime(statement)
}
