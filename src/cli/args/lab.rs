//! Arguments of the `lab` commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `lab`: a command, or a tool for the whole experiment.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(crate) struct LabArgs {
    /// What to do; the experiment over seeds without it
    #[command(subcommand)]
    pub(crate) command: Option<LabCommand>,
    /// The experiment over seeds, as `lab stability` runs it
    #[command(flatten)]
    pub(crate) stability: LabStabilityArgs,
}

/// What the laboratory does.
#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// Run the protocol once and show every run of every arm
    Run(LabRunArgs),
    /// Repeat the protocol over seeds and say what the memory brings
    Stability(LabStabilityArgs),
    /// Write a folder with a tool that nobody has seen, drawn from a seed
    NewTool(LabNewToolArgs),
}

/// Arguments of `lab run`.
#[derive(Debug, Args)]
pub(crate) struct LabRunArgs {
    /// Folder of a tool; the tools that come with the program without it
    #[arg(long, value_name = "DIR")]
    pub(crate) tool: Option<PathBuf>,
    /// Seed of all that is chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = super::whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
}

/// Arguments of `lab stability`.
#[derive(Debug, Args)]
pub(crate) struct LabStabilityArgs {
    /// Folder of a tool; the tools that come with the program without it
    #[arg(long, value_name = "DIR")]
    pub(crate) tool: Option<PathBuf>,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = super::whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = super::whole::<u64>(2..=10_000))]
    pub(crate) seeds: u64,
    /// Folder for the Markdown report and the plots
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
}

/// Arguments of `lab new-tool`.
#[derive(Debug, Args)]
pub(crate) struct LabNewToolArgs {
    /// Seed of the tool
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = super::whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Folder to write; it must not exist, or be empty
    pub(crate) dir: PathBuf,
}
