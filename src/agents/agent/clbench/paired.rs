//! Two runs over the same tasks: the exact test of McNemar, and an interval of the difference.

use serde::Serialize;

/// The comparison of two runs over the same tasks.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Paired {
    /// Tasks in both runs.
    pub tasks: u64,
    /// Solved only by the first.
    pub only_first: u64,
    /// Solved only by the second.
    pub only_second: u64,
    /// Share of the second minus share of the first.
    pub difference: f64,
    /// 95 % interval of the difference, by Agresti and Min: half a task is added to each of the four cells.
    pub interval: (f64, f64),
    /// Two-sided exact probability of a split at least as uneven, were there no difference.
    pub p: f64,
}

/// Compares pairs of scores.
pub fn paired(pairs: &[(bool, bool)]) -> Paired {
    let count = |wanted: (bool, bool)| pairs.iter().filter(|pair| **pair == wanted).count() as u64;
    let (tasks, b, c) = (
        pairs.len() as u64,
        count((true, false)),
        count((false, true)),
    );
    #[expect(clippy::cast_precision_loss, reason = "tasks are counted in thousands")]
    let (n, first, second) = (tasks as f64, b as f64, c as f64);
    let difference = if tasks == 0 {
        0.0
    } else {
        (second - first) / n
    };
    let (wide, low, high) = (n + 2.0, first + 0.5, second + 0.5);
    let centre = (high - low) / wide;
    let spread =
        1.959_963_984_540_054 * ((low + high) - (high - low).powi(2) / wide).max(0.0).sqrt() / wide;
    Paired {
        tasks,
        only_first: b,
        only_second: c,
        difference,
        interval: ((centre - spread).max(-1.0), (centre + spread).min(1.0)),
        p: exact(b, c),
    }
}

/// Twice the tail of the binomial distribution with one half, at most 1.
fn exact(b: u64, c: u64) -> f64 {
    let n = b + c;
    if n == 0 {
        return 1.0;
    }
    // In logarithms, since the terms leave the range of floats at about a thousand pairs.
    let mut log_term = -(n_as(n) * std::f64::consts::LN_2);
    let mut tail = log_term.exp();
    for k in 1..=b.min(c) {
        log_term += (n_as(n - k + 1) / n_as(k)).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

#[expect(clippy::cast_precision_loss, reason = "pairs are counted in thousands")]
fn n_as(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(both: usize, only_first: usize, only_second: usize, none: usize) -> Vec<(bool, bool)> {
        let mut all = vec![(true, true); both];
        all.extend(vec![(true, false); only_first]);
        all.extend(vec![(false, true); only_second]);
        all.extend(vec![(false, false); none]);
        all
    }

    /// Values of `scipy.stats.binomtest(min(b, c), b + c).pvalue`.
    #[test]
    fn the_exact_test_is_that_of_a_reference() {
        for (b, c, p) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 0, 0.0625),
            (0, 10, 0.001_953_125),
            (5, 15, 0.041_389_465_332_031_25),
            (10, 10, 1.0),
            (12, 30, 0.007_915_897_334_896_73),
        ] {
            let found = paired(&pairs(3, b, c, 4)).p;
            assert!((found - p).abs() < 1e-9, "{b} {c}: {found} {p}");
        }
        assert!(paired(&pairs(0, 900, 1_300, 0)).p < 1e-15);
    }

    #[test]
    fn the_interval_holds_the_difference() {
        let found = paired(&pairs(40, 5, 15, 40));
        assert!((found.difference - 0.1).abs() < 1e-12);
        assert!(
            found.interval.0 > 0.0
                && found.interval.0 < 0.1
                && found.interval.1 > 0.1
                && found.interval.1 < 0.2
        );
        let none = paired(&[]);
        assert_eq!((none.difference, none.p), (0.0, 1.0));
    }
}
