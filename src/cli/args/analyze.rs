//! Arguments of the `analyze` command.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// What to look at; the summary when nothing is named
    #[command(subcommand)]
    pub(crate) what: Option<AnalyzeCommand>,
}

/// What to look at.
#[derive(Debug, Subcommand)]
pub(crate) enum AnalyzeCommand {
    /// Counts, strongest and fading bullets, votes, use, growth
    Summary,
    /// Find bullets of every status that contain all the words
    Search(SearchArgs),
    /// Write a report for people to a file, or to stdout
    Export(ExportArgs),
    /// Look around by typing commands
    Interactive,
}

/// Arguments of `analyze search`.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Words or parts of words
    #[arg(value_name = "WORD", required = true)]
    pub(crate) words: Vec<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}

/// Arguments of `analyze export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// File to write; stdout when there is none
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Write over a file that is there without asking
    #[arg(long)]
    pub(crate) yes: bool,
}
