//! A server for the conformance suite of MCP: the tools, resources and prompts that the suite names, which the product has
//! no use for, answered over the product's own transport. `scripts/mcp-conformance` runs it.

#![allow(
    deprecated,
    reason = "the suite asks for what the protocol has given up"
)]

mod content;
mod handler;

use axum::Router;
use handler::Fixtures;
use hindlore_server::mcp::endpoint;
use serde_json::json;
use tokio::net::TcpListener;

const BODY_MAX: usize = 8 << 20;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", json!({"port": listener.local_addr()?.port()}));
    let routes = Router::new().nest_service("/mcp", endpoint(Fixtures, BODY_MAX));
    axum::serve(listener, routes).await
}
