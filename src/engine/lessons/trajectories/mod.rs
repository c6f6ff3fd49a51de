//! Runs as trajectories: logged step by step, learned from as a whole, and kept as archives.

mod grown;
pub(super) mod learn_trace;
pub(super) mod retention;
mod trace_archive;
mod trajectory;
pub(super) mod trajectory_feedback;
pub(super) mod trajectory_steps;
