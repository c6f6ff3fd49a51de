//! Serves a style sheet, a guide, and analysts' queries to the Neo4j Browser.
//!
//! The Browser accepts a style sheet or guide by address only from `localhost` with CORS headers, which
//! neither a file nor the database provides. So this is the smallest server that does: constant files over
//! plain TCP, one request per connection; it reads and writes nothing else.

pub(crate) mod pack;
pub(crate) mod request;
pub(crate) mod server;
mod zip;

#[cfg(feature = "neo4j")]
pub(crate) use pack::analyst_queries;
