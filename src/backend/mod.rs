//! The places where memories are kept. Each backend is a crate that implements the whole store contract.
//!
//! Invariant: neighbours share nothing but the contract, so that one can be left out of a build or replaced without the
//! other noticing. Their common duties are written down once, as the clauses of the contract tests.

pub use hindlore_embedded as embedded;
#[cfg(feature = "neo4j")]
pub use hindlore_neo4j as neo4j;
