//! The program from outside: the command line of this build, on stores and in folders of its own.
//!
//! No test changes the environment or the folder of this process; each gives them to the program that it starts, so that
//! all of them may run side by side.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test cannot do is a failed test"
)]

mod commands;
mod executable;
mod faults;
mod listening;
mod mcp;
mod redaction;
mod surface;
mod world;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_hindlore");
/// The root of the repository.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");
