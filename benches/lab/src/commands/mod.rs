//! The commands of the laboratory: the protocol once, the experiment over seeds, a generated tool.
//!
//! A goal that is missed is a result and no error, as in `bench`, whose rows these reports have.

mod new_tool;
mod run;
mod stability;

use std::path::Path;

use crate::args::LabCommand;
use crate::error::LabError;
use crate::tool::Tool;
use hindlore_api::problem::Problem;
use hindlore_cli::program::{CommandResult, Commands, Running, Session};

impl Commands for LabCommand {
    fn only_looks(&self) -> bool {
        true
    }

    fn run(self, session: &Session) -> Running<'_> {
        Box::pin(run(session, self))
    }
}

/// Runs the chosen command.
pub(crate) async fn run(session: &Session, command: LabCommand) -> CommandResult {
    match command {
        LabCommand::Run(args) => run::run(session, args).await,
        LabCommand::Stability(args) => stability::run(session, args).await,
        LabCommand::NewTool(args) => new_tool::run(session, &args),
    }
}

impl From<LabError> for Problem {
    fn from(error: LabError) -> Self {
        Self::new("invalid_tool", error.message).with_hint(error.hint)
    }
}

fn tool(folder: Option<&Path>) -> Result<Option<Tool>, Problem> {
    Ok(folder.map(Tool::read).transpose()?)
}

/// Work that keeps a thread busy runs on one of its own.
async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Problem::new(
            "internal_error",
            "the experiment ended before it had a result",
        ))
    })
}
