//! Measures of a ranking whose right answers are known.

use std::collections::BTreeSet;

/// Texts of a ranking that the measures look at.
pub(super) const KEPT: usize = 10;

/// The best texts for each question of a collection, by their places.
pub(super) type Rankings = Vec<Vec<Vec<usize>>>;

/// The measures of one ranking, each 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measures {
    /// Share of the evidence among the first 5.
    pub recall_5: f64,
    /// Whether any of the first 3 is evidence.
    pub found_3: f64,
    /// Share of the evidence among the first 10.
    pub recall_10: f64,
    /// Discounted gain of the first 10 against the best order (Järvelin and Kekäläinen 2002).
    pub ndcg_10: f64,
    /// Whether the first is evidence.
    pub precision_1: f64,
}

impl Measures {
    /// Measures a ranking, best first. A rank may represent several texts, when equal ones became one.
    pub fn of(ranking: &[Vec<usize>], evidence: &BTreeSet<usize>) -> Self {
        let found = |rank: &Vec<usize>| rank.iter().filter(|text| evidence.contains(text)).count();
        let within = |k: usize| ranking.iter().take(k).map(found).sum::<usize>() as f64;
        let discount = |rank: usize| 1.0 / libm::log2(rank as f64 + 2.0);
        let gain: f64 = (0..KEPT)
            .zip(ranking)
            .filter(|(_, texts)| found(texts) > 0)
            .map(|(rank, _)| discount(rank))
            .sum();
        let ideal: f64 = (0..evidence.len().min(10)).map(discount).sum();
        let wanted = evidence.len() as f64;
        Self {
            recall_5: within(5) / wanted,
            found_3: within(3).min(1.0),
            recall_10: within(10) / wanted,
            ndcg_10: gain / ideal,
            precision_1: within(1).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_is_measured_as_by_hand() {
        let ranking: Vec<Vec<usize>> = [4, 7, 1, 2, 3, 9, 8].map(|text| vec![text]).to_vec();
        let measures = Measures::of(&ranking, &BTreeSet::from([7, 9, 11]));
        assert_eq!(measures.recall_5, 1.0 / 3.0);
        assert_eq!(measures.recall_10, 2.0 / 3.0);
        assert_eq!(measures.precision_1, 0.0);
        // Found at ranks 2 and 6: 0.63093 + 0.35621; ideal 1 + 0.63093 + 0.5.
        assert!((measures.ndcg_10 - 0.987_14 / 2.130_93).abs() < 1e-5);
    }

    #[test]
    fn a_rank_that_stands_for_two_texts_finds_both() {
        let measures = Measures::of(&[vec![1, 2]], &BTreeSet::from([1, 2]));
        assert_eq!((measures.recall_5, measures.precision_1), (1.0, 1.0));
        assert!(measures.ndcg_10 < 1.0);
        assert_eq!(Measures::of(&[], &BTreeSet::from([1])), Measures::default());
    }
}
