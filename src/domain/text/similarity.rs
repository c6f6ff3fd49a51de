//! How alike two sets of words are: shared words over all words (Jaccard).

pub use mnemograph_topk::{jaccard, jaccard_of};
