//! Command `bench`: measures, and puts ours, the peer's and the goal side by side.
//!
//! A goal that is missed is a result and no error: the report says so and the exit code stays 0.

mod neo4j;
pub(super) mod page;

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::bench::{BenchCommand, PeerOptions};
use crate::cli::output::Outcome;
use crate::cli::session::Session;
use crate::eval::{EvalError, Peers};

/// Measures what was asked for.
pub(crate) async fn run(session: &Session, command: BenchCommand) -> CommandResult {
    let report = match command {
        BenchCommand::Neo4j(args) => neo4j::measure(session, args).await?,
    };
    session
        .output
        .show(&report, |page| page::write(page, &report))?;
    Ok(Outcome::Done)
}

#[cfg_attr(
    not(feature = "neo4j"),
    allow(dead_code, reason = "what needs a server is left out")
)]
impl PeerOptions {
    fn peers(&self) -> Peers {
        Peers::new(&self.peers, Duration::from_secs(self.peer_limit))
    }
}

/// Says on stderr what is going on, where somebody watches.
#[cfg_attr(
    not(feature = "neo4j"),
    allow(dead_code, reason = "what needs a server is left out")
)]
fn say(what: &str) {
    if stderr().is_terminal() {
        eprintln!("bench: {what}");
    }
}

impl From<EvalError> for Problem {
    fn from(error: EvalError) -> Self {
        Self::new("cannot_measure", error.message).with_hint(error.hint)
    }
}
