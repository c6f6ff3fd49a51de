//! Agents' tools from outside: JSON-RPC by hand, over the pipes of the real program and over HTTP.

mod agent;
mod arguments;
mod every_request;
mod graph;
mod http;
mod notes;
mod stdio;
