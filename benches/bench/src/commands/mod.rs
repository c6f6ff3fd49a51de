//! Command `bench`: measures, and puts ours, the peer's and the goal side by side.
//!
//! A missed goal is a result and no error: the report lists it and the exit code stays 0.

mod lessons;
mod neo4j;
pub mod page;
mod pictures;
mod places;

use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::time::Duration;

use crate::args::{BenchCommand, MemoryBenchArgs, PeerOptions};
use crate::cheatsheets::cheatsheets;
use crate::facts::facts;
use crate::fingerprints::fingerprints;
use crate::http::http;
use crate::memory::{MemoryOptions, memory, opening};
use crate::merges::{merges, pairs};
use crate::processes::{ProcessesPlan, processes};
use crate::retrieval::{RetrievalOptions, retrieval};
use crate::stream::stream;
use crate::{EvalError, Peers, Report};
use hindlore_api::problem::Problem;
use hindlore_cli::program::CommandResult;
use hindlore_cli::program::TempStore;
use hindlore_cli::program::{Commands, Running, Session};
use hindlore_cli::program::{Outcome, Tone};

impl Commands for BenchCommand {
    fn only_looks(&self) -> bool {
        true
    }

    fn run(self, session: &Session) -> Running<'_> {
        Box::pin(run(session, self))
    }
}

/// Runs the chosen benchmark.
pub(crate) async fn run(session: &Session, command: BenchCommand) -> CommandResult {
    if let Some(folder) = pictures_of(&command) {
        pictures::prepare(folder)?;
    }
    let (report, svg) = match command {
        BenchCommand::Retrieval(args) => {
            let choices = args.pictures.svg.is_some();
            let beam = args.beam.clone();
            let peers = Some(args.peers.peers());
            let options = RetrievalOptions {
                beam,
                choices,
                peers,
            };
            let report = retrieval(&args.data, options, &say)?;
            (report, args.pictures.svg)
        }
        BenchCommand::Merges(args) => {
            let pairs = pairs(args.data.as_deref())?;
            (merges(&pairs)?, args.pictures.svg)
        }
        BenchCommand::Facts(args) => (facts(&args.data, &say)?, None),
        BenchCommand::Fingerprints(args) => {
            let peers = args.peers.peers();
            (fingerprints(&args.data, &peers, &say)?, None)
        }
        BenchCommand::Stream(args) => (stream(&args.data, &say)?, args.pictures.svg),
        BenchCommand::Cheatsheets(args) => (cheatsheets(&args.data, &say)?, args.pictures.svg),
        BenchCommand::Memory(args) => (measure_memory(&args).await?, args.pictures.svg),
        BenchCommand::Neo4j(args) => (neo4j::measure(session, args).await?, None),
        BenchCommand::Lessons(args) => (lessons::measure(session, &args).await?, None),
        BenchCommand::Http(args) => {
            let temp = TempStore::new()?;
            let size = usize::try_from(args.size).unwrap_or(usize::MAX);
            (http(temp.folder(), size, args.calls, &say).await?, None)
        }
        BenchCommand::Processes(args) => {
            let plan = ProcessesPlan {
                sizes: args.sizes,
                lessons: args.lessons,
                calls: args.calls,
            };
            let temp = TempStore::new()?;
            (processes(temp.folder(), &plan, &say).await?, None)
        }
        BenchCommand::Places(args) => (places::measure(args).await?, None),
        BenchCommand::Opening(args) => {
            let figures = opening(&args.file).await?;
            session.output.show(&figures, |page| {
                page.line(Tone::Plain, format_args!("{figures}"));
            })?;
            return Ok(Outcome::Done);
        }
    };
    if let Some(folder) = svg {
        pictures::write(&report, &folder)?;
    }
    show(session, &report)
}

/// The folder for pictures, where some were asked for.
fn pictures_of(command: &BenchCommand) -> Option<&Path> {
    let pictures = match command {
        BenchCommand::Retrieval(args) => &args.pictures,
        BenchCommand::Merges(args) => &args.pictures,
        BenchCommand::Stream(args) => &args.pictures,
        BenchCommand::Cheatsheets(args) => &args.pictures,
        BenchCommand::Memory(args) => &args.pictures,
        BenchCommand::Facts(_)
        | BenchCommand::Fingerprints(_)
        | BenchCommand::Neo4j(_)
        | BenchCommand::Lessons(_)
        | BenchCommand::Http(_)
        | BenchCommand::Processes(_)
        | BenchCommand::Places(_)
        | BenchCommand::Opening(_) => return None,
    };
    pictures.svg.as_deref()
}

async fn measure_memory(args: &MemoryBenchArgs) -> Result<Report, Problem> {
    let temp = TempStore::new()?;
    let sizes = args
        .sizes
        .iter()
        .map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
    let options = MemoryOptions {
        sizes: sizes.collect(),
        quick: args.quick,
        full: args.full,
        peers: args.peers.peers(),
    };
    Ok(memory(temp.folder(), &options, &say).await?)
}

impl PeerOptions {
    fn peers(&self) -> Peers {
        Peers::new(&self.peers, Duration::from_secs(self.peer_limit))
    }
}

fn show(session: &Session, report: &Report) -> CommandResult {
    session
        .output
        .show(report, |page| page::write(page, report))?;
    Ok(Outcome::Done)
}

/// Prints progress on stderr, if it is a terminal.
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
