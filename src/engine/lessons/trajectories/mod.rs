//! Runs as trajectories: logged step by step, learned from as a whole, and kept as archives.

pub(super) mod learn_trace;
mod parts;
pub(super) mod retention;
pub(super) mod trace;
mod trace_archive;
pub(super) mod trace_learner;
mod trajectory;
pub(super) mod trajectory_feedback;
pub(super) mod trajectory_steps;
