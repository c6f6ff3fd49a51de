//! Ranking by meaning: vectors of a memory's texts, computed after the write and read with each question.
//!
//! No model is asked inside a transaction, and no answer waits for a vector: a text without one ranks by its words. The
//! vectors are records of the memory's learner. A memory in process keeps those that it has read, and reads the batches
//! that came since with each question.

pub(crate) mod compute;
pub mod embedder;
pub(crate) mod known_vectors;
pub mod meaning;
mod question;
mod stored;
mod verbs;

pub use verbs::{BuiltEmbeddings, EmbeddingsStatus};
