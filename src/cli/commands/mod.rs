//! The commands: one file each, and the one place where a command finds its file.

mod analyze;
mod compare;
mod delta_apply;
mod demo;
mod digest;
mod doctor;
mod migrate;

use super::args::Command;
use super::args::delta::DeltaCommand;
use super::output::Outcome;
use super::session::Session;
use crate::api::problem::Problem;

/// How a command ended, or why it could not be carried out.
pub(crate) type CommandResult = Result<Outcome, Problem>;

/// Carries a command out.
pub(super) async fn run(session: &Session, command: Command) -> CommandResult {
    match command {
        Command::Demo(args) => demo::run(session, args).await,
        Command::Delta(DeltaCommand::Apply(args)) => delta_apply::run(session, args).await,
        Command::Delta(_) => Err(Problem::new("not_built_yet", "not built yet")),
        Command::Digest => digest::run(session).await,
        Command::Analyze(args) => analyze::run(session, args).await,
        Command::Compare(args) => compare::run(session, args).await,
        Command::Migrate(args) => migrate::run(session, args).await,
        Command::Doctor(args) => doctor::run(session, args).await,
    }
}
