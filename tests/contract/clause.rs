//! One clause: a sentence about every store, and the proof of it.
//!
//! A clause is a value, so that a test program with a harness of its own can run them all; the macro
//! [`contract!`](crate::contract) makes plain tests of them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use crate::subject::{Backend, Subject};

/// The action of a clause on a subject; it panics where the store breaks its promise.
pub(crate) type Proof = for<'s> fn(&'s Subject) -> Pin<Box<dyn Future<Output = ()> + Send + 's>>;

/// A sentence about every store, named `area::sentence`.
#[derive(Clone, Copy)]
pub struct Clause {
    pub(crate) name: &'static str,
    pub(crate) proof: Proof,
}

impl Clause {
    /// The area and the sentence, as in `commits::an_empty_commit_writes_nothing`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Proves the clause on an empty store, in a runtime of the caller's with at least two threads.
    ///
    /// # Panics
    /// When the store breaks the clause.
    pub async fn prove(&self, backend: impl Backend + 'static) {
        let subject = Subject::of(backend).await;
        (self.proof)(&subject).await;
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
