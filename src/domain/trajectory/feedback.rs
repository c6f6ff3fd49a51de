//! Feedback on a trajectory: verdicts on its outcome after it ended, and their consequences.

use serde::{Deserialize, Serialize};

use super::metrics::Metrics;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// Largest number of feedbacks of one trajectory.
pub const FEEDBACK_MAX: usize = 1_000;
/// A feedback that differs from the stored score by more than this asks for learning again.
pub const RELEARN_ABOVE: f64 = 0.3;
/// The highest priority of learning again.
pub const PRIORITY_MAX: u8 = 10;
/// Differences of decimal fractions are not exact; values this near count as equal.
const NEAR: f64 = 1e-9;

/// Feedback on the outcome of a trajectory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Feedback {
    /// Its id within the trajectory; the same id twice counts once.
    pub id: String,
    /// Its type, such as `human` or `production`.
    pub kind: String,
    /// How well the task was done, 0..=1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The author of the feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The measurements.
    #[serde(default, skip_serializing_if = "Metrics::is_empty")]
    pub metrics: Metrics,
    /// When.
    pub at: Timestamp,
}

word_enum! {
    /// How the scores of several feedbacks become one.
    #[derive(Default)]
    ScoreMode {
        /// The latest counts.
        #[default]
        Latest = "latest",
        /// All count alike.
        Average = "average",
        /// Each counts 1/(1 + its age in days).
        Weighted = "weighted",
    }
}

/// The score of a trajectory by all evidence at `now`, 0..=1: by its feedback with a score, else the stored score.
/// `None` when it was not judged. Feedback of equal age counts in the order of its arrival.
pub fn effective_score(
    stored: Option<f64>,
    feedback: &[Feedback],
    mode: ScoreMode,
    now: Timestamp,
) -> Option<f64> {
    let scored = || {
        feedback
            .iter()
            .filter_map(|one| one.score.map(|score| (one.at, score)))
    };
    let weight = |at: Timestamp| match mode {
        ScoreMode::Weighted => 1.0 / (1.0 + now.days_since(at)),
        ScoreMode::Latest | ScoreMode::Average => 1.0,
    };
    if mode == ScoreMode::Latest {
        let latest = scored().max_by_key(|(at, _)| *at);
        return latest.map(|(_, score)| score).or(stored);
    }
    let (sum, weights) = scored().fold((0.0, 0.0), |(sum, weights), (at, score)| {
        (sum + weight(at) * score, weights + weight(at))
    });
    if weights > 0.0 {
        Some(sum / weights)
    } else {
        stored
    }
}

/// The priority of learning again from a trajectory that was stored with one score and is given another, 0..=10: ten
/// times the difference, rounded. `None` when they differ by [`RELEARN_ABOVE`] or less.
pub fn relearning_priority(stored: f64, given: f64) -> Option<u8> {
    let difference = (stored - given).abs();
    let priority = (difference * f64::from(PRIORITY_MAX)).round();
    let is_far = difference > RELEARN_ABOVE + NEAR;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is clamped to 0..=10"
    )]
    is_far.then(|| priority.clamp(0.0, f64::from(PRIORITY_MAX)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(day: i64, score: Option<f64>) -> Feedback {
        Feedback {
            id: format!("f{day}"),
            kind: "human".to_owned(),
            score,
            source: None,
            message: None,
            metrics: Metrics::default(),
            at: Timestamp::from_millis(day * 86_400_000),
        }
    }

    /// Stored score, feedback, mode, and the expected score.
    type Row<'f> = (Option<f64>, &'f [Feedback], ScoreMode, Option<f64>);

    #[test]
    fn the_effective_score_is_that_of_the_table() {
        use ScoreMode::{Average, Latest, Weighted};
        // Given on days 0, 1 and 3; asked on day 3: weights 1/4, 1/3 and 1.
        let three = [
            given(0, Some(0.2)),
            given(3, Some(0.8)),
            given(1, Some(0.5)),
        ];
        let weighted = (0.2 / 4.0 + 0.5 / 3.0 + 0.8) / (1.0 / 4.0 + 1.0 / 3.0 + 1.0);
        let silent = [given(2, None)];
        let table: [Row<'_>; 9] = [
            (Some(0.9), &[], Latest, Some(0.9)),
            (Some(0.9), &[], Weighted, Some(0.9)),
            (None, &[], Average, None),
            (Some(0.9), &silent, Average, Some(0.9)),
            (Some(0.9), &three, Latest, Some(0.8)),
            (Some(0.9), &three, Average, Some(0.5)),
            (None, &three, Weighted, Some(weighted)),
            (None, &three[..1], Weighted, Some(0.2)),
            (None, &three[..1], Average, Some(0.2)),
        ];
        let now = Timestamp::from_millis(3 * 86_400_000);
        for (row, (stored, feedback, mode, expected)) in table.into_iter().enumerate() {
            let found = effective_score(stored, feedback, mode, now);
            let is_same = match (found, expected) {
                (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
                (found, expected) => found == expected,
            };
            assert!(is_same, "row {row}: {found:?}");
        }
    }

    #[test]
    fn of_equally_late_feedback_the_last_given_counts() {
        let two = [given(1, Some(0.1)), given(1, Some(0.7))];
        let now = Timestamp::from_millis(0);
        assert_eq!(
            effective_score(None, &two, ScoreMode::Latest, now),
            Some(0.7)
        );
        // Both lie ahead of the clock that asks: they are new, and count alike.
        let both = effective_score(None, &two, ScoreMode::Weighted, now);
        assert!((both.unwrap_or_default() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn only_a_difference_above_the_limit_asks_for_learning_again() {
        for (stored, given, priority) in [
            (1.0, 0.0, Some(10)),
            (0.0, 1.0, Some(10)),
            (0.9, 0.35, Some(6)),
            (0.5, 0.19, Some(3)),
            (0.9, 0.6, None),
            (0.6, 0.9, None),
            (0.5, 0.5, None),
        ] {
            assert_eq!(
                relearning_priority(stored, given),
                priority,
                "{stored} {given}"
            );
        }
    }
}
