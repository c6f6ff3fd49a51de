//! Where the tests find a server.

use std::env;

use mnemograph::backend::neo4j::Neo4jOptions;

/// Why tests are ignored.
pub(crate) const ABSENT: &str =
    "no Neo4j to test on: set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD";

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

/// True when a missing server is a failure.
pub(crate) fn is_required() -> bool {
    env::var("REQUIRE_NEO4J").is_ok_and(|value| value == "1")
}
