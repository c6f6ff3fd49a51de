//! Command `completions`: a completion script for a shell.

use super::{Command, CommandResult};

use crate::cli::args::files::CompletionsArgs;
use crate::cli::args::{PROGRAM, command_of};
use crate::cli::output::Outcome;
use crate::cli::session::Session;

/// Prints the script.
pub(crate) fn run(session: &Session, args: &CompletionsArgs) -> CommandResult {
    let mut command = command_of::<Command>(PROGRAM);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hindlore", &mut script);
    session.output.raw(&script)?;
    Ok(Outcome::Done)
}
