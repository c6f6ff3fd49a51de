//! MCP: the verbs of the catalogue as tools for agents, on stdio and at `/mcp` of the server.
//!
//! ```text
//! names     which verbs are offered, under which names: a few to agents, all of them on request
//! graph_tools  the nine tools of the reference memory server, as two verbs
//! tools     their descriptions: schemas and hints from the catalogue
//! calls     a verb in a task of its own, about the memory that a request means
//! handler   what a client asks, and the answer or the problem
//! bound     an answer that fits into a context window, and what was left out
//! injection what a session or a task should know first: a resource, and prompts
//! address   the URIs of resources
//! door      the two ways in
//! ```
//!
//! Both ages of the protocol are answered: that of sessions, up to 2025-11-25, and that without, 2026-07-28. No session
//! is held over HTTP in either, so any instance of a load balancer can answer. There is no sampling, no roots and no
//! logging, which the protocol has given up.

mod address;
mod calls;
mod coerce;
mod graph_tools;
mod handler;
mod id_scan;
mod injection;
pub(crate) mod intake;
mod lines;
mod names;
mod schema;
mod tools;
mod transport;
mod truncate;
mod visible;

pub use handler::Handler;
pub use transport::{Endpoint, endpoint, serve, serve_stdio};
