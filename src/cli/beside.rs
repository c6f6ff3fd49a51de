//! Programs that are built beside this one and carry out a command of their own, as `git` and `cargo` do it.
//!
//! What measures and what experiments is no part of what a user installs; its commands are still found under
//! the name of the product.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::output::{CommandResult, Outcome};
use super::session::Session;
use crate::api::problem::Problem;

/// Settings that an option of every command sets, and that option.
const SETTINGS: [(&str, &str); 5] = [
    ("store", "--store"),
    ("tenant", "--tenant"),
    ("learner", "--learner"),
    ("scope", "--scope"),
    ("author", "--author"),
];

/// Runs the program of this name with the options of every command that were typed, and with `arguments`.
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

/// Gives this process to the program, so that signals and its exit code need nobody in between.
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

/// The file of a program: in the folder of this one.
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
