//! Jaccard similarity of two sets of words: shared words over all words.

pub use hindlore_topk::{jaccard, jaccard_of};

/// How many letters must be put in, left out, changed or swapped to make one word of the other.
pub fn edits_apart(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}
