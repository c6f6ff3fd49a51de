//! The numbers of the lesson lifecycle: every threshold and weight, configurable and stored with each
//! decision, so that an old decision can be derived again after the configuration changed.

use serde::{Deserialize, Serialize};

/// All numbers; the defaults are those of the specification.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LessonPolicy {
    /// How retrieval weighs and limits.
    pub retrieval: RetrievalNumbers,
    /// How outcomes are valued.
    pub utility: UtilityNumbers,
    /// When the status changes.
    pub gates: GateNumbers,
    /// Share of runs that get no lessons, so that a baseline keeps existing, 0..=1. By default 0: a person who installs a
    /// helper does not expect to take part in a trial. A team that wants to measure the benefit sets 0.1.
    pub control_rate: f64,
}

/// Where a number may lie.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Range {
    /// 0 or more.
    NotNegative,
    /// More than 0.
    AboveZero,
    /// 0 to 1.
    Share,
    /// -1 to 1.
    Difference,
}

impl Range {
    fn holds(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::NotNegative => value >= 0.0,
                Self::AboveZero => value > 0.0,
                Self::Share => (0.0..=1.0).contains(&value),
                Self::Difference => (-1.0..=1.0).contains(&value),
            }
    }

    fn words(self) -> &'static str {
        match self {
            Self::NotNegative => "must be 0 or more",
            Self::AboveZero => "must be above 0",
            Self::Share => "must lie in 0..=1",
            Self::Difference => "must lie in -1..=1",
        }
    }
}

impl LessonPolicy {
    /// The first number that lies where no formula holds: its name, and where it must lie.
    pub fn problem(&self) -> Option<(&'static str, String)> {
        let wrong = self
            .ranges()
            .into_iter()
            .find(|(_, value, range)| !range.holds(*value));
        wrong.map(|(name, value, range)| (name, format!("is {value}; it {}", range.words())))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "counts are compared with 0 only"
    )]
    fn ranges(&self) -> Vec<(&'static str, f64, Range)> {
        use Range::{AboveZero, Difference, NotNegative, Share};
        let (of, on, at) = (&self.retrieval, &self.utility, &self.gates);
        vec![
            ("control_rate", self.control_rate, Share),
            ("fingerprint_weight", of.fingerprint_weight, NotNegative),
            ("tag_weight", of.tag_weight, NotNegative),
            ("text_weight", of.text_weight, NotNegative),
            ("reliability_weight", of.reliability_weight, NotNegative),
            ("recency_weight", of.recency_weight, NotNegative),
            ("coarse_match", of.coarse_match, Share),
            ("neighbour_match", of.neighbour_match, Share),
            ("recency_days", of.recency_days, AboveZero),
            ("error_similarity_min", of.error_similarity_min, Share),
            ("transfer_weight", of.transfer_weight, Share),
            ("strict_weak_below", of.strict_weak_below, NotNegative),
            ("transfer_anchor_min", of.transfer_anchor_min, NotNegative),
            ("error_weight", on.error_weight, NotNegative),
            ("step_weight", on.step_weight, NotNegative),
            ("referee_error_weight", on.referee_error_weight, NotNegative),
            ("referee_step_weight", on.referee_step_weight, NotNegative),
            ("referee_score_weight", on.referee_score_weight, NotNegative),
            ("shrink", on.shrink, AboveZero),
            ("reliability_memory", on.reliability_memory, Share),
            ("direct_lower_above", at.direct_lower_above, Share),
            ("direct_upper_below", at.direct_upper_below, Share),
            ("utility_min", at.utility_min, Difference),
            ("bound_z", at.bound_z, NotNegative),
            ("regression_fall_min", at.regression_fall_min, Share),
            ("runs_min", at.runs_min as f64, AboveZero),
            ("arm_runs_min", at.arm_runs_min as f64, AboveZero),
            ("failures_min", at.failures_min as f64, AboveZero),
            ("review_rows_min", at.review_rows_min as f64, AboveZero),
            ("relearned_min", at.relearned_min as f64, AboveZero),
            ("refuted_margin", at.refuted_margin as f64, AboveZero),
            ("idle_offers", f64::from(of.idle_offers), AboveZero),
            ("regression_window", at.regression_window as f64, AboveZero),
            ("regression_runs", at.regression_runs as f64, AboveZero),
            (
                "regressions_to_suppress",
                at.regressions_to_suppress as f64,
                AboveZero,
            ),
            ("contests_lost_min", at.contests_lost_min as f64, AboveZero),
            ("contests_window", at.contests_window as f64, AboveZero),
            (
                "archive_reliability_below",
                at.archive_reliability_below,
                Share,
            ),
        ]
    }
}

