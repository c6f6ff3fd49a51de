//! The contract of a store: every clause on every backend.
//!
//! A backend is right when all clauses hold. The clauses know nothing but the contract, so a backend
//! that needs a server runs them from a test binary of its own: it includes `subject.rs` and
//! `clauses/mod.rs` by path at its root and calls `contract!` with its own way to open a store.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a clause that is broken ends by panicking"
)]

#[macro_use]
mod clauses;
mod subject;

use std::sync::Arc;

use async_trait::async_trait;
use mnemograph::backend::embedded::EmbeddedOptions;
use mnemograph::store::Store;
use mnemograph::testkit::TemporaryStore;

use crate::subject::Backend;

/// One file for each clause, opened as users open theirs, gone afterwards.
struct Embedded(TemporaryStore);

impl Embedded {
    fn fresh() -> Self {
        Self(TemporaryStore::with(EmbeddedOptions::default()).unwrap())
    }
}

#[async_trait]
impl Backend for Embedded {
    async fn open(&self) -> Arc<dyn Store> {
        self.0.store().unwrap()
    }
}

contract!(embedded, crate::Embedded::fresh());
