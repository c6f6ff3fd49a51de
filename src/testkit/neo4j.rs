//! A real Neo4j for tests: the one that the environment names, else a container, else the reason why
//! there is none.
//!
//! Nothing stands in for the server. A test that finds none should be reported as ignored with the reason,
//! or fail when `REQUIRE_NEO4J=1` says that there has to be one; it must not pass in silence.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use testcontainers::core::{IntoContainerPort, WaitFor};
use testcontainers::runners::AsyncRunner;
use testcontainers::{ContainerAsync, GenericImage, ImageExt};
use tokio::runtime::{Builder, Runtime};

use crate::backend::neo4j::{Neo4jOptions, Neo4jStore};
use crate::domain::timestamp::Timestamp;
use crate::store::{EraseNote, EraseOrder, EraseStore, MaintenanceStore, Store, StoreResult};

const IMAGE: (&str, &str) = ("neo4j", "5.26-community");
const PASSWORD: &str = "tests-only-0";
/// How long a container may take until it answers.
const START_SECONDS: u64 = 180;
/// Tests run many at a time on machines that do other things too.
const CONNECT_TIMEOUT_MS: u64 = 20_000;
/// How long a container that says that it started may still refuse calls.
const SETTLE_SECONDS: u64 = 30;

/// A server and a user who may do everything.
#[derive(Clone)]
pub struct Server {
    /// Its Bolt address.
    pub uri: String,
    /// Who asks.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// Name of the database.
    pub database: String,
    /// Certificates of the authorities that vouch for it, where it encrypts and they are not the machine's.
    pub ca_file: Option<PathBuf>,
    /// Its HTTP interface.
    pub http: String,
}

// A test that fails prints what it has at hand, which must not be the password.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("uri", &self.uri)
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// The server that `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE`, `NEO4J_CA_FILE`
    /// and `NEO4J_HTTP` name; absent without the first.
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

    /// How the backend reaches it.
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

    /// Connects, and makes sure that the schema is there.
    ///
    /// # Errors
    /// Those of [`Neo4jStore::connect`].
    pub async fn store(&self) -> StoreResult<Arc<dyn Store>> {
        Ok(Arc::new(Neo4jStore::connect(self.options()).await?))
    }

    /// Erases every memory of a tenant; gives their number.
    ///
    /// # Errors
    /// When the server cannot be reached, or refuses.
    pub async fn erase_tenant(&self, tenant: &str) -> StoreResult<u64> {
        let store = Neo4jStore::connect(self.options()).await?;
        let memories = store.memories(tenant, None).await?;
        let mut learners: Vec<_> = memories.iter().map(|one| one.key.learner()).collect();
        learners.dedup();
        let mut erased = 0;
        for learner in learners {
            let order = EraseOrder {
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

/// Why there is no server to test on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Absent {
    /// What stood in the way of a container.
    pub reason: String,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ABSENT} ({})", self.reason)
    }
}

impl std::error::Error for Absent {}

/// What to do where there is no server.
pub const ABSENT: &str = "no Neo4j to test on: set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD, or run \
     Docker with the image neo4j:5.26-community";

/// True when `REQUIRE_NEO4J=1` says that a missing server is a failure.
pub fn is_required() -> bool {
    env::var("REQUIRE_NEO4J").is_ok_and(|value| value == "1")
}

/// A server for the time of a test run.
///
/// Where the environment names one it is used and left as it was found. Otherwise a container is started,
/// and stopped when this is dropped: let it live in a value of the test, not in a `static`, which is never
/// dropped.
#[derive(Debug)]
pub struct ThrowAway {
    server: Server,
    contained: Option<Contained>,
}

impl ThrowAway {
    /// Finds or starts a server. May be called with and without a runtime around it; it waits until the
    /// server answers, which takes a container some twenty seconds.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn start() -> Result<Self, Absent> {
        if let Some(server) = Server::from_environment() {
            let contained = None;
            return Ok(Self { server, contained });
        }
        let contained = Contained::start().map_err(|reason| Absent { reason })?;
        Ok(Self {
            server: contained.server.clone(),
            contained: Some(contained),
        })
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// True when the server was started for this value and goes with it.
    pub fn is_contained(&self) -> bool {
        self.contained.is_some()
    }
}

/// A container with a server, and the runtime that it must be stopped in.
pub struct Contained {
    /// The server inside.
    pub server: Server,
    /// Both are there until the drop takes them.
    parts: Option<(ContainerAsync<GenericImage>, Runtime)>,
}

impl fmt::Debug for Contained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contained").field(&self.server).finish()
    }
}

impl Contained {
    /// Starts a container, whatever the environment names.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start() -> Result<Self, String> {
        // A thread of its own, since a runtime cannot be waited for inside another one.
        on_a_thread(|| {
            let runtime = Runtime::new().map_err(|error| error.to_string())?;
            let started = runtime.block_on(start());
            let (server, container) = started.map_err(|error| error.to_string())?;
            Ok(Self {
                server,
                parts: Some((container, runtime)),
            })
        })
        .unwrap_or_else(|| Err("starting a container panicked".to_owned()))
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        let Some((container, runtime)) = self.parts.take() else {
            return;
        };
        // Outside of its runtime the container would stay behind.
        on_a_thread(move || runtime.block_on(async move { drop(container) }));
    }
}

async fn start() -> Result<(Server, ContainerAsync<GenericImage>), Box<dyn std::error::Error>> {
    let container = GenericImage::new(IMAGE.0, IMAGE.1)
        .with_exposed_port(7687.tcp())
        .with_exposed_port(7474.tcp())
        .with_wait_for(WaitFor::message_on_stdout("Started."))
        .with_env_var("NEO4J_AUTH", format!("neo4j/{PASSWORD}"))
        .with_env_var("NEO4J_server_memory_heap_max__size", "1g")
        .with_startup_timeout(Duration::from_secs(START_SECONDS))
        .start()
        .await?;
    let host = container.get_host().await?;
    let bolt = container.get_host_port_ipv4(7687).await?;
    let http = container.get_host_port_ipv4(7474).await?;
    let server = Server {
        uri: format!("bolt://{host}:{bolt}"),
        user: "neo4j".to_owned(),
        password: PASSWORD.to_owned(),
        database: "neo4j".to_owned(),
        ca_file: None,
        http: format!("http://{host}:{http}"),
    };
    let mut seconds = 0;
    loop {
        match Neo4jStore::connect(server.options()).await {
            Ok(_) => return Ok((server, container)),
            Err(error) if seconds >= SETTLE_SECONDS => return Err(error.into()),
            Err(_) => seconds += 1,
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// A tenant that is erased when this is dropped.
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
            tracing::warn!(
                tenant = self.tenant,
                reason,
                "a test's memories stay behind"
            );
        }
    }
}

/// Does something that waits on a thread of its own; nothing when it panicked.
fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    thread::spawn(work).join().ok()
}
