//! The store: connecting to a database, and the ways in which every call reads and writes.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::bolt::address::shown;
use super::bolt::contention_backoff::ContentionBackoff;
use super::bolt::executor::{Aim, Executor};
use super::bolt::values::Map;
use super::bolt::work::{Task, carry_out};
use super::error::Failure;
use super::memory::state::Access;
use super::options::Neo4jOptions;
use super::schema;
use super::schema::migrations::Migration;
use super::schema::progress::Tell;
use super::statements::{DATABASE, SERVER};
use hindlore_store::{ErrorKind, StoreError, StoreResult};

const CONNECT: &str = "connect";
/// The database that every server keeps for itself.
const SYSTEM: &str = "system";
/// Pause between two tries of a first connection.
const AGAIN: Duration = Duration::from_millis(250);
const MIGRATE: &str = "migrate";
/// Limit for a step of a migration, in milliseconds: an hour.
const LONGEST_MS: u64 = 3_600_000;

/// A store in one database.
pub struct Neo4jStore {
    pub(super) executor: Executor,
    /// The address, without credentials.
    pub(super) server: String,
    pub(super) instance: String,
    pub(super) read_only: bool,
    /// For the connections of migrations, which wait longer.
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

    /// Connects to a database with any schema.
    pub(super) async fn reach(options: Neo4jOptions) -> StoreResult<Self> {
        let options = options.with_login_of_address()?;
        if options.database.eq_ignore_ascii_case(SYSTEM) {
            let context = "the database `system` holds the users and the list of databases of a server and takes no \
                 memories; name another one with `neo4j.database` (NEO4J_DATABASE), such as `neo4j`";
            return Err(StoreError::new(ErrorKind::Invalid, CONNECT, context));
        }
        let mut store = Self {
            executor: Executor::new(&options)?,
            server: shown(&options.uri),
            instance: options.instance.clone(),
            read_only: false,
            backoff: Arc::new(ContentionBackoff::new()),
            options,
        };
        store.read_only = store
            .meet_with_patience()
            .await
            .map_err(|failure| match failure {
                // The first statements only read, so no outcome is in doubt.
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
        let judged = schema::judge(&self.executor, self.migrations()).await;
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
        let tell = Tell::new(self.options.listener.clone());
        tell.announce("the database lacks the constraints and indexes of this engine; making them takes some seconds, once");
        // Boxed: otherwise every future that opens a store would be as deep as a migration.
        Box::pin(self.apply_migrations()).await?;
        tell.announce("the database is ready");
        Ok(())
    }

    /// The migrations of the options.
    pub(super) fn migrations(&self) -> &'static [Migration] {
        self.options.migrations
    }

    /// Applies pending migrations over connections of their own: an index over many nodes takes longer than any other
    /// statement may.
    pub(super) async fn apply_migrations(&self) -> StoreResult<Vec<String>> {
        self.writable(MIGRATE)?;
        let patient = Self::reach(Neo4jOptions {
            statement_timeout_ms: LONGEST_MS,
            work_timeout_ms: LONGEST_MS,
            // One for the statement under way, and one that renews the lock meanwhile.
            connections: 2,
            waiting_connections: 0,
            ..self.options.clone()
        });
        // Boxed, since connecting begins with `reach` as well.
        let patient = Box::pin(patient).await?;
        let how = schema::Migrating {
            migrations: self.migrations(),
            instance: &self.instance,
            tell: &Tell::new(self.options.listener.clone()),
        };
        let applied = schema::migrate(&patient.executor, &how).await;
        applied.map_err(|failure| self.store_error(MIGRATE, failure))
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
    /// instance runs; then no other instance writes either, and the lock is not needed. A user who may only read has no
    /// lock either, and may meet half of a commit of others.
    pub(super) async fn look_with<T: Task>(
        &self,
        operation: &'static str,
        task: impl Fn(Access) -> T + Send + Sync,
    ) -> StoreResult<T::Output> {
        let mut done = carry_out(&self.executor, task(self.access())).await;
        if matches!(&done, Err(failure) if failure.allows_no_lock()) {
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
