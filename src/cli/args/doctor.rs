//! Arguments of the `doctor` command.

use clap::{Args, Subcommand};

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// What to do; a check when nothing is named
    #[command(subcommand)]
    pub(crate) what: Option<DoctorCommand>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum DoctorCommand {
    /// Check the settings, the store, and every memory of the tenant
    Check,
    /// Compare a memory with a replay of its events, and name what differs
    Verify(VerifyArgs),
    /// Make what was changed by hand part of the history
    Adopt(AdoptArgs),
}

/// Arguments of `doctor verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Verify all memories of the tenant, or of the learner when one is named
    #[arg(long)]
    pub(crate) all: bool,
}

/// Arguments of `doctor adopt`.
#[derive(Debug, Args)]
pub(crate) struct AdoptArgs {
    /// Adopt without asking; the differences are listed first by `doctor verify`
    #[arg(long)]
    pub(crate) yes: bool,
    /// Where the events cannot be replayed, make the stored memory the state from which replays start
    #[arg(long, requires = "reason")]
    pub(crate) rebase: bool,
    /// Why the stored memory is taken for right; kept in the history
    #[arg(long, value_name = "WHY", requires = "rebase")]
    pub(crate) reason: Option<String>,
}