impl Default for LessonPolicy {
    fn default() -> Self {
        Self {
            retrieval: RetrievalNumbers::default(),
            utility: UtilityNumbers::default(),
            gates: GateNumbers::default(),
            control_rate: 0.0,
        }
    }
}

/// Weights, lanes, guards and work limits of retrieval.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrievalNumbers {
    /// Weight of the fingerprint.
    pub fingerprint_weight: f64,
    /// Weight of the tags.
    pub tag_weight: f64,
    /// Weight of the text.
    pub text_weight: f64,
    /// Weight of the reliability.
    pub reliability_weight: f64,
    /// Weight of the recency.
    pub recency_weight: f64,
    /// Weight of an exact hit on the coarse fingerprint.
    pub coarse_match: f64,
    /// Maximum weight of a neighbour.
    pub neighbour_match: f64,
    /// Days after which recency has halved.
    pub recency_days: f64,
    /// Least similarity of two errors of one tool at which the lesson of one is offered for the other, 0..=1.
    pub error_similarity_min: f64,
    /// Weight of a lesson of another domain.
    pub transfer_weight: f64,
    /// The most lessons of other domains.
    pub transfer_max: usize,
    /// The strict lane is weak when its best score is below.
    pub strict_weak_below: f64,
    /// The least anchor of a lesson of another domain.
    pub transfer_anchor_min: f64,
    /// The most lessons of one source run.
    pub per_source_run: usize,
    /// The most lessons of one leading tag.
    pub per_tag: usize,
    /// The most lessons before a run.
    pub pre_run_max: usize,
    /// The most lessons on an error.
    pub on_error_max: usize,
    /// Offers in a row without being followed after which a lesson is offered only when nothing else is.
    pub idle_offers: u32,
    /// How far the walk may go.
    pub walk: WalkLimits,
}

impl Default for RetrievalNumbers {
    fn default() -> Self {
        Self {
            fingerprint_weight: 0.40,
            tag_weight: 0.25,
            text_weight: 0.20,
            reliability_weight: 0.10,
            recency_weight: 0.05,
            coarse_match: 0.8,
            neighbour_match: 0.6,
            recency_days: 14.0,
            error_similarity_min: 0.4,
            transfer_weight: 0.35,
            transfer_max: 1,
            strict_weak_below: 0.45,
            transfer_anchor_min: 0.25,
            per_source_run: 2,
            per_tag: 3,
            pre_run_max: 8,
            on_error_max: 3,
            idle_offers: 8,
            walk: WalkLimits::default(),
        }
    }
}

/// Work limits of the neighbourhood; together they bound the rows that a store reads.
///
/// A start has `starts` fingerprints; each gives its lessons. Up to `tags` tags give `siblings_per_tag`
/// fingerprints and `lessons_per_tag` lessons each, and each sibling its lessons. With the defaults at
/// most 12·16 + 8·(16 + 16) + 8·16·2 + 40 = 744 rows, however common a tag is, and `lessons` lessons in
/// full: on a server below 2,000 hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WalkLimits {
    /// Fingerprints that a walk starts from.
    pub starts: usize,
    /// Tags that are followed, the rarest first.
    pub tags: usize,
    /// Lessons of a fingerprint that the walk started from.
    pub lessons_per_start: usize,
    /// Fingerprints that are read of one tag.
    pub siblings_per_tag: usize,
    /// Lessons that are read of one tag.
    pub lessons_per_tag: usize,
    /// Lessons that are read of one sibling.
    pub lessons_per_sibling: usize,
    /// Lessons that are read of the task, the domain and the tool together.
    pub lessons_per_place: usize,
    /// Rows that are read in all.
    pub rows: usize,
    /// Reached lessons that are read in full, in the order of the walk.
    pub lessons: usize,
}

impl Default for WalkLimits {
    fn default() -> Self {
        Self {
            starts: 12,
            tags: 8,
            lessons_per_start: 16,
            siblings_per_tag: 16,
            lessons_per_tag: 16,
            lessons_per_sibling: 2,
            lessons_per_place: 40,
            rows: 744,
            lessons: 64,
        }
    }
}

