//! Command `clbench`: infer, grade, label errors, report. Each pass writes one row after another and resumes where it
//! stopped.

mod infer;
mod pass;
mod passes;
mod report;

use crate::args::clbench::{ClbenchArgs, ClbenchCommand};
use crate::commands::CommandResult;
use crate::session::Session;

/// Runs a pass.
pub(crate) async fn run(session: &Session, args: ClbenchArgs) -> CommandResult {
    match args.pass {
        ClbenchCommand::Infer(args) => infer::run(session, args).await,
        ClbenchCommand::Grade(args) => passes::grade(session, args).await,
        ClbenchCommand::Errors(args) => passes::errors(session, args).await,
        ClbenchCommand::Report(args) => report::run(session, &args).await,
    }
}
