//! Arguments of `clbench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Offering;

/// Arguments of `clbench`.
#[derive(Debug, Args)]
pub(crate) struct ClbenchArgs {
    #[command(subcommand)]
    pub(crate) pass: ClbenchCommand,
}

/// A pass over the rows.
#[derive(Debug, Subcommand)]
pub(crate) enum ClbenchCommand {
    /// Answer each task, contexts one after another, and learn between the tasks of one
    Infer(InferArgs),
    /// Judge each answer by its requirements
    Grade(PassArgs),
    /// Explain each requirement that is not met
    Errors(PassArgs),
    /// Show shares of solved tasks and of kinds of errors, with the published ones
    Report(ReportArgs),
}

/// Arguments of a pass.
#[derive(Debug, Args)]
pub(crate) struct PassArgs {
    /// Rows, one JSON object a line
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where the rows go; rows that are there and did not fail are kept
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Arguments of `clbench infer`.
#[derive(Debug, Args)]
pub(crate) struct InferArgs {
    #[command(flatten)]
    pub(crate) pass: PassArgs,
    /// Only the first N contexts, with all of their tasks
    #[arg(long, value_name = "N")]
    pub(crate) contexts: Option<usize>,
    /// Read no memory and learn nothing: the control, which sends the messages of a task as they are
    #[arg(long)]
    pub(crate) without_memory: bool,
    /// Way of working: cot, tot or react; by default the question of a task decides, and cot in the control
    #[arg(long, value_name = "MODE", value_parser = Offering(&["cot", "tot", "react"]))]
    pub(crate) mode: Option<String>,
    /// Work as the published method did: relevance weighs 0.55 and strength 0.25, general advice ranks like any bullet, a
    /// memory has at most 100 bullets, and they go into the prompt after the context
    #[arg(long, conflicts_with = "without_memory")]
    pub(crate) published: bool,
    /// Graded rows of an earlier pass, whose requirements with their status go to the Reflector
    #[arg(long, value_name = "FILE")]
    pub(crate) informed_by: Option<PathBuf>,
}

/// Arguments of `clbench report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Graded rows
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Graded rows of a run without memory
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}
