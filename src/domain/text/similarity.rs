//! Jaccard similarity of two sets of words: shared words over all words.

pub use mnemograph_topk::{jaccard, jaccard_of};
