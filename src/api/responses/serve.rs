//! Where a server listens.

use std::net::SocketAddr;

use schemars::JsonSchema;
use serde::Serialize;

/// A running server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ServeResponse {
    /// Base of its addresses.
    pub url: String,
    /// Address of its description.
    pub description: String,
    /// Port it listens on.
    pub port: u16,
}

impl ServeResponse {
    /// The addresses of a server at a socket.
    pub fn new(address: SocketAddr) -> Self {
        let url = format!("http://{address}");
        Self {
            description: format!("{url}/v1/openapi.json"),
            url,
            port: address.port(),
        }
    }
}
