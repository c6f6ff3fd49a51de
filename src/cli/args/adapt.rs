//! Arguments of `adapt`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `adapt`.
#[derive(Debug, Args)]
pub(crate) struct AdaptArgs {
    #[command(subcommand)]
    pub(crate) how: AdaptCommand,
}

/// How samples are gone through.
#[derive(Debug, Subcommand)]
pub(crate) enum AdaptCommand {
    /// Go through samples several times, in an order that a seed decides
    Offline(OfflineArgs),
    /// Go through samples once, in their order
    Online(SamplesArgs),
}

/// Arguments of both.
#[derive(Debug, Args)]
pub(crate) struct SamplesArgs {
    /// Samples, one JSON object a line: `question`, and any of `id`, `context` and `ground_truth`; `-` reads stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Judge answers with this command: it gets `{sample, answer}` on stdin and prints `{correct, feedback,
    /// ground_truth}`; by default an answer that equals `ground_truth` is right
    #[arg(long, value_name = "COMMAND")]
    pub(crate) judge: Option<String>,
    /// Keep the state in this file after each step; if it exists, resume from it
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Read no memory and learn nothing: the control
    #[arg(long)]
    pub(crate) without_memory: bool,
}

/// Arguments of `adapt offline`.
#[derive(Debug, Args)]
pub(crate) struct OfflineArgs {
    #[command(flatten)]
    pub(crate) samples: SamplesArgs,
    /// How often to go through the samples
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) epochs: u32,
    /// Order of the samples in each epoch; 0 keeps that of the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}
