//! A Neo4j in a container, removed when dropped.
//!
//! The client of the container engine brings an HTTP stack that takes longer to build than the rest of the
//! testkit, so it has its own feature.

use std::fmt;
use std::time::Duration;

use testcontainers::core::{IntoContainerPort, WaitFor};
use testcontainers::runners::AsyncRunner;
use testcontainers::{ContainerAsync, GenericImage, ImageExt};
use tokio::runtime::Runtime;

use super::server::{Server, on_a_thread};
use hindlore_neo4j::Neo4jStore;

const IMAGE: (&str, &str) = ("neo4j", "5.26-community");
const PASSWORD: &str = "tests-only-0";
/// Time allowed for a container to answer.
const START_SECONDS: u64 = 180;
/// Time for which a container that reports its start may still refuse calls.
const SETTLE_SECONDS: u64 = 30;

/// A container with a server, and the runtime needed to stop it.
pub struct Contained {
    /// The server inside.
    pub server: Server,
    /// Present until the drop takes them.
    parts: Option<(ContainerAsync<GenericImage>, Runtime)>,
}

impl fmt::Debug for Contained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contained").field(&self.server).finish()
    }
}

impl Contained {
    /// Starts a container, even if the environment names a server.
    ///
    /// # Errors
    ///
    /// Why it cannot start.
    pub fn start() -> Result<Self, String> {
        // On its own thread, because a runtime cannot block inside another one.
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
        // The container's own drop needs its runtime; without it the container would remain.
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
        // Times that Cypher makes have the name of this zone, unless a statement names one.
        .with_env_var("NEO4J_db_temporal_timezone", "Europe/Berlin")
        // A small database grows by half within seconds. Each time all statements would be planned again, for half a
        // second each.
        .with_env_var("NEO4J_dbms_cypher_min__replan__interval", "1h")
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
