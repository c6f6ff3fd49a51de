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
#[cfg(unix)]
mod resident;
mod session;
mod shell;
#[cfg(feature = "otel")]
mod spans;
mod spool;
mod temp_store;
mod trajectory_policy;

use std::ffi::OsString;
use std::process::ExitCode;

use args::PROGRAM;
use commands::Command;
use program::Program;
#[cfg(unix)]
use resident::{Asked, Handed};

use crate::api::server::Serve;

/// Runs the command given by the arguments; returns the exit code of the process. `serve` is the server of the program,
/// if it was built with one.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    serve: Option<Serve>,
) -> ExitCode {
    let program = Program { serve, ..PROGRAM };
    #[cfg(unix)]
    let code = {
        let raw: Vec<OsString> = arguments.into_iter().collect();
        let environment: Vec<(OsString, OsString)> = environment.into_iter().collect();
        match Asked::read(&raw, &environment) {
            Some(asked) => quickly(program, raw, environment, asked),
            None => program::run::<Command>(program, raw, environment),
        }
    };
    #[cfg(not(unix))]
    let code = program::run::<Command>(program, arguments, environment);
    code
}

/// Has a resident process answer, or answers here and leaves one behind.
#[cfg(unix)]
fn quickly(
    program: Program,
    raw: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    asked: Asked,
) -> ExitCode {
    match asked.hand_over() {
        Handed::Answered(code) => code,
        Handed::NotAnswered(stdin) => {
            let code = program::run_with_stdin::<Command>(program, raw, environment, stdin);
            asked.leave_one();
            code
        }
    }
}
