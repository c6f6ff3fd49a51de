//! The verbs, one file for each noun: requests, and what each of them calls.

pub mod bullets;
pub mod deltas;
pub mod memory;
pub mod policy;
pub mod retrieval;
