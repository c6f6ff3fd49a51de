//! The places where memories are kept. Each backend implements the whole store contract by itself.
//!
//! Invariant: neighbours share nothing but the contract, so that one can be left out of a build or
//! replaced without the other noticing. What they must agree on is written down once, as the clauses
//! of the contract tests.

pub mod embedded;
#[cfg(feature = "neo4j")]
pub mod neo4j;
