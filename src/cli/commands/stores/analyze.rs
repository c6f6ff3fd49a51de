//! Command `analyze`: contents of a memory, their use, and decisions for a person.
//!
//! It leaves no trace: nothing here ticks, touches, or records.

mod export;
mod html;
mod interactive;
mod search;
mod summary;

use crate::args::analyze::{AnalyzeArgs, AnalyzeCommand};
use crate::commands::CommandResult;
use crate::session::Session;

/// Analyzes a memory.
pub(crate) async fn run(session: &Session, args: AnalyzeArgs) -> CommandResult {
    match args.what.unwrap_or(AnalyzeCommand::Summary) {
        AnalyzeCommand::Summary => summary::run(session).await,
        AnalyzeCommand::Search(args) => search::run(session, args).await,
        AnalyzeCommand::Export(args) => export::run(session, args).await,
        AnalyzeCommand::Html(args) => html::run(session, args).await,
        AnalyzeCommand::Interactive => interactive::run(session).await,
    }
}
