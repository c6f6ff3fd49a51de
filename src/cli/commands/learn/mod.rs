//! Command `learn`: from a file of traces, or around a command.

mod child;
mod command;
mod file;
mod hint;
mod line;

use super::CommandResult;
use crate::cli::args::lessons::LearnArgs;
use crate::cli::session::Session;

/// Learns.
pub(crate) async fn run(session: &Session, args: LearnArgs) -> CommandResult {
    match &args.file {
        Some(file) => file::run(session, file, &args).await,
        None => command::run(session, &args).await,
    }
}
