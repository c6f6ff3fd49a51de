//! Which steps of a trajectory are kept, and for how long.
//!
//! A trace may be large, and most successes look alike. So it is decided at the end of a trajectory whether its steps
//! stay: always after a failure, for a share of the successes, which a hash of the id draws, so that every instance and
//! every resend decides alike. Counts, hash and outcome stay in any case.

use serde::{Deserialize, Serialize};

use super::status::Status;
use hindlore_primitives::identity::derived_hash;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

const MINUTE_MS: i64 = 60_000;

word_enum! {
    /// The retention of the steps of a trajectory.
    #[derive(Default)]
    TraceState {
        /// All steps.
        #[default]
        Whole = "whole",
        /// Only counts, hash and outcome: a success that was not drawn.
        Summary = "summary",
        /// All steps, folded into one text.
        Archived = "archived",
        /// Nothing any more but counts, hash and outcome.
        Purged = "purged",
    }
}

word_enum! {
    /// The fate of the steps when their time after the reflection is over.
    AfterRetention {
        /// They are folded into one text, from which they can be read.
        Archive = "archive",
        /// They go for good.
        Purge = "purge",
        /// They stay.
        Keep = "keep",
    }
}

/// How long steps are kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrajectoryPolicy {
    /// Share of successes whose steps stay, 0..=1.
    #[serde(alias = "TRAJECTORY_SAMPLE_RATE")]
    pub sample_rate: f64,
    /// Whether the steps of every failure stay.
    #[serde(alias = "TRAJECTORY_ALWAYS_STORE_FAILURES")]
    pub always_store_failures: bool,
    /// Minutes for which the steps of a success that was not drawn can still be read, for reflection.
    pub summary_after_minutes: u32,
    /// Days after the reflection on a trajectory for which its steps stay.
    #[serde(alias = "TRAJECTORY_RETENTION_DAYS")]
    pub retention_days: u32,
    /// The fate of the steps then.
    pub after_retention: AfterRetention,
    /// Days for which a repeated operation gets its first answer; 0 for good.
    pub receipt_days: u32,
}

impl Default for TrajectoryPolicy {
    fn default() -> Self {
        Self {
            sample_rate: 0.1,
            always_store_failures: true,
            summary_after_minutes: 60,
            retention_days: 30,
            after_retention: AfterRetention::Archive,
            receipt_days: 30,
        }
    }
}

impl TrajectoryPolicy {
    /// The first value that cannot be; `None` when all can.
    pub fn problem(&self) -> Option<String> {
        let is_share = self.sample_rate.is_finite() && (0.0..=1.0).contains(&self.sample_rate);
        (!is_share).then(|| {
            format!(
                "`sample_rate` is {}; it must lie in 0..=1",
                self.sample_rate
            )
        })
    }

    /// Returns true if the steps of a trajectory that ended stay. They do unless it is known to be a success, and where
    /// a verdict rests on them (`is_evidence`).
    pub fn keeps_steps(&self, id: &str, status: Option<Status>, is_evidence: bool) -> bool {
        let is_sampled = match status {
            Some(Status::Success) => true,
            Some(Status::Failure) => !self.always_store_failures,
            Some(Status::Partial) | None => false,
        };
        is_evidence || !is_sampled || drawn(id) < self.sample_rate
    }

    /// When the steps go of a trajectory whose summary is kept.
    pub fn summary_at(&self, ended: Timestamp) -> Timestamp {
        let millis = i64::from(self.summary_after_minutes) * MINUTE_MS;
        Timestamp::from_millis(ended.millis().saturating_add(millis))
    }

    /// The time from before which receipts of operations go; `None` when they stay.
    pub fn receipts_before(&self, now: Timestamp) -> Option<Timestamp> {
        (self.receipt_days > 0).then(|| now.minus_days(self.receipt_days))
    }

    /// When the steps go of a trajectory that was reflected upon; `None` when they stay.
    pub fn retained_until(&self, reflected: Timestamp) -> Option<Timestamp> {
        let goes = self.after_retention != AfterRetention::Keep;
        goes.then(|| reflected.plus_days(self.retention_days))
    }
}

/// The place of an id in 0..1, evenly spread.
#[allow(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
fn drawn(id: &str) -> f64 {
    let hash = derived_hash(&["trajectory sample", id]);
    let mut head = [0; 8];
    head.copy_from_slice(&hash[..8]);
    (u64::from_be_bytes(head) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_stay_and_a_share_of_the_successes_does() {
        let policy = TrajectoryPolicy::default();
        let kept = |status| {
            (0..10_000)
                .filter(|n| policy.keeps_steps(&format!("t_{n}"), status, false))
                .count()
        };
        assert_eq!(kept(Some(Status::Failure)), 10_000);
        assert_eq!(kept(Some(Status::Partial)), 10_000);
        assert_eq!(kept(None), 10_000);
        let successes = kept(Some(Status::Success));
        assert!((900..=1_100).contains(&successes), "{successes}");
        // The same on every machine: worked out apart from this code.
        let drawn = (0..100)
            .filter(|n| policy.keeps_steps(&format!("t_{n}"), Some(Status::Success), false));
        assert_eq!(
            drawn.collect::<Vec<u32>>(),
            [7, 10, 21, 33, 57, 60, 61, 73, 97]
        );
        assert!((0..100).all(|n| policy.keeps_steps(
            &format!("t_{n}"),
            Some(Status::Success),
            true
        )));
    }

    #[test]
    fn a_larger_share_keeps_what_a_smaller_one_kept() {
        let of = |sample_rate| TrajectoryPolicy {
            sample_rate,
            always_store_failures: false,
            ..TrajectoryPolicy::default()
        };
        let kept =
            |rate, n: u32| of(rate).keeps_steps(&format!("t_{n}"), Some(Status::Failure), false);
        for n in 0..500 {
            assert!(!kept(0.0, n) && kept(1.0, n));
            assert!(!kept(0.2, n) || kept(0.5, n));
        }
        assert!(of(1.5).problem().is_some() && of(f64::NAN).problem().is_some());
        assert_eq!(of(0.5).problem(), None);
    }

    #[test]
    fn the_names_of_the_original_configuration_are_read() {
        let text = r#"{"TRAJECTORY_RETENTION_DAYS": 7, "TRAJECTORY_SAMPLE_RATE": 0.5, "TRAJECTORY_ALWAYS_STORE_FAILURES": false}"#;
        let policy: TrajectoryPolicy = serde_json::from_str(text).unwrap();
        assert_eq!((policy.retention_days, policy.sample_rate), (7, 0.5));
        assert!(!policy.always_store_failures);
        let reflected = Timestamp::from_millis(0);
        assert_eq!(
            policy.retained_until(reflected),
            Some(reflected.plus_days(7))
        );
    }
}
