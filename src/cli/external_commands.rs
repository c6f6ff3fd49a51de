//! Runs commands that are separate programs in the same folder, as `git` and `cargo` do.
//!
//! Benchmarks and experiments are not part of an installation, but their commands are found under the name of
//! the product.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::output::{CommandResult, Outcome};
use super::session::Session;
use hindlore_api::problem::Problem;

/// Environment variables of the common options, and the options.
const SETTINGS: [(&str, &str); 5] = [
    ("store", "--store"),
    ("tenant", "--tenant"),
    ("learner", "--learner"),
    ("scope", "--scope"),
    ("author", "--author"),
];

/// Runs a program with the common options that were typed, and with `arguments`.
pub(crate) fn run(session: &Session, program: &str, arguments: &[OsString]) -> CommandResult {
    let path = path_of(program);
    let mut command = Command::new(&path);
    for (name, option) in SETTINGS
        .iter()
        .filter(|(name, _)| session.settings.is_flag(name))
    {
        command.arg(format!("{option}={}", session.settings.text_or_empty(name)));
    }
    command.args(session.output.options()).args(arguments);
    replace_by(&mut command).map_err(|error| not_run(program, &path, &error))
}

/// Replaces this process by the program, so that signals and exit code need no forwarding.
#[cfg(unix)]
fn replace_by(command: &mut Command) -> io::Result<Outcome> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn replace_by(command: &mut Command) -> io::Result<Outcome> {
    let code = command.status()?.code();
    Ok(Outcome::Exit(
        code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2),
    ))
}

/// Path of a program: next to this one.
fn path_of(program: &str) -> PathBuf {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let this = env::current_exe().ok();
    let folder = this
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or_else(|| Path::new(""));
    folder.join(name)
}

fn not_run(program: &str, path: &Path, error: &io::Error) -> Problem {
    if error.kind() == io::ErrorKind::NotFound {
        let message = format!("`{program}` is not built: there is no `{}`", path.display());
        return Problem::new("not_built", message).with_hint(format!(
            "in the sources of this program: cargo build --release -p {program}"
        ));
    }
    let message = format!("`{}` cannot be run: {error}", path.display());
    Problem::new("cannot_run", message).with_hint("see whether you may run it, or build it again")
}
