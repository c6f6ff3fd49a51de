//! Words and similarity.
pub mod guard;
pub mod words;
