//! The command line: one command, one file, all of them over the same engine verbs and wire types.
//!
//! Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 error, 3 erased and not
//! yet wiped; `learn -- COMMAND` ends as the command that it ran, by the same signal where one killed it. A
//! command runs in a task of its own, so that an interrupt is noticed whatever it does; what it writes
//! goes to the store in single transactions, so that an interrupt leaves all of a change or nothing.

mod args;
mod beside;
mod browser;
mod child;
mod commands;
mod consent;
mod demo;
mod form;
mod input;
mod lesson_rules;
mod logging;
mod output;
mod place;
mod policy;
mod policy_words;
pub mod program;
mod progress;
mod redaction;
mod scratch;
mod session;
mod shell;
mod spool;

use std::ffi::OsString;
use std::process::ExitCode;

use args::PROGRAM;
use commands::Command;

/// Runs the command that the arguments name; returns the exit code of the process.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    program::run::<Command>(PROGRAM, arguments, environment)
}
