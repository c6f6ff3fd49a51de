//! Arguments of the `migrate` command.

use clap::{Args, Subcommand, ValueEnum};

/// Arguments of `migrate`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MigrateArgs {
    /// Action; `status` by default
    #[command(subcommand)]
    pub(crate) what: Option<MigrateCommand>,
    /// Store to copy from
    #[arg(long, value_name = "STORE", requires = "to")]
    pub(crate) from: Option<String>,
    /// Store to copy to; created if missing
    #[arg(long, value_name = "STORE", requires = "from")]
    pub(crate) to: Option<String>,
    /// Copy the memories of all learners of the tenant
    #[arg(long, requires = "from")]
    pub(crate) all_learners: bool,
    /// Treatment of memories and lessons that the other store has already, in another state
    #[arg(long, value_enum, default_value_t = Existing::Refuse, value_name = "HOW", requires = "from")]
    pub(crate) existing: Existing,
}

/// Treatment of memories and lessons that the other store has already, in another state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Existing {
    /// Copy the rest, and end with an error
    Refuse,
    /// Leave it as it is there
    Skip,
    /// Import the bullets of the memory there; lessons stay as they are there
    Merge,
}

/// The action on the schema.
#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Show applied and pending migrations
    Status,
    /// Apply pending migrations, and bring all memories to the newest rules
    Apply,
}
