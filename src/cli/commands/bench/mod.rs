//! Command `bench`: measures, and puts ours, the peer's and the goal side by side.
//!
//! A goal that is missed is a result and no error: the report says so and the exit code stays 0.

mod page;
mod pictures;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::bench::BenchCommand;
use crate::cli::output::Outcome;
use crate::cli::session::Session;
use crate::eval::merges::{merges, pairs};
use crate::eval::retrieval::{RetrievalOptions, retrieval};
use crate::eval::{EvalError, Report};

/// Measures what was asked for.
pub(crate) async fn run(session: &Session, command: BenchCommand) -> CommandResult {
    let (report, svg) = match command {
        BenchCommand::Retrieval(args) => {
            let choices = args.pictures.svg.is_some();
            let report = retrieval(&args.data, RetrievalOptions { choices }, &say)?;
            (report, args.pictures.svg)
        }
        BenchCommand::Merges(args) => {
            let pairs = pairs(args.data.as_deref())?;
            (merges(&pairs)?, args.pictures.svg)
        }
    };
    if let Some(folder) = svg {
        pictures::write(&report, &folder)?;
    }
    show(session, &report)
}

fn show(session: &Session, report: &Report) -> CommandResult {
    session
        .output
        .show(report, |page| page::write(page, report))?;
    Ok(Outcome::Done)
}

/// Says what is being measured, for whoever watches.
fn say(what: &str) {
    tracing::info!(bench = what);
}

impl From<EvalError> for Problem {
    fn from(error: EvalError) -> Self {
        Self::new("cannot_measure", error.message).with_hint(error.hint)
    }
}
