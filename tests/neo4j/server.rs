//! Where the tests find a server: the testkit decides; a container stays until the last trial has run.

pub(crate) use hindlore_testkit::neo4j::{ABSENT, Contained, Server, is_required};

/// The server that the environment names.
pub(crate) fn server() -> Option<Server> {
    Server::from_environment()
}
