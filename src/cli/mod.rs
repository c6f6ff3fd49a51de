//! The command line: one command, one file, all over the same engine verbs and wire types.
//!
//! Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 error, 3 erased
//! but not yet wiped; `learn -- COMMAND` ends as the wrapped command did, by the same signal if one killed
//! it. A command runs in its own task, so that an interrupt is noticed at any time. Each write is one
//! transaction of the store, so an interrupt leaves either the whole change or none.

mod agents;
mod args;
mod beside;
mod browser;
mod child;
mod commands;
mod confirm;
mod demo;
mod form;
mod input;
mod lesson_rules;
mod logging;
mod models;
mod output;
mod place;
mod policy;
mod policy_words;
pub mod program;
mod progress;
mod redaction;
mod session;
mod shell;
mod spool;
mod temp_store;
mod trajectory_policy;

use std::ffi::OsString;
use std::process::ExitCode;

use args::PROGRAM;
use commands::Command;
use program::Program;

use crate::api::server::Serve;

/// Runs the command given by the arguments; returns the exit code of the process. `serve` is the server of the program,
/// if it was built with one.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    serve: Option<Serve>,
) -> ExitCode {
    let program = Program { serve, ..PROGRAM };
    program::run::<Command>(program, arguments, environment)
}
