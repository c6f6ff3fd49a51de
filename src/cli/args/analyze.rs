//! Arguments of the `analyze` command.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// View to show; a summary by default
    #[command(subcommand)]
    pub(crate) what: Option<AnalyzeCommand>,
}

/// The view to show.
#[derive(Debug, Subcommand)]
pub(crate) enum AnalyzeCommand {
    /// Counts, strongest and fading bullets, votes, usage, growth
    Summary,
    /// Find bullets of any status that contain all words
    Search(SearchArgs),
    /// Write a readable report to a file or stdout
    Export(ExportArgs),
    /// Write one HTML page to look at: strength, growth, conflicts, families, all bullets
    Html(HtmlArgs),
    /// Explore by typing commands
    Interactive,
}

/// Arguments of `analyze search`.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Words or parts of words
    #[arg(value_name = "WORD", required = true)]
    pub(crate) words: Vec<String>,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}

/// Arguments of `analyze export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// File to write; stdout by default
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Overwrite an existing file without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Arguments of `analyze html`.
#[derive(Debug, Args)]
pub(crate) struct HtmlArgs {
    /// File to write; stdout by default
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Overwrite an existing file without asking
    #[arg(long)]
    pub(crate) yes: bool,
}
