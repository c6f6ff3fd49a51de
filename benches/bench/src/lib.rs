//! The measurements of `hindlore-bench`, as reports: our figure, the peer's, the goal, and whether it holds.
//!
//! Nothing here is needed to run a memory. A comparison is made in one process or in interleaved blocks, so that a busy
//! machine slows both sides alike; a missing peer has a row that names it.

// Futures of whole benchmarks nest deeper than the compiler follows by itself.
#![recursion_limit = "256"]

mod args;
mod chance;
pub mod cheatsheets;
mod client;
mod commands;
mod curve;
mod data;
mod error;
pub mod facts;
pub mod fingerprints;
pub mod http;
mod interval;
mod learner;
pub mod lessons;
mod machine;
pub mod memory;
pub mod merges;
pub mod neo4j;
mod peer;
pub mod places;
mod plot;
pub mod processes;
mod programs;
mod report;
pub mod retrieval;
mod samples;
pub mod stream;

use std::ffi::OsString;
use std::process::ExitCode;

use hindlore_api::server::Surfaces;
use hindlore_cli::program::{self, Program};

pub use chance::Chance;
pub use commands::page;
pub use curve::{Axis, Curve, Line};
pub use error::EvalError;
pub use interval::{Estimate, mean};
pub use machine::Machine;
pub use peer::{Peer, Peers};
pub use plot::svg;
pub use report::{Goal, Ratio, Report, Row};
pub use samples::Samples;

/// The progress of a benchmark, which runs for minutes.
pub type Progress<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Runs the command that the arguments name; returns the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    let program = Program {
        name: "hindlore-bench",
        about: "Measures hindlore beside its peers and its limits",
        surfaces: Surfaces::default(),
    };
    program::run::<args::BenchCommand>(program, arguments, environment)
}
