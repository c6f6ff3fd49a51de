//! How sure a mean is: the interval that 95 of 100 samples of the same kind would leave it in.

use super::chance::Chance;

const RESAMPLES: usize = 2000;
const SEED: u64 = 20_240;

/// A mean with its 95 % bootstrap interval (Efron 1979, percentiles of resampled means).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean; NaN without values.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// The mean of independent values.
    pub fn of(values: &[f64]) -> Self {
        let mean = mean(values);
        let mut chance = Chance::new(SEED);
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let drawn = (0..values.len()).map(|_| values[chance.below(values.len())]);
                drawn.sum::<f64>() / values.len() as f64
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means[(share * (RESAMPLES - 1) as f64).round() as usize];
        Self {
            mean,
            low: at(0.025),
            high: at(0.975),
        }
    }
}

/// The mean; NaN without values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_coin_is_that_of_its_normal_approximation() {
        let values: Vec<f64> = (0..400).map(|at| f64::from(at % 2)).collect();
        let estimate = Estimate::of(&values);
        assert_eq!(estimate.mean, 0.5);
        // 1.96 standard errors of 0.5 / sqrt(400).
        assert!((estimate.low - 0.451).abs() < 0.008 && (estimate.high - 0.549).abs() < 0.008);
        assert_eq!(estimate, Estimate::of(&values));
    }

    #[test]
    fn nothing_has_no_mean() {
        assert!(Estimate::of(&[]).mean.is_nan() && Estimate::of(&[]).low.is_nan());
    }
}
