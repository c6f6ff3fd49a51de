//! The names that most programs with a memory need: `use hindlore::prelude::*;`.
//!
//! It holds re-exports only. Errors are not among them: `?` turns each of them into a `Box<dyn Error>`, and a program that
//! looks closer imports the one that it handles.

pub use crate::backend::embedded::{EmbeddedOptions, EmbeddedStore};
#[cfg(feature = "neo4j")]
pub use crate::backend::neo4j::{Neo4jOptions, Neo4jStore};
pub use crate::domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
pub use crate::domain::memory::key::MemoryKey;
pub use crate::domain::memory::query::Query;
pub use crate::engine::clock::SystemClock;
pub use crate::engine::{Engine, EngineOptions, Feedback, RetrieveRequest, Verdict};
