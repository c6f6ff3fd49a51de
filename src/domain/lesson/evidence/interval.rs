//! Intervals for shares: how well the rows support a rate, or the difference of two.
//!
//! Lessons are judged on a handful of runs, where the textbook interval p ± z·√(p(1−p)/n) has width zero at 0 of 3
//! and leaves [0, 1]. Both intervals here invert the score test instead, stay inside their range, and are wide
//! where there is little to go by. Every bound is one-sided: with z = 0.8416 it errs in one case of five.

/// A share and its number of cases.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Share {
    /// Cases in which it happened; at most `of`.
    pub hits: usize,
    /// All cases.
    pub of: usize,
}

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

impl Share {
    /// Counts the cases of a list.
    pub fn from_cases(cases: impl IntoIterator<Item = bool>) -> Self {
        let count = |all: Self, hit: bool| Self {
            hits: all.hits + usize::from(hit),
            of: all.of + 1,
        };
        cases.into_iter().fold(Self::default(), count)
    }

    /// The share, 0..=1; absent without a case.
    pub fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }

    /// Wilson's score bounds, 0..=1 without a case.
    ///
    /// Wilson 1927, "Probable inference, the law of succession, and statistical inference"; the form of
    /// Newcombe 1998, method 3.
    pub fn wilson(self, z: f64) -> Bounds {
        let Some(rate) = self.rate() else {
            return Bounds {
                lower: 0.0,
                upper: 1.0,
            };
        };
        let n = self.of as f64;
        let centre = 2.0 * n * rate + z * z;
        let reach = z * libm::sqrt(z * z + 4.0 * n * rate * (1.0 - rate));
        let scale = 2.0 * (n + z * z);
        Bounds {
            // Rounding must not part the bounds from a rate of 0 or 1: a verdict compares with these.
            lower: ((centre - reach) / scale).clamp(0.0, rate),
            upper: ((centre + reach) / scale).clamp(rate, 1.0),
        }
    }
}

/// The 95 % point of the normal distribution: bounds with it hold in 90 % of cases.
pub const Z90: f64 = 1.644_853_626_951_472_7;

/// Bounds of the difference `first − second`, −1..=1; absent when one of them has no case.
///
/// Newcombe 1998, "Interval estimation for the difference between independent proportions", method 10: each side
/// reaches as far as the Wilson bounds of the two shares, squared and added, so that a difference of two shares at
/// 0 or at 1 still has a width.
pub fn difference(first: Share, second: Share, z: f64) -> Option<Bounds> {
    let (p, q) = (first.rate()?, second.rate()?);
    let (one, two) = (first.wilson(z), second.wilson(z));
    let estimate = p - q;
    Some(Bounds {
        lower: estimate - libm::hypot(p - one.lower, two.upper - q),
        upper: estimate + libm::hypot(one.upper - p, q - two.lower),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 97.5 % point, as the papers have it.
    const Z95: f64 = 1.959_964;

    fn share(hits: usize, of: usize) -> Share {
        Share { hits, of }
    }

    /// The papers print four decimals.
    fn printed(value: f64) -> f64 {
        (value * 10_000.0).round() / 10_000.0
    }

    #[test]
    fn wilson_gives_the_published_bounds() {
        // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
        for (hits, of, lower, upper) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let bounds = share(hits, of).wilson(Z95);
            assert_eq!(
                (printed(bounds.lower), printed(bounds.upper)),
                (lower, upper),
                "{hits} of {of}"
            );
        }
    }

    #[test]
    fn newcombe_gives_the_published_bounds() {
        // Newcombe 1998, "Interval estimation for the difference between independent proportions", table II,
        // method 10.
        for ((a, m), (b, n), lower, upper) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((0, 10), (0, 10), -0.2775, 0.2775),
            ((10, 10), (0, 20), 0.6791, 1.0),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let bounds = difference(share(a, m), share(b, n), Z95).unwrap();
            assert_eq!(
                (printed(bounds.lower), printed(bounds.upper)),
                (lower, upper),
                "{a}/{m} - {b}/{n}"
            );
        }
    }

    #[test]
    fn without_a_case_nothing_is_known() {
        let all = Bounds {
            lower: 0.0,
            upper: 1.0,
        };
        assert_eq!(
            (share(0, 0).wilson(0.8416), share(0, 0).rate()),
            (all, None)
        );
        assert_eq!(difference(share(0, 0), share(1, 2), 0.8416), None);
        assert_eq!(difference(share(1, 2), share(0, 0), 0.8416), None);
    }

    #[test]
    fn bounds_stay_inside_hold_the_estimate_and_narrow_with_the_cases() {
        for of in 1..40_usize {
            for hits in 0..=of {
                let (one, ten) = (share(hits, of), share(10 * hits, 10 * of));
                let (rate, near, far) =
                    (one.rate().unwrap(), ten.wilson(0.8416), one.wilson(0.8416));
                assert!(
                    0.0 <= far.lower && far.lower <= rate && rate <= far.upper && far.upper <= 1.0
                );
                assert!(
                    near.upper - near.lower < far.upper - far.lower,
                    "{hits} of {of}"
                );
                let bounds = difference(one, share(of - hits, of), 0.8416).unwrap();
                let mirrored = difference(share(of - hits, of), one, 0.8416).unwrap();
                assert!(-1.0 - 1e-12 <= bounds.lower && bounds.upper <= 1.0 + 1e-12);
                assert!(
                    (bounds.lower + mirrored.upper).abs() < 1e-12,
                    "a difference has two ends"
                );
            }
        }
    }
}
