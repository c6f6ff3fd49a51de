//! The names that most programs with a memory need: `use hindlore::prelude::*;`.
//!
//! It holds re-exports only. Errors are not among them: `?` turns each of them into a `Box<dyn Error>`, and a program that
//! looks closer imports the one that it handles.

pub use crate::clock::SystemClock;
pub use crate::{Engine, EngineOptions, Feedback, RetrieveRequest, Verdict};
pub use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
pub use hindlore_domain::memory::key::MemoryKey;
pub use hindlore_domain::memory::query::Query;
pub use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
#[cfg(feature = "neo4j")]
pub use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
