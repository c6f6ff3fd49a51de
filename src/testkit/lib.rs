//! Everything a test needs around a memory: temporary stores, a fixed clock, seeds, and a comparison that names
//! differences.
//!
//! A test of a program that uses this engine should cost three lines, run on a real store, and leave no
//! trace. Nothing here mimics a database: the embedded store is the real one in a temporary folder, and
//! Neo4j is a real server, found or started. No program needs this crate at run time: it belongs under
//! `[dev-dependencies]`. The feature `neo4j` finds a Neo4j; `containers` starts one in a container, and brings
//! many more crates.
//!
//! ```
//! # use hindlore_api::problem::Problem;
//! use hindlore_testkit::TestMemory;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Problem> {
//! let memory = TestMemory::embedded()?;
//! memory.seed(&["check the path before you open a file", "close the valve"]).await?;
//! let found = memory.retrieve("how do I open a file?").await?;
//!
//! let best = &found.bullets[0].bullet;
//! assert_eq!(best.content.as_str(), "check the path before you open a file");
//! # Ok(())
//! # }
//! ```
//!
//! The same on a server, where there is one; each memory has a tenant of its own, so that tests share it:
//!
//! ```no_run
//! # #[cfg(feature = "neo4j")]
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use hindlore_testkit::{TestMemory, neo4j::ThrowAway};
//!
//! let throw_away = ThrowAway::start()?; // NEO4J_URI, else a container, else the reason
//! let memory = TestMemory::on(throw_away.server()).await?;
//! memory.seed(&["check the path before you open a file"]).await?;
//! # Ok(())
//! # }
//! ```

mod clock;
mod compare;
#[cfg(feature = "containers")]
mod container;
mod memory;
mod model;
#[cfg(feature = "neo4j")]
pub mod neo4j;
mod seed;
#[cfg(feature = "neo4j")]
mod server;
mod temporary;

pub use clock::RecordedClock;
pub use compare::{DigestsDiffer, assert_same, compare};
pub use memory::{TestMemory, fresh_name};
pub use model::{ModelAnswer, ModelAsked, ScriptedModel};
pub use seed::{seed_file, seed_texts};
pub use temporary::TemporaryStore;

pub use hindlore::clock::SetClock;
