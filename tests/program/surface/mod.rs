//! The command line from outside: the real program, its documents, its exit codes, its refusals.

mod columns;
mod config;
mod consolidating;
mod delta_refusals;
mod erasing;
mod exporting;
mod files;
mod importing;
mod isolation;
mod lesson_refusals;
mod linked;
mod parity;
mod parity_trajectories;
mod paste;
mod permissions;
mod readme;
mod refusals;
mod serving;
mod shapes;
mod stories;
mod terminal;
mod trajectory_refusals;
mod transferring;
mod truth;
mod whereabouts;
