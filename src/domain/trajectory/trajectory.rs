//! A trajectory as a whole: the task, who did it for whom, its steps, and its outcome.

use super::feedback::{Feedback, ScoreMode, effective_score};
use super::metrics::Metrics;
use super::retention::TraceState;
use super::status::{State, Status};
use super::step::Step;
use hindlore_primitives::timestamp::Timestamp;

/// A trajectory, open or ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Trajectory {
    /// Its id: the name of the run.
    pub id: String,
    /// The task in words; empty if unknown.
    pub description: String,
    /// The type of the task, such as `api_call`.
    pub task_type: Option<String>,
    /// The agent that did it.
    pub agent: Option<String>,
    /// The user it was done for.
    pub user: Option<String>,
    /// The trajectory that it is a part of, of the same learner.
    pub parent: Option<String>,
    /// Its outcome; `None` while it is open, and when it was not judged.
    pub status: Option<Status>,
    /// Its score, 0..=1, as stored at its end; `None` without one.
    pub success_score: Option<f64>,
    /// Why it failed, in the caller's words.
    pub error: Option<String>,
    /// The measurements of the caller.
    pub metrics: Metrics,
    /// Its steps, ascending by number. Empty in listings, and when only the summary was kept.
    pub steps: Vec<Step>,
    /// The number of steps that it took, whether they are kept or not.
    pub steps_taken: u32,
    /// The retention of its steps.
    pub trace: TraceState,
    /// Until when its steps can be read; `None` when they stay, or are gone.
    pub steps_until: Option<Timestamp>,
    /// The hash of its steps, in hexadecimal; `None` when it took none since hashes are kept.
    pub trace_hash: Option<String>,
    /// The feedback after its end, in the order of arrival.
    pub feedback: Vec<Feedback>,
    /// The priority of learning from it again, 0..=10; `None` when it is not queued.
    pub relearning: Option<u8>,
    /// When it was last reflected upon.
    pub reflected_at: Option<Timestamp>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; `None` while it is open.
    pub ended_at: Option<Timestamp>,
}

impl Trajectory {
    /// Its score by all feedback until `now`, 0..=1; see [`effective_score`].
    pub fn effective_score(&self, mode: ScoreMode, now: Timestamp) -> Option<f64> {
        effective_score(self.score(), &self.feedback, mode, now)
    }

    /// The trajectory with its own error as that of its last action, where it failed and no step did: a caller may report
    /// the failure only at the end.
    #[must_use]
    pub fn with_error_at_end(mut self) -> Self {
        let is_untold =
            self.status == Some(Status::Failure) && !self.steps.iter().any(|step| step.failed);
        let last = self
            .steps
            .iter_mut()
            .rev()
            .find(|step| step.action.is_some());
        if let (true, Some(step), Some(error)) = (is_untold, last, &self.error) {
            step.failed = true;
            step.error = Some(error.clone());
        }
        self
    }

    /// Its state.
    pub fn state(&self) -> State {
        State::of(self.status, self.ended_at.is_some())
    }

    /// How well it went at its end, 0..=1: the stored score, else that of its status; `None` when neither is known.
    pub fn score(&self) -> Option<f64> {
        self.success_score
            .or_else(|| self.status.map(Status::score))
    }
}
