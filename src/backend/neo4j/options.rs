//! Options for connecting to a database, and connections made with them.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use neo4rs::{ConfigBuilder, Graph};

use super::bolt::address::{Addresses, shown};
use super::bolt::tls;
use super::error::Failure;
use super::schema::migrations::{MIGRATIONS, Migration};
use super::schema::progress::Listener;
use hindlore_store::StoreResult;

const CONNECT: &str = "connect";
/// Rows that the server sends in one batch.
const FETCH_SIZE: usize = 1_000;

/// Options for connecting to a database.
#[derive(Clone, PartialEq, Eq)]
pub struct Neo4jOptions {
    /// Address, such as `bolt://localhost:7687` or `neo4j+s://example.org`. `+s` encrypts and checks the server's
    /// certificate; `+ssc` encrypts without checking who answers. `bolt` speaks with this server alone, `neo4j` with
    /// the member of its cluster that leads. A cluster may have several addresses, with commas between them; the first
    /// that answers names the leader. It may name the user, as in `bolt://user:password@localhost`, percent-encoded.
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
    /// Largest number of connections for work that waits for no lock.
    pub connections: usize,
    /// Largest number of further connections, for work that waits for a lock. They are opened when they are needed.
    pub waiting_connections: usize,
    /// How long a first connection is tried again where nothing answers yet, in milliseconds.
    pub patience_ms: u64,
    /// True to apply pending migrations; false to refuse a database that has any.
    pub migrate: bool,
    /// The migrations of the database; a test may append to them.
    pub migrations: &'static [Migration],
    /// Receives the progress of long migrations.
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
            migrations: MIGRATIONS,
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

impl Neo4jOptions {
    /// The largest number of connections for work that waits for no lock, at least one.
    pub(super) fn working_connections(&self) -> usize {
        self.connections.max(1)
    }

    /// The largest number of connections, for all work.
    pub(super) fn all_connections(&self) -> usize {
        self.working_connections() + self.waiting_connections
    }

    /// Moves the user that the address names into its option, and out of the address. A password in the address takes
    /// the place of the one that is set.
    ///
    /// # Errors
    /// `Invalid` for a malformed address.
    pub fn with_login_of_address(self) -> StoreResult<Self> {
        let addresses = Addresses::parse(&self.uri)?;
        let uri = addresses.text();
        Ok(match addresses.login {
            None => Self { uri, ..self },
            Some(login) => Self {
                uri,
                user: login.user,
                password: login.password.unwrap_or(self.password),
                ..self
            },
        })
    }

    /// Connections to one server, made when they are needed.
    pub(super) fn graph(&self, uri: &str) -> StoreResult<Graph> {
        // Fails when a provider is installed already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let config = tls::trust(self.config(uri), uri, self.ca_file.as_deref())?;
        let graph = config.build().and_then(Graph::connect);
        graph.map_err(|error| {
            Failure::from_driver(error, CONNECT).into_store_error(CONNECT, &shown(uri))
        })
    }

    fn config(&self, uri: &str) -> ConfigBuilder {
        let statement = Duration::from_millis(self.statement_timeout_ms);
        ConfigBuilder::new()
            .uri(uri)
            .user(self.user.as_str())
            .password(self.password.as_str())
            .db(self.database.as_str())
            .fetch_size(FETCH_SIZE)
            .max_connections(self.all_connections())
            // The driver uses its connect timeout for every read as well, so it must not be shorter than a statement's.
            .connection_timeout(statement)
            // Despite its name, this driver setting limits the wait for a free connection.
            .max_lifetime(statement)
    }
}
