//! A real Neo4j for tests: the one named by the environment, else a container, else the reason why there is
//! none.
//!
//! Nothing replaces the server. A test without one should be reported as ignored, with the reason, or fail if
//! `REQUIRE_NEO4J=1`; it must not pass silently.

use std::env;

#[cfg(feature = "containers")]
pub use super::container::Contained;
pub use super::server::Server;

/// Without the container feature there is nothing to hold.
#[cfg(not(feature = "containers"))]
type Contained = std::convert::Infallible;

/// Why there is no server for tests.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} ({reason})", ABSENT)]
pub struct Absent {
    /// Why no container could be started.
    pub reason: String,
}

/// The remedy if there is no server.
pub const ABSENT: &str = "no Neo4j to test on: set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD, or run \
     Docker with the image neo4j:5.26-community";

/// True if `REQUIRE_NEO4J=1` makes a missing server a failure.
pub fn is_required() -> bool {
    env::var("REQUIRE_NEO4J").is_ok_and(|value| value == "1")
}

/// A server for one test run.
///
/// A server named by the environment is used and left as it was. Otherwise, with the feature
/// `containers`, a container is started, and stopped when this is dropped: keep it in a local value,
/// because a `static` is never dropped.
#[derive(Debug)]
pub struct ThrowAway {
    server: Server,
    contained: Option<Contained>,
}

impl ThrowAway {
    /// Finds or starts a server, inside a runtime or not, and waits until it answers, which takes a container
    /// about twenty seconds.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn start() -> Result<Self, Absent> {
        match Server::from_environment() {
            Some(server) => Ok(Self {
                server,
                contained: None,
            }),
            None => Self::contained(),
        }
    }

    #[cfg(feature = "containers")]
    fn contained() -> Result<Self, Absent> {
        let contained = Contained::start().map_err(|reason| Absent { reason })?;
        Ok(Self {
            server: contained.server.clone(),
            contained: Some(contained),
        })
    }

    #[cfg(not(feature = "containers"))]
    fn contained() -> Result<Self, Absent> {
        let reason = "containers are started with the feature `containers` only".to_owned();
        Err(Absent { reason })
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// True if the server was started for this value and is removed with it.
    pub fn is_contained(&self) -> bool {
        self.contained.is_some()
    }
}