/// How an outcome is valued.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UtilityNumbers {
    /// Weights of error reduction and step gain without a referee.
    pub error_weight: f64,
    /// See `error_weight`.
    pub step_weight: f64,
    /// Weights of error reduction, step gain and score gain with a referee.
    pub referee_error_weight: f64,
    /// See `referee_error_weight`.
    pub referee_step_weight: f64,
    /// See `referee_error_weight`.
    pub referee_score_weight: f64,
    /// How many samples of baseline halve the shrinking: n/(n+k).
    pub shrink: f64,
    /// Share of the old reliability that stays.
    pub reliability_memory: f64,
}

impl Default for UtilityNumbers {
    fn default() -> Self {
        Self {
            error_weight: 0.65,
            step_weight: 0.35,
            referee_error_weight: 0.50,
            referee_step_weight: 0.30,
            referee_score_weight: 0.20,
            shrink: 2.0,
            reliability_memory: 0.7,
        }
    }
}

/// When a status changes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateNumbers {
    /// Runs with a row of evidence before a promotion.
    pub runs_min: usize,
    /// Minimum runs in each arm for a comparison.
    pub arm_runs_min: usize,
    /// Deviations to a one-sided bound; 0.8416 is 80 %.
    pub bound_z: f64,
    /// The direct rate promotes when its lower bound is above this.
    pub direct_lower_above: f64,
    /// The direct rate suppresses when its upper bound is below this,
    pub direct_upper_below: f64,
    /// after this many runs in which the advice failed.
    pub failures_min: usize,
    /// Utility that a promotion by comparison needs.
    pub utility_min: f64,
    /// Runs that must show the need before an averted error counts.
    pub need_runs_min: usize,
    /// New rows of proof that overrule a person.
    pub review_rows_min: usize,
    /// Runs that teach a suppressed lesson again before it is tried again.
    pub relearned_min: usize,
    /// Runs that speak against a candidate in excess of those for it, after which it is refuted.
    pub refuted_margin: usize,
    /// Comparable runs without the lesson after which control runs no longer withhold it.
    pub compared_max: usize,
    /// Fall of the score that is a major regression.
    pub regression_fall_min: f64,
    /// Comparable runs that a score is compared with, the last ones.
    pub regression_window: usize,
    /// Attributable regressions that suppress,
    pub regressions_to_suppress: usize,
    /// among this many last relevant runs; any of them prevents a promotion.
    pub regression_runs: usize,
    /// Lost contests that suppress,
    pub contests_lost_min: usize,
    /// among this many last ones.
    pub contests_window: usize,
    /// Reliability below which an unused lesson is archived,
    pub archive_reliability_below: f64,
    /// after this many relevant opportunities without use.
    pub archive_unused: u32,
    /// Relevant opportunities after which a suppressed lesson is tried again; off by default.
    pub retrial_after: Option<u32>,
}

impl Default for GateNumbers {
    fn default() -> Self {
        Self {
            runs_min: 3,
            arm_runs_min: 3,
            bound_z: 0.8416,
            direct_lower_above: 0.5,
            direct_upper_below: 0.5,
            failures_min: 3,
            utility_min: 0.20,
            need_runs_min: 2,
            review_rows_min: 5,
            relearned_min: 2,
            refuted_margin: 2,
            compared_max: 10,
            regression_fall_min: 0.3,
            regression_window: 6,
            regressions_to_suppress: 2,
            regression_runs: 10,
            contests_lost_min: 2,
            contests_window: 3,
            archive_reliability_below: 0.3,
            archive_unused: 20,
            retrial_after: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_no_formula_holds_for_is_named() {
        assert_eq!(LessonPolicy::default().problem(), None);
        type Change = fn(&mut LessonPolicy);
        let changes: [(&str, Change); 5] = [
            ("shrink", |numbers| numbers.utility.shrink = -1.0),
            ("shrink", |numbers| numbers.utility.shrink = 0.0),
            ("control_rate", |numbers| numbers.control_rate = f64::NAN),
            ("recency_days", |numbers| {
                numbers.retrieval.recency_days = 0.0
            }),
            ("regression_window", |numbers| {
                numbers.gates.regression_window = 0
            }),
        ];
        for (field, change) in changes {
            let mut numbers = LessonPolicy::default();
            change(&mut numbers);
            let (named, said) = numbers.problem().unwrap();
            assert_eq!(named, field, "{said}");
        }
    }
}
