//! A real Neo4j for tests: the one that the environment names, else a container, else the reason why
//! there is none.
//!
//! Nothing stands in for the server. A test that finds none should be reported as ignored with the reason,
//! or fail when `REQUIRE_NEO4J=1` says that there has to be one; it must not pass in silence.

use std::env;
use std::fmt;

#[cfg(feature = "testkit-containers")]
pub use super::container::Contained;
pub use super::server::Server;

/// A build that starts no container has none to hold.
#[cfg(not(feature = "testkit-containers"))]
type Contained = std::convert::Infallible;

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
/// Where the environment names one it is used and left as it was found. Otherwise, with the feature
/// `testkit-containers`, a container is started, and stopped when this is dropped: let it live in a value of the
/// test, not in a `static`, which is never dropped.
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
        match Server::from_environment() {
            Some(server) => Ok(Self {
                server,
                contained: None,
            }),
            None => Self::contained(),
        }
    }

    #[cfg(feature = "testkit-containers")]
    fn contained() -> Result<Self, Absent> {
        let contained = Contained::start().map_err(|reason| Absent { reason })?;
        Ok(Self {
            server: contained.server.clone(),
            contained: Some(contained),
        })
    }

    #[cfg(not(feature = "testkit-containers"))]
    fn contained() -> Result<Self, Absent> {
        let reason = "containers are started with the feature `testkit-containers` only".to_owned();
        Err(Absent { reason })
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
