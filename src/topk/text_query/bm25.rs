//! BM25 (Robertson and Zaragoza 2009) with a constant added to each idf.
//!
//! The constants were chosen together, by measurement on dialogues and agent memories with known evidence; changing one
//! alone invalidates the others.

/// Saturation of repeated terms (k1).
const K1: f64 = 0.8;
/// Strength of the length normalisation (b), 0..=1.
const B: f64 = 0.4;
/// Added to every idf, so that the number of matched terms counts, also in a collection too small to know
/// which terms are rare.
const COVERAGE: f64 = 1.0;
/// Words of a query that a short document can be expected to match.
const IDEAL_TERMS: usize = 12;
/// Share of its weight that a word without any document keeps in the ideal score, 0..=1.
pub(super) const UNKNOWN: f64 = 0.1;
/// Value for a question of several sentences, where it separates those that the documents mention from the others.
pub(super) const UNKNOWN_OF_SEVERAL: f64 = 0.15;
/// Weight of the unknown term that every ideal score includes: no short match should reach 1.
pub(super) const DOUBT: f64 = 0.25;
/// Value for one sentence of several: it has few words, and a chance match is soon a large share of them.
pub(super) const SENTENCE_DOUBT: f64 = 1.0;

/// Returns the length part of the denominator: K1 · (1 − B + B · length / mean).
#[inline]
pub(super) fn length_norm(length: u32, mean: f64) -> f64 {
    K1 * (1.0 - B + B * f64::from(length) / mean)
}

/// Returns the score of a term of weight 1 in a text: tf · (K1 + 1) / (tf + norm).
#[inline]
pub(super) fn saturated(occurrences: u32, norm: f64) -> f64 {
    let occurrences = f64::from(occurrences);
    occurrences * (K1 + 1.0) / (occurrences + norm)
}

/// Returns ln(1 + (N − n + 0.5) / (n + 0.5)) + 1, above 1 for every n ≤ N.
pub(super) fn idf(documents: u64, with_term: u64) -> f64 {
    rarity(documents, with_term) + COVERAGE
}

/// Returns the idf without the constant: nearly 0 for a term that all documents have.
pub(super) fn rarity(documents: u64, with_term: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (documents, with_term) = (documents as f64, with_term as f64);
    libm::log(1.0 + (documents - with_term + 0.5) / (with_term + 0.5))
}

/// Returns the score that counts as 1: the weightiest [`IDEAL_TERMS`] words, plus
/// this many unknown ones.
pub(super) fn ideal_score(mut weights: Vec<f64>, documents: u64, doubt: f64) -> f64 {
    weights.sort_unstable_by(|a, b| b.total_cmp(a));
    let unknown = idf(documents, 0);
    weights.iter().take(IDEAL_TERMS).sum::<f64>() + doubt * unknown
}
