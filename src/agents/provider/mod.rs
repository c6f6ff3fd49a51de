//! Language models over HTTP: four wires, one client. An endpoint for embeddings and one as a tool of the agent share its
//! rules.
//!
//! A wire is two pure functions: a request to a body, an answer to a reply. The client sends, keeps the time, and
//! retries transport failures. It follows no redirect, uses no proxy for loopback, and never shows a key.

mod anthropic;
mod client;
mod connection;
mod embeddings;
mod endpoint;
mod gemini;
mod http_tool;
mod ollama;
mod openai;
mod read;
mod retry;
mod settings;
mod wire;
mod wires;

pub use client::Client;
pub use embeddings::{EmbeddingClient, EmbeddingSettings};
pub use http_tool::HttpTool;
pub use settings::{Settings, Vendor};

#[cfg(test)]
mod tests;
