//! What the Neo4j Browser is served: a style sheet, a guide, and the questions of analysts.
//!
//! The Browser takes a style sheet or a guide from an address only when `localhost` serves it with CORS
//! headers, which neither a file nor the database does. So this is the smallest server that can: three
//! constant files over plain TCP, one request a connection, nothing that is read or written elsewhere.

pub(crate) mod pack;
pub(crate) mod request;
pub(crate) mod server;
mod zip;
