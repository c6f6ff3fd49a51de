//! The formulas of relevance: BM25 with a constant added to each idf, and the curve that keeps a share
//! below 1.

use super::SLACK;

/// Saturation of repeated terms.
const K1: f64 = 0.8;
/// Share of the length normalisation.
const B: f64 = 0.4;
/// Added to every term's weight, so that the number of matched terms counts, also in a memory too
/// small to know which words are rare.
const COVERAGE: f64 = 1.0;
/// Terms of a query that a short bullet can be expected to match.
const IDEAL_TERMS: usize = 12;
/// Unknown terms that every query is taken to have besides its own, as a measure of doubt.
const DOUBT: f64 = 0.25;
/// From here on relevance bends towards 1 without reaching it.
const BEND: f64 = 0.8;

/// What a text's length does to its words.
#[inline]
pub(super) fn norm(length: u32, mean: f64) -> f64 {
    K1 * (1.0 - B + B * f64::from(length) / mean)
}

/// What a word adds to the score of a text.
#[inline]
pub(super) fn impact(weight: f64, occurrences: u32, norm: f64) -> f64 {
    let occurrences = f64::from(occurrences);
    weight * occurrences * (K1 + 1.0) / (occurrences + norm)
}

/// ln(1 + (N − n + 0.5) / (n + 0.5)) + 1, above 1 for every n ≤ N.
pub(super) fn term_weight(documents: u64, with_term: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (documents, with_term) = (documents as f64, with_term as f64);
    libm::log(1.0 + (documents - with_term + 0.5) / (with_term + 0.5)) + COVERAGE
}

/// What a bullet is measured by for terms of these weights: the weightiest that a short one can have, and
/// some doubt.
pub(super) fn ideal_score(mut weights: Vec<f64>, documents: u64) -> f64 {
    weights.sort_unstable_by(|a, b| b.total_cmp(a));
    let unknown = term_weight(documents, 0);
    weights.iter().take(IDEAL_TERMS).sum::<f64>() + DOUBT * unknown
}

/// Maps a share of the ideal to 0..1, strictly rising and smooth: the identity up to [`BEND`].
pub(in crate::memory) fn bend(share: f64) -> f64 {
    if share <= BEND {
        return share;
    }
    1.0 - (1.0 - BEND) * (1.0 - BEND) / (share + 1.0 - 2.0 * BEND)
}

/// The least share that [`bend`] maps to a relevance, or less; infinite from relevance 1 on.
pub(in crate::memory) fn unbend(relevance: f64) -> f64 {
    if relevance <= BEND {
        return relevance;
    }
    if relevance >= 1.0 {
        return if relevance > 1.0 { f64::INFINITY } else { 1e9 };
    }
    let share = (1.0 - BEND) * (1.0 - BEND) / (1.0 - relevance) - 1.0 + 2.0 * BEND;
    // Near 1 the difference loses digits; a share this large is out of reach for any text.
    share.min(1e5) / SLACK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bending_rises_stays_below_one_and_can_be_undone() {
        let mut last = -1.0;
        for step in 0..4_000 {
            let share = f64::from(step) / 1_000.0;
            let bent = bend(share);
            assert!(bent > last && bent < 1.0, "{share}");
            assert!((unbend(bent) - share).abs() < 1e-6 && unbend(bent) <= share);
            last = bent;
        }
    }
}
