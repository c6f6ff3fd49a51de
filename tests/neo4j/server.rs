//! Where the tests find a server: the one that the environment names, else a container.

use std::env;
use std::time::Duration;

use mnemograph::backend::neo4j::{Neo4jOptions, Neo4jStore};
use testcontainers::core::{IntoContainerPort, WaitFor};
use testcontainers::runners::AsyncRunner;
use testcontainers::{ContainerAsync, GenericImage, ImageExt};
use tokio::runtime::Runtime;

/// Why tests are ignored.
pub(crate) const ABSENT: &str = "no Neo4j to test on: set NEO4J_URI, NEO4J_USERNAME and \
     NEO4J_PASSWORD, or run Docker with the image that `scripts/neo4j image` makes";

const IMAGE: (&str, &str) = ("neo4j", "5.26-community");
const PASSWORD: &str = "tests-only-0";
/// How long a container may take until it answers.
const START_SECONDS: u64 = 180;

/// A server and a user who may do everything.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) uri: String,
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) database: String,
    /// Its HTTP interface.
    pub(crate) http: String,
}

impl Server {
    pub(crate) fn options(&self) -> Neo4jOptions {
        Neo4jOptions {
            uri: self.uri.clone(),
            user: self.user.clone(),
            password: self.password.clone(),
            database: self.database.clone(),
            instance: "test".to_owned(),
            ..Neo4jOptions::default()
        }
    }
}

/// The server that the environment names.
pub(crate) fn server() -> Option<Server> {
    let uri = env::var("NEO4J_URI").ok().filter(|uri| !uri.is_empty())?;
    let or = |name: &str, other: &str| env::var(name).unwrap_or_else(|_| other.to_owned());
    let host = uri.split("://").nth(1).unwrap_or(&uri);
    let host = host.split([':', '/']).next().unwrap_or("localhost");
    Some(Server {
        user: or("NEO4J_USERNAME", "neo4j"),
        password: or("NEO4J_PASSWORD", ""),
        database: or("NEO4J_DATABASE", "neo4j"),
        http: or("NEO4J_HTTP", &format!("http://{host}:7474")),
        uri,
    })
}

/// A container with a server, and the runtime that it must be stopped in.
pub(crate) struct Contained {
    pub(crate) server: Server,
    container: Option<ContainerAsync<GenericImage>>,
    runtime: Runtime,
}

impl Contained {
    /// Starts a container; `Err` says why there is none.
    pub(crate) fn start() -> Result<Self, String> {
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        let (server, container) = runtime
            .block_on(start())
            .map_err(|error| error.to_string())?;
        let container = Some(container);
        Ok(Self {
            server,
            container,
            runtime,
        })
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        // Outside of its runtime the container would stay behind.
        let container = self.container.take();
        self.runtime.block_on(async move { drop(container) });
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
        http: format!("http://{host}:{http}"),
    };
    // A server that says that it started may still refuse the first calls.
    for _ in 0..30 {
        if Neo4jStore::connect(server.options()).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok((server, container))
}

/// True when a missing server is a failure.
pub(crate) fn is_required() -> bool {
    env::var("REQUIRE_NEO4J").is_ok_and(|value| value == "1")
}
