//! Arguments of the `compare` command.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "FILE is JSON Lines, one step a line: {\"delta\": {...}}, {\"message\": {\"role\": \"...\", \
    \"content\": \"...\"}} or {\"retrieve\": {\"query\": \"...\", \"top_k\": 5, \"right\": [\"...\"]}}, where `right` has the texts \
    that help. {\"pair\": {\"a\": \"...\", \"b\": \"...\", \"is\": \"same\"}} judges two texts at the end: same, different or \
    opposite. Without FILE a built-in trace is used: test data of this project."
)]
pub(crate) struct CompareArgs {
    /// Trace to replay through each memory; `-` reads stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Messages the transcript keeps
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) last: usize,
    /// Bullets that each memory with bullets keeps; by default their own limits
    #[arg(long, value_name = "N", value_parser = super::whole::<u64>(1..=u64::MAX))]
    pub(crate) max_bullets: Option<u64>,
    /// Let the configured model answer each query with the texts of each memory
    #[arg(long)]
    pub(crate) answers: bool,
    /// Write the comparison as one HTML page, with the answers side by side
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}
