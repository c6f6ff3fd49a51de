//! Command `completions`: a completion script for a shell.

use super::{Command, CommandResult};

use crate::args::files::CompletionsArgs;
use crate::args::{PROGRAM, command_of};
use crate::output::Outcome;
use crate::session::Session;

/// Prints the script.
pub(crate) fn run(session: &Session, args: &CompletionsArgs) -> CommandResult {
    let mut command = command_of::<Command>(PROGRAM);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hindlore", &mut script);
    session.output.raw(&script)?;
    Ok(Outcome::Done)
}
