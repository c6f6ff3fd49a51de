//! The server: the verbs as an HTTP API, and as tools for agents over MCP.
//!
//! Both surfaces make their routes and tools from the catalogue in `hindlore_api`; neither knows a verb by name.
//!
//! # Example
//!
//! ```
//! use hindlore_server::SURFACES;
//!
//! // `main` hands these to the command line, which starts them for `serve` and for `mcp`.
//! assert_eq!(SURFACES.http.is_some(), cfg!(feature = "http"));
//! assert_eq!(SURFACES.mcp.is_some(), cfg!(feature = "mcp"));
//! ```

#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "mcp")]
pub mod mcp;

use hindlore_api::server::Surfaces;

/// The surfaces of this build, which `main` hands to the command line.
pub const SURFACES: Surfaces = Surfaces {
    #[cfg(feature = "http")]
    http: Some(crate::http::serve),
    #[cfg(not(feature = "http"))]
    http: None,
    #[cfg(feature = "mcp")]
    mcp: Some(crate::mcp::serve),
    #[cfg(not(feature = "mcp"))]
    mcp: None,
};
