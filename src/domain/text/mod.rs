//! Words and similarity.
