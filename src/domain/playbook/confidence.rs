//! How sure a strategy is, from the trajectories that bear on it.
//!
//! confidence = lower · recency, where lower is the lower bound of the 90 % Wilson interval of the share of trajectories
//! that support the strategy, and recency is the mean of 0.5^(age / half-life), weighted by itself, so that the newest
//! count most: old evidence does not make fresh evidence doubtful. One trajectory is never certainty.

use serde::{Deserialize, Serialize};

use super::strategy::Strategy;
use crate::lesson::evidence::interval::{Share, Z90};
use hindlore_primitives::timestamp::Timestamp;

/// The numbers of the formula.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConfidenceRules {
    /// Half-life of evidence, in days; above 0.
    pub half_life_days: f64,
}

impl Default for ConfidenceRules {
    fn default() -> Self {
        Self {
            half_life_days: 30.0,
        }
    }
}

/// How sure a strategy is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence {
    /// The confidence, 0..=1.
    pub value: f64,
    /// Lower bound of the 90 % Wilson interval of the share that supports it, 0..=1; 0 without a trajectory.
    pub consistency: f64,
    /// Weight of the evidence by its age, 0..=1; 0 without a trajectory.
    pub recency: f64,
}

impl ConfidenceRules {
    /// The confidence at a time; evidence from later counts as from now.
    ///
    /// Without a trajectory it is the stated confidence, else 0.
    pub fn of(&self, strategy: &Strategy, now: Timestamp) -> Confidence {
        let supporting = strategy.supporting().count();
        let ages = strategy.evidence.iter().map(|one| now.days_since(one.at));
        if strategy.evidence.is_empty() {
            return Confidence {
                value: strategy.stated.map_or(0.0, |stated| stated.confidence),
                consistency: 0.0,
                recency: 0.0,
            };
        }
        self.from(supporting, &ages.collect::<Vec<_>>())
    }

    /// The confidence from the number of supporting trajectories and the ages of all of them, in days.
    pub fn from(&self, supporting: usize, ages: &[f64]) -> Confidence {
        if ages.is_empty() {
            return Confidence {
                value: 0.0,
                consistency: 0.0,
                recency: 0.0,
            };
        }
        let recency = self.recency(ages);
        let share = Share {
            hits: supporting,
            of: ages.len(),
        };
        let lower = share.wilson(Z90).lower;
        Confidence {
            value: lower * recency,
            consistency: lower,
            recency,
        }
    }

    /// The mean of the weights by age, weighted by itself; 0 where all of them are too old to have one.
    fn recency(&self, ages: &[f64]) -> f64 {
        let weights = ages
            .iter()
            .map(|age| libm::exp2(-age / self.half_life_days));
        let (mut sum, mut squares) = (0.0, 0.0);
        for weight in weights {
            sum += weight;
            squares += weight * weight;
        }
        if squares > 0.0 {
            (squares / sum).min(1.0)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(value: f64) -> f64 {
        (value * 10_000.0).round() / 10_000.0
    }

    #[test]
    fn confidence_follows_the_worked_examples() {
        let rules = ConfidenceRules::default();
        // Supporting, ages in days, confidence, consistency: by hand from the formula.
        for (supporting, ages, confidence, consistency) in [
            (0, vec![], 0.0, 0.0),
            (1, vec![0.0], 0.2699, 0.2699),
            (1, vec![30.0], 0.1349, 0.2699),
            (1, vec![0.0, 0.0], 0.1209, 0.1209),
            (1, vec![0.0, 30.0], 0.1007, 0.1209),
            (3, vec![0.0; 4], 0.3562, 0.3562),
            (0, vec![0.0; 5], 0.0, 0.0),
            (15, vec![0.0; 30], 0.3562, 0.3562),
            (15, vec![60.0; 30], 0.089, 0.3562),
            (8, vec![0.0; 10], 0.5408, 0.5408),
        ] {
            let found = rules.from(supporting, &ages);
            assert_eq!(
                (rounded(found.value), rounded(found.consistency)),
                (confidence, consistency),
                "{supporting} of {ages:?}"
            );
        }
    }
}
