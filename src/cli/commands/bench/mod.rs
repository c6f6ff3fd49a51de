//! Command `bench`: measures, and puts ours, the peer's and the goal side by side.
//!
//! A goal that is missed is a result and no error: the report says so and the exit code stays 0.

pub(super) mod page;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::bench::BenchCommand;
use crate::cli::output::Outcome;
use crate::cli::session::Session;
use crate::eval::{EvalError, Report};

/// Measures what was asked for.
pub(crate) async fn run(session: &Session, command: BenchCommand) -> CommandResult {
    let report = match command {};
    session
        .output
        .show(&report, |page| page::write(page, &report))?;
    Ok(Outcome::Done)
}

impl From<EvalError> for Problem {
    fn from(error: EvalError) -> Self {
        Self::new("cannot_measure", error.message).with_hint(error.hint)
    }
}
