//! The verbs, one file for each noun: requests, and what each of them calls.

pub mod bullets;
pub mod deltas;
pub mod erase;
pub mod errors;
pub mod export;
pub mod import;
pub mod import_lessons;
pub mod lesson_retrieval;
pub mod lessons;
pub mod memory;
pub mod policy;
pub mod retrieval;
pub mod runs;
pub mod store;
