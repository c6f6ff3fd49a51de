//! Jaccard similarity of two sets of words: shared words over all words.
//!
//! All code divides in [`jaccard_of`], so that an index and a comparison of all pairs agree to the last bit.

use std::cmp::Ordering;

/// Returns the similarity, 0..=1, of two sorted slices without repeats; 0 if either is empty.
pub fn jaccard<T: Ord>(a: &[T], b: &[T]) -> f64 {
    let (mut i, mut j, mut overlap) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                overlap += 1;
                i += 1;
                j += 1;
            }
        }
    }
    jaccard_of(overlap, a.len(), b.len())
}

/// Returns the similarity, 0..=1, of sets of `a` and `b` words that share `overlap`; 0 if either is empty.
///
/// Rises with `overlap` even after rounding, because IEEE division is monotone, so the least overlap for a
/// threshold can be found by bisection.
pub fn jaccard_of(overlap: usize, a: usize, b: usize) -> f64 {
    if a == 0 || b == 0 {
        return 0.0;
    }
    overlap as f64 / (a + b - overlap) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_over_all() {
        assert_eq!(jaccard(&[1, 2, 3], &[2, 3, 4]), 0.5);
        assert_eq!(jaccard(&["a"], &["a"]), 1.0);
        assert_eq!(jaccard(&["a"], &["b"]), 0.0);
        assert_eq!(jaccard_of(9, 9, 10), 0.9);
        assert_eq!(jaccard_of(17, 17, 20), 0.85);
    }

    #[test]
    fn an_empty_side_is_never_similar() {
        assert_eq!(jaccard::<u32>(&[], &[]), 0.0);
        assert_eq!(jaccard(&[], &[1]), 0.0);
    }
}
