//! Times of single calls, and their statistics: quantiles and means.

use std::time::{Duration, Instant};

use tokio::task::JoinError;

/// Seconds of a call in a task like those of a server, with its result; an error if the task dies.
pub(super) async fn timed<T: Send + 'static, E: Send + 'static>(
    call: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Result<Result<(f64, T), E>, JoinError> {
    tokio::spawn(async move {
        let started = Instant::now();
        let given = call.await?;
        Ok((started.elapsed().as_secs_f64(), given))
    })
    .await
}

/// Measured times in seconds, sorted.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    sorted: Vec<f64>,
}

impl Samples {
    /// The samples that were taken; values that are no number are dropped.
    pub fn new(mut seconds: Vec<f64>) -> Self {
        seconds.retain(|second| second.is_finite());
        seconds.sort_by(f64::total_cmp);
        Self { sorted: seconds }
    }

    /// Times each call of `work`.
    pub fn of_calls(calls: usize, mut work: impl FnMut(usize)) -> Self {
        let taken = (0..calls).map(|call| {
            let started = Instant::now();
            work(call);
            started.elapsed()
        });
        taken.collect()
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Returns true if nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The sample at a share of the order, by the nearest rank; `share` in 0..=1. NaN without samples.
    pub fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.sorted.len() as f64).ceil() as usize;
        let at = rank.saturating_sub(1).min(self.len().saturating_sub(1));
        self.sorted.get(at).copied().unwrap_or(f64::NAN)
    }

    /// The median.
    pub fn p50(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The time that 99 of 100 calls stay below.
    pub fn p99(&self) -> f64 {
        self.quantile(0.99)
    }

    /// The mean. NaN without samples.
    pub fn mean(&self) -> f64 {
        self.sorted.iter().sum::<f64>() / self.sorted.len() as f64
    }

    /// These samples and others.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.sorted.extend(other.sorted);
        Self::new(self.sorted)
    }
}

impl FromIterator<Duration> for Samples {
    fn from_iter<I: IntoIterator<Item = Duration>>(taken: I) -> Self {
        Self::new(taken.into_iter().map(|time| time.as_secs_f64()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_samples_by_nearest_rank() {
        let samples = Samples::new((1..=100).rev().map(f64::from).collect());
        assert_eq!((samples.p50(), samples.p99()), (50.0, 99.0));
        assert_eq!((samples.quantile(0.0), samples.quantile(1.0)), (1.0, 100.0));
        assert_eq!(samples.mean(), 50.5);
    }

    #[test]
    fn nothing_measured_is_no_number() {
        assert!(Samples::default().p50().is_nan() && Samples::default().mean().is_nan());
    }
}
