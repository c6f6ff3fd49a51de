//! The Neo4j backend: memories as nodes and relationships of one graph, shared by any number of instances and open to
//! analysts.
//!
//! The node of a memory is its lock: a write takes it before it reads, so the server alone serialises the writers of a
//! memory. A retrieval is one request. The price is a round trip for each step of a write, so callers should group writes.
//!
//! # Example
//!
//! ```no_run
//! use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
//!
//! # async fn example() -> hindlore_store::StoreResult<()> {
//! let options = Neo4jOptions {
//!     uri: "bolt://localhost:7687".to_owned(),
//!     password: std::env::var("NEO4J_PASSWORD").unwrap_or_default(),
//!     ..Neo4jOptions::default()
//! };
//! let store = Neo4jStore::connect(options).await?;
//! assert!(!store.is_read_only());
//! # Ok(())
//! # }
//! ```

mod analyst;
mod bolt;
mod error;
mod lessons;
mod memory;
mod options;
mod records;
mod schema;
mod statements;
mod store;
mod upkeep;

pub use self::options::Neo4jOptions;
pub use self::schema::diagnostics::{Asked, ServerReport};
pub use self::schema::migrations::Migration;
pub use self::schema::progress::Listener;
pub use self::schema::schema_objects::{SchemaItem, Standing};
pub use self::store::Neo4jStore;
pub use self::upkeep::ace_states::AceState;
