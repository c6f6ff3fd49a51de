//! Arguments of the `delta` commands.

use clap::{Args, Subcommand};

/// What to do with deltas.
#[derive(Debug, Subcommand)]
pub(crate) enum DeltaCommand {
    /// Apply a delta, all of it or nothing, exactly once
    Apply(ApplyArgs),
    /// Take back what a delta did, by another delta
    Undo(UndoArgs),
    /// List the deltas of a memory, newest first
    Log(LogArgs),
}

/// Arguments of `delta apply`.
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// Id of the delta: sent again with the same id, it is applied once
    #[arg(long, value_name = "D")]
    pub(crate) id: Option<String>,
    /// Apply only when the memory is at this revision
    #[arg(long, value_name = "N")]
    #[arg(value_parser = super::whole::<u64>(0..=u64::MAX))]
    pub(crate) expect_revision: Option<u64>,
    /// Apply what can be applied, and report the rest
    #[arg(long)]
    pub(crate) lenient: bool,
    /// File with the delta as JSON; `-` reads stdin
    #[arg(value_name = "FILE|-")]
    pub(crate) file: std::path::PathBuf,
}

/// Arguments of `delta undo`.
#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// Id of the delta to take back
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Restore also where later deltas stand on it
    #[arg(long)]
    pub(crate) force: bool,
}

/// Arguments of `delta log`.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
}
