//! Arguments of the `migrate` command.

use clap::{Args, Subcommand};

/// Arguments of `migrate`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MigrateArgs {
    /// What to do; the status of the schema when nothing is named
    #[command(subcommand)]
    pub(crate) what: Option<MigrateCommand>,
    /// Store to copy from
    #[arg(long, value_name = "STORE", requires = "to")]
    pub(crate) from: Option<String>,
    /// Store to copy to; made where there is none
    #[arg(long, value_name = "STORE", requires = "from")]
    pub(crate) to: Option<String>,
    /// Copy the memories of all learners of the tenant, whoever is configured
    #[arg(long, requires = "from")]
    pub(crate) all_learners: bool,
}

/// What to do with the schema.
#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Tell which migrations were applied, and which memories follow older rules
    Status,
    /// Apply what is not applied yet, and bring all memories to the newest rules
    Apply,
}
