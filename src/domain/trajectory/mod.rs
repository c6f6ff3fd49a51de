//! Trajectories: the steps of an agent on a task, and their outcome.
//!
//! A trajectory is a run: one id, one store, one set of steps. Lessons see it as failures and their cures
//! ([`crate::lesson::run`]); reflection and playbooks see it as a [`trajectory::Trajectory`] with its [`step::Step`]s.

pub mod feedback;
pub mod filter;
pub mod metrics;
pub mod retention;
pub mod status;
pub mod step;
pub mod trace_hash;
#[allow(
    clippy::module_inception,
    reason = "the trajectory is what this folder is about, and its type needs a file like any other"
)]
pub mod trajectory;

pub use feedback::{Feedback, ScoreMode};
pub use filter::TrajectoryFilter;
pub use metrics::Metrics;
pub use retention::{AfterRetention, TraceState, TrajectoryPolicy};
pub use status::{State, Status};
pub use step::{Step, StepKind};
pub use trajectory::Trajectory;
