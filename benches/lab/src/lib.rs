//! The laboratory: does a memory help, shown by a controlled experiment without any model.
//!
//! A trial-and-error executor ([`executor`]) works with tools that it does not know ([`tool`], [`world`])
//! in four arms along the learning protocol ([`protocol`]): without memory and with one that ends with the run
//! ([`advisor`]), with the product ([`memory`]), which is called as an agent's hook calls it ([`hook`]), and with the
//! product under plainer verdicts ([`rival`]). [`stability`] repeats it over seeds, plants wrong lessons, offers noise,
//! and reports the figures, missed goals included. Deliberately absent: any rule of its own about what
//! helps, anything that depends on the name of a tool or a task, and any way for the executor to learn in which arm
//! it is.

pub mod advisor;
mod args;
pub mod chance;
mod commands;
pub mod error;
pub mod executor;
pub mod feedback;
pub mod generate;
pub mod hook;
pub mod memory;
pub mod plot;
pub mod protocol;
pub mod report;
pub mod rival;
pub mod stability;
pub mod statistics;
pub mod tokens;
pub mod tool;
pub mod world;

use std::ffi::OsString;
use std::process::ExitCode;

use hindlore_api::server::Surfaces;
use hindlore_cli::program::{self, Program};

use args::LabCommand;

/// Runs the command that the arguments name; returns the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    let program = Program {
        name: "hindlore-lab",
        about: "Runs the learning protocol, which shows without a model whether a memory helps",
        surfaces: Surfaces::default(),
    };
    let arguments = args::with_command(arguments.into_iter().collect());
    program::run::<LabCommand>(program, arguments, environment)
}
