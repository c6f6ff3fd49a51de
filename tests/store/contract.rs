//! The contract on the embedded store: one file for each clause, opened as users open theirs.

use std::sync::Arc;

use async_trait::async_trait;
use hindlore_contract::{Backend, contract};
use hindlore_embedded::EmbeddedOptions;
use hindlore_store::Store;
use hindlore_testkit::TemporaryStore;

/// A file that is gone afterwards.
struct Embedded(TemporaryStore);

impl Embedded {
    fn empty() -> Self {
        Self(TemporaryStore::with(EmbeddedOptions::default()).unwrap())
    }
}

#[async_trait]
impl Backend for Embedded {
    async fn open(&self) -> Arc<dyn Store> {
        self.0.store().unwrap()
    }
}

contract!(embedded, Embedded::empty());
