//! The command line: one command, one file, all over the same engine verbs and wire types.
//!
//! Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 error, 3 erased
//! but not yet wiped; `learn -- COMMAND` ends as the wrapped command did, by the same signal if one killed
//! it. A command runs in its own task, so that an interrupt is noticed at any time. Each write is one
//! transaction of the store, so an interrupt leaves either the whole change or none.
//!
//! # Example
//!
//! ```
//! use std::process::ExitCode;
//!
//! use hindlore_api::server::Surfaces;
//!
//! let arguments = ["hindlore", "--version"].map(Into::into);
//! assert_eq!(hindlore_cli::run(arguments, [], Surfaces::default()), ExitCode::SUCCESS);
//! let unknown = ["hindlore", "--no-such-option"].map(Into::into);
//! assert_eq!(hindlore_cli::run(unknown, [], Surfaces::default()), ExitCode::from(2));
//! ```

mod agents;
mod args;
mod browser;
mod commands;
mod confirm;
mod demo;
mod external_commands;
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
mod repository;
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
#[cfg(unix)]
use std::io::{self, Write};
use std::process::ExitCode;

use args::PROGRAM;
use commands::Command;
use commands::agents::hook;
use program::Program;
#[cfg(unix)]
use resident::Asked;

use hindlore_api::server::Surfaces;

/// Runs the command given by the arguments; returns the exit code of the process. `surfaces` are those that
/// the program was built with.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    surfaces: Surfaces,
) -> ExitCode {
    let program = Program {
        surfaces,
        ..PROGRAM
    };
    let raw: Vec<OsString> = arguments.into_iter().collect();
    let environment: Vec<(OsString, OsString)> = environment.into_iter().collect();
    // Before anything of the program can fail: to a runtime, any exit code but 0 means that its tool must not run.
    if hook::is_called(&raw) {
        return hook::answer_and_end(&raw, environment);
    }
    #[cfg(unix)]
    let asked = Asked::read(&raw, &environment);
    #[cfg(unix)]
    if let Some(asked) = asked {
        return quickly(program, raw, environment, &asked);
    }
    program::run::<Command>(program, raw, environment)
}

/// Has a resident process answer, or answers here and starts one.
#[cfg(unix)]
fn quickly(
    program: Program,
    raw: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    asked: &Asked,
) -> ExitCode {
    if let Some(answer) = asked.hand_over(|| asked.luggage()) {
        // A reader who closed the pipe has seen enough.
        let mut stdout = io::stdout().lock();
        let _ = stdout.write_all(&answer.out).and_then(|()| stdout.flush());
        let _ = io::stderr().write_all(&answer.err);
        return ExitCode::from(answer.code);
    }
    let code = program::run::<Command>(program, raw, environment);
    asked.leave_one();
    code
}
