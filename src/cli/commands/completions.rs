//! Commands `completions` and `man`: a completion script for a shell, and the manual page.

use super::{CommandResult, whole};

use crate::args::files::CompletionsArgs;
use crate::output::Outcome;
use crate::session::Session;
use hindlore_api::problem::Problem;

/// Prints the script.
pub(crate) fn run(session: &Session, args: &CompletionsArgs) -> CommandResult {
    let mut command = whole();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hindlore", &mut script);
    session.output.raw(&script)?;
    Ok(Outcome::Done)
}

/// Prints the manual page: the program, its commands, and the options of every command.
pub(crate) fn manual(session: &Session) -> CommandResult {
    let mut page = Vec::new();
    clap_mangen::Man::new(whole())
        .render(&mut page)
        .map_err(|error| Problem::new("internal_error", error.to_string()))?;
    session.output.raw(&page)?;
    Ok(Outcome::Done)
}
