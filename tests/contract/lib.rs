//! The contract of a store: every clause that a backend must keep, as tests for any backend.
//!
//! A backend is right when all clauses hold. The clauses know nothing but the contract, so a store of your own runs
//! them as those of this project do: define how an empty one is opened, and name the tests.
//!
//! ```ignore
//! use std::sync::Arc;
//!
//! use async_trait::async_trait;
//! use hindlore_store::Store;
//! use hindlore_contract::{Backend, contract};
//!
//! struct Mine(tempfile::TempDir);
//!
//! impl Mine {
//!     fn empty() -> Self {
//!         Self(tempfile::tempdir().unwrap())
//!     }
//! }
//!
//! #[async_trait]
//! impl Backend for Mine {
//!     async fn open(&self) -> Arc<dyn Store> {
//!         Arc::new(MyStore::open(self.0.path()).await.unwrap())
//!     }
//! }
//!
//! contract!(mine, Mine::empty());
//! ```
//!
//! `cargo test mine::commits::` runs one area. Some clauses put an engine over the store, because their promises (votes
//! that count once, records that are owed) only show there; no clause knows which store it tests. A program with its
//! own harness, such as one that looks for a server first, takes the values in [`CLAUSES`] instead. [`subject`] and
//! [`lesson_world`] build the rows of the clauses; tests of features of a single store may use them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a clause that is broken ends by panicking"
)]

mod clause;
mod clauses;
pub mod lesson_absence;
pub mod lesson_world;
mod record_world;
pub mod subject;
mod suite;

pub use clause::Clause;
pub use clauses::CLAUSES;
pub use subject::{Backend, Subject};
#[doc(hidden)]
pub use suite::prove;
