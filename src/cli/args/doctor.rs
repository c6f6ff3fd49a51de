//! Arguments of the `doctor` command.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Check to run; `check` by default
    #[command(subcommand)]
    pub(crate) what: Option<DoctorCommand>,
}

/// The check to run.
#[derive(Debug, Subcommand)]
pub(crate) enum DoctorCommand {
    /// Check the settings, the store, and all memories of the tenant
    Check,
    /// Compare a memory with a replay of its events, and list the differences
    Verify(VerifyArgs),
    /// List the coding agents with the memory, whether it answers them, recent failures, and bullets
    /// that one of them or the command line does not see
    Agents,
    /// Verify the hash chain of an audit log of `serve --audit`
    Audit(AuditArgs),
    /// Make manual edits part of the history
    Adopt(AdoptArgs),
    /// Count the data of a learner, with the bound of each kind and its growth
    Costs,
    /// Redraw relationships, names and links that were changed by hand; a dry run first
    Repair(RepairArgs),
}

/// Arguments of `doctor verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Verify all memories of the tenant, or of the given learner
    #[arg(long)]
    pub(crate) all: bool,
}

/// Arguments of `doctor audit`.
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The log
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A hash of an earlier look, which the log must still hold: so that a log cut off at its end is noticed
    #[arg(long, value_name = "HASH")]
    pub(crate) holds: Option<String>,
}

/// Arguments of `doctor repair`.
#[derive(Debug, Args)]
pub(crate) struct RepairArgs {
    /// Repair; without it, only list the repairs
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Arguments of `doctor adopt`.
#[derive(Debug, Args)]
pub(crate) struct AdoptArgs {
    /// Adopt without asking; `doctor verify` lists the differences first
    #[arg(long)]
    pub(crate) yes: bool,
    /// If the events cannot be replayed, start replays from the stored memory
    #[arg(long, requires = "reason")]
    pub(crate) rebase: bool,
    /// Why the stored memory is right; kept in the history
    #[arg(long, value_name = "WHY", requires = "rebase")]
    pub(crate) reason: Option<String>,
}
