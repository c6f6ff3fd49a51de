//! An activation: one use of a lesson in a run, with its outcome.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::evidence::outcome::Outcome;
use hindlore_errors::fingerprint::Level;
use hindlore_primitives::identity::length_prefixed;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId, derive};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

word_enum! {
    /// The trigger of the return of a lesson.
    Trigger {
        /// Before the run.
        PreRun = "pre_run",
        /// After a failed step.
        OnError = "on_error",
        /// Before an action that has the wrong form of the lesson.
        BeforeAction = "before_action",
    }
}

word_enum! {
    /// The channel by which retrieval found a lesson.
    RetrievalChannel {
        /// It belongs to this task or domain.
        Strict = "strict",
        /// It belongs to another domain.
        Transfer = "transfer",
    }
}

/// One use of a lesson.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Activation {
    /// Derived from run, lesson, moment and step: a resent retrieval is the same activation.
    pub id: ActivationId,
    /// The run.
    pub run: String,
    /// The lesson.
    pub lesson: LessonId,
    /// Its trigger.
    pub moment: Trigger,
    /// The step that failed; 0 before the run; before an action the last step that was reported.
    pub step: u32,
    /// The fingerprint that called for it, on an error.
    pub trigger: Option<(FingerprintId, Level)>,
    /// The channel that found it.
    pub lane: RetrievalChannel,
    /// The score.
    pub score: f64,
    /// True when the lesson was withheld because the run is a control run.
    pub withheld: bool,
    /// Lessons that lost to this one for contradicting it.
    pub beat: Vec<LessonId>,
    /// When it was made.
    pub at: Timestamp,
    /// Its outcome, once the run has ended.
    pub outcome: Option<Outcome>,
}

/// The identity of an activation.
pub fn activation_id(run: &str, lesson: LessonId, moment: Trigger, step: u32) -> ActivationId {
    ActivationId(derive(&[
        "activation",
        run,
        &lesson.to_string(),
        moment.word(),
        &step.to_string(),
    ]))
}

/// Returns true if a run is a control run, in which lessons are withheld.
///
/// A hash of the run decides, so that every instance and every resend decides alike.
pub fn is_control(run: &str, seed: u64, rate: f64) -> bool {
    let hash = Sha256::digest(length_prefixed(&["control", &seed.to_string(), run]));
    let mut head = [0; 8];
    head.copy_from_slice(&hash[..8]);
    // 53 bits fit a double exactly.
    let place = (u64::from_be_bytes(head) >> 11) as f64 / (1_u64 << 53) as f64;
    place < rate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_control_share_is_kept_and_depends_on_run_and_seed() {
        let share = |seed: u64, rate: f64| {
            (0..20_000)
                .filter(|n| is_control(&format!("run-{n}"), seed, rate))
                .count()
        };
        for rate in [0.1, 0.5] {
            let found = share(7, rate) as f64 / 20_000.0;
            assert!((found - rate).abs() < 0.012, "{rate}: {found}");
        }
        assert_eq!((share(7, 0.0), share(7, 1.0)), (0, 20_000));
        let differ = (0..1_000)
            .filter(|n| is_control(&n.to_string(), 1, 0.5) != is_control(&n.to_string(), 2, 0.5))
            .count();
        assert!((400..600).contains(&differ), "{differ}");
        assert_eq!(is_control("r", 1, 0.5), is_control("r", 1, 0.5));
    }
}
