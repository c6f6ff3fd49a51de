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

mod address;
mod bulk_write;
mod bullets;
mod bullets_by_hand;
mod by_hand;
mod check;
mod checkpoint;
mod circuit_breaker;
mod codes;
mod commit;
mod commit_parts;
mod compact;
mod contention_backoff;
mod costs;
mod deltas;
mod diagnostics;
mod erase;
mod erasures;
mod error;
mod events;
mod executor;
mod history;
mod items;
mod lessons;
mod links;
mod loopback_padding;
mod lost;
mod maintenance;
mod making;
mod members;
mod memory;
mod migration_lock;
mod migrations;
mod numbers;
mod options;
mod origins;
mod pieces;
mod policies;
mod random;
mod receipts;
mod records;
mod room;
mod row_writes;
mod rows;
mod schema;
mod shape;
mod state;
mod statements;
mod store;
mod sweep;
mod tell;
mod times;
mod tls;
mod touch;
mod transact;
mod transaction;
mod transfer;
mod values;
mod work;
mod wrong_types;

pub use self::diagnostics::{Asked, ServerReport};
pub use self::items::{SchemaItem, Standing};
pub use self::migrations::Migration;
pub use self::options::Neo4jOptions;
pub use self::store::Neo4jStore;
pub use self::tell::Listener;
