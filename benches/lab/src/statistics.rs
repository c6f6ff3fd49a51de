//! Statistics of paired figures: mean difference, bootstrap interval, permutation test.

use super::chance::Chance;

/// Resamples of a bootstrap interval.
const RESAMPLES: usize = 4_000;
/// Sign flips of a permutation test.
const FLIPS: usize = 20_000;

/// A mean of paired differences with its interval and the chance of it under no effect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Number of pairs.
    pub pairs: usize,
    /// The mean.
    pub mean: f64,
    /// Lower end of the 95 % interval (percentile bootstrap, Efron 1979).
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Two-sided p of a sign-flip permutation test (Fisher 1935).
    pub p: f64,
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        0.0
    } else {
        values.iter().sum::<f64>() / values.len() as f64
    }
}

/// Compares pairs by their differences.
pub fn paired(differences: &[f64], seed: u64) -> Difference {
    let mut chance = Chance::of(seed, "statistics");
    let count = differences.len();
    let mean_of = mean(differences);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            (0..count)
                .map(|_| differences[chance.below(count)])
                .sum::<f64>()
                / count.max(1) as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
    let flipped = |chance: &mut Chance| {
        let signed = differences.iter().map(|value| {
            if chance.bits() & 1 == 0 {
                *value
            } else {
                -*value
            }
        });
        (signed.sum::<f64>() / count.max(1) as f64).abs()
    };
    // Rounding must not make an equal mean look smaller.
    let limit = mean_of.abs() - 1e-12;
    let extreme = (0..FLIPS).filter(|_| flipped(&mut chance) >= limit).count();
    Difference {
        pairs: count,
        mean: mean_of,
        low: at(0.025),
        high: at(0.975),
        p: (extreme + 1) as f64 / (FLIPS + 1) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_difference_is_found_and_no_difference_is_not() {
        let clear: Vec<f64> = (0..30).map(|at| 5.0 + f64::from(at % 3)).collect();
        let found = paired(&clear, 1);
        assert!(
            found.p < 0.001 && found.low > 5.0 && found.high < 7.0,
            "{found:?}"
        );
        let none: Vec<f64> = (0..30)
            .map(|at| if at % 2 == 0 { 1.0 } else { -1.0 })
            .collect();
        let found = paired(&none, 1);
        assert!(
            found.p > 0.5 && found.low < 0.0 && found.high > 0.0,
            "{found:?}"
        );
    }

    #[test]
    fn nothing_but_zeros_is_no_difference() {
        assert_eq!(paired(&[0.0; 8], 3).p, 1.0);
        assert_eq!(paired(&[], 3).mean, 0.0);
    }
}
