//! A Neo4j server as a test sees it: address, login, and a tenant that is erased with the test.
//!
//! It does not know where the server comes from, so a named server and a container are the same.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use tokio::runtime::Builder;

use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{EraseNote, EraseOrder, EraseStore, MaintenanceStore, Store, StoreResult};

/// Generous, because tests run in parallel on busy machines.
const CONNECT_TIMEOUT_MS: u64 = 20_000;

/// A server, and a user with all rights.
#[derive(Clone)]
pub struct Server {
    /// Its Bolt address.
    pub uri: String,
    /// Name of the user.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// Name of the database.
    pub database: String,
    /// Certificates of authorities to trust, if it encrypts with others than the machine's.
    pub ca_file: Option<PathBuf>,
    /// Address of its HTTP interface.
    pub http: String,
}

// By hand, because a failing test prints its values, which must not include the password.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("uri", &self.uri)
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// The server named by `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE`, `NEO4J_CA_FILE`
    /// and `NEO4J_HTTP`; absent without the first.
    pub fn from_environment() -> Option<Self> {
        let uri = env::var("NEO4J_URI").ok().filter(|uri| !uri.is_empty())?;
        let or = |name: &str, other: &str| env::var(name).unwrap_or_else(|_| other.to_owned());
        let host = uri.split("://").nth(1).unwrap_or(&uri);
        let host = host.split([':', '/']).next().unwrap_or("localhost");
        Some(Self {
            user: or("NEO4J_USERNAME", "neo4j"),
            password: or("NEO4J_PASSWORD", ""),
            database: or("NEO4J_DATABASE", "neo4j"),
            ca_file: env::var_os("NEO4J_CA_FILE").map(PathBuf::from),
            http: or("NEO4J_HTTP", &format!("http://{host}:7474")),
            uri,
        })
    }

    /// Connection options of the backend.
    pub fn options(&self) -> Neo4jOptions {
        Neo4jOptions {
            uri: self.uri.clone(),
            user: self.user.clone(),
            password: self.password.clone(),
            database: self.database.clone(),
            ca_file: self.ca_file.clone(),
            instance: "test".to_owned(),
            connect_timeout_ms: CONNECT_TIMEOUT_MS,
            ..Neo4jOptions::default()
        }
    }

    /// Connects, and creates the schema if needed.
    ///
    /// # Errors
    ///
    /// Those of [`Neo4jStore::connect`].
    pub async fn store(&self) -> StoreResult<Arc<dyn Store>> {
        Ok(Arc::new(Neo4jStore::connect(self.options()).await?))
    }

    /// Erases all memories of a tenant; returns how many.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or refuses.
    pub async fn erase_tenant(&self, tenant: &str) -> StoreResult<u64> {
        let store = Neo4jStore::connect(self.options()).await?;
        let memories = store.memories(tenant, None).await?;
        let mut learners: Vec<_> = memories.iter().map(|one| one.key.learner()).collect();
        learners.dedup();
        let mut erased = 0;
        for learner in learners {
            let order = EraseOrder {
                elsewhere: 0,
                tenant: tenant.to_owned(),
                learner: learner.to_owned(),
                scope: None,
                note: EraseNote {
                    id: format!("er_{tenant}_{learner}"),
                    at: Timestamp::default(),
                    author: None,
                },
            };
            erased += store.erase(order).await?.erased.memories;
        }
        Ok(erased)
    }
}

/// Erases a tenant when dropped.
pub(super) struct Erasing {
    pub(super) server: Server,
    pub(super) tenant: String,
}

impl Drop for Erasing {
    fn drop(&mut self) {
        let (server, tenant) = (self.server.clone(), self.tenant.clone());
        let erased = on_a_thread(move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            let erased = runtime.block_on(server.erase_tenant(&tenant));
            erased.map_err(|error| error.to_string())
        });
        if let Some(Err(reason)) = erased {
            tracing::warn!(tenant = self.tenant, reason, "a test's memories remain");
        }
    }
}

/// Runs blocking work on its own thread; returns nothing if it panicked.
pub(super) fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    thread::spawn(work).join().ok()
}
