//! The four feedback channels by which every domain adapter reports that a step failed.
//!
//! None of them is specific to a command line: a robot, a desktop program and an HTTP API fit them as
//! well. A step is written down as an error event when it failed hard, missed a condition, or brought
//! nothing twice in a row; waste alone counts only late in a run, because early detours are how one learns.

use hindlore_primitives::word_enum;

word_enum! {
    /// The channels by which a step failed, the hardest first.
    Channel {
        /// An exception, another exit code than 0, an error of a tool or an API, a violated safety rule.
        HardFailure = "hard_failure",
        /// A required condition was not met.
        ConstraintFailure = "constraint_failure",
        /// The step did not bring the goal nearer.
        ProgressSignal = "progress_signal",
        /// Steps, time or cost were wasted.
        EfficiencySignal = "efficiency_signal",
    }
}

/// The earliest step at which waste counts.
const WASTE_FIRST_STEP: u32 = 3;

/// The report of the adapter about one step.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Feedback {
    /// The step failed hard.
    pub hard_failure: bool,
    /// The conditions that were not met.
    pub failed_constraints: Vec<String>,
    /// How much nearer the goal came, in any unit; negative when it is further away.
    pub progress: Option<f64>,
    /// The adapter reports that the step made no progress.
    pub no_progress: bool,
    /// Steps, time or cost above the plan; negative when below.
    pub efficiency: Option<f64>,
    /// The adapter reports that the step was waste.
    pub wasteful: bool,
}

/// The position of a step in its run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number, from 1.
    pub step: u32,
    /// How many steps the run may take, where that is known.
    pub allowed_steps: Option<u32>,
    /// The fingerprint was raised earlier in this run.
    pub seen_in_run: bool,
    /// The previous progress that the run reported was zero or negative.
    pub stalled_before: bool,
}

impl Feedback {
    /// The channels by which a step failed, the hardest first; empty for a step that is not written down.
    pub fn channels(&self, place: Place) -> Vec<Channel> {
        let again = place.seen_in_run && self.failed_at_all();
        let stuck = self.no_progress || again || (place.stalled_before && self.stalled());
        let waste_counts =
            place.step >= WASTE_FIRST_STEP.max(place.allowed_steps.unwrap_or(0).div_ceil(2));
        let all = [
            (self.hard_failure, Channel::HardFailure),
            (
                !self.failed_constraints.is_empty(),
                Channel::ConstraintFailure,
            ),
            (stuck, Channel::ProgressSignal),
            (self.wasteful && waste_counts, Channel::EfficiencySignal),
        ];
        all.into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, channel)| channel)
            .collect()
    }

    /// The step failed in some way, be it one that does not count yet.
    fn failed_at_all(&self) -> bool {
        self.hard_failure || !self.failed_constraints.is_empty() || self.wasteful || self.stalled()
    }

    /// Returns true if the step reports that the goal came no nearer.
    pub fn stalled(&self) -> bool {
        self.progress.is_some_and(|progress| progress <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(feedback: &Feedback, step: u32, allowed: Option<u32>, seen: bool) -> Vec<Channel> {
        feedback.channels(Place {
            step,
            allowed_steps: allowed,
            seen_in_run: seen,
            stalled_before: false,
        })
    }

    #[test]
    fn a_step_is_written_down_when_it_failed() {
        use Channel::{ConstraintFailure, HardFailure, ProgressSignal};
        let fine = Feedback {
            progress: Some(1.0),
            ..Feedback::default()
        };
        assert!(
            channels(&fine, 9, None, false).is_empty() && channels(&fine, 9, None, true).is_empty()
        );
        let hard = Feedback {
            hard_failure: true,
            ..Feedback::default()
        };
        assert_eq!(channels(&hard, 1, None, false), [HardFailure]);
        assert_eq!(
            channels(&hard, 2, None, true),
            [HardFailure, ProgressSignal]
        );
        let missed = Feedback {
            failed_constraints: vec!["three rows".into()],
            no_progress: true,
            ..Feedback::default()
        };
        assert_eq!(
            channels(&missed, 1, None, false),
            [ConstraintFailure, ProgressSignal]
        );
        // Standing still once is no failure; doing so again in the same way is.
        let still = Feedback {
            progress: Some(0.0),
            ..Feedback::default()
        };
        assert!(channels(&still, 1, None, false).is_empty());
        assert_eq!(channels(&still, 2, None, true), [ProgressSignal]);
        let place = Place {
            step: 2,
            allowed_steps: None,
            seen_in_run: false,
            stalled_before: true,
        };
        assert_eq!(still.channels(place), [ProgressSignal]);
        assert!(fine.channels(place).is_empty());
    }

    #[test]
    fn waste_counts_from_the_third_step_or_the_middle_of_the_run() {
        let waste = Feedback {
            wasteful: true,
            ..Feedback::default()
        };
        for (step, allowed, counts) in [
            (2, None, false),
            (3, None, true),
            (3, Some(4), true),
            (4, Some(10), false),
            (5, Some(10), true),
            (5, Some(11), false),
        ] {
            assert_eq!(
                !channels(&waste, step, allowed, false).is_empty(),
                counts,
                "{step} of {allowed:?}"
            );
        }
    }
}
