//! Arguments of the commands about whole memories: `memory`, `policy`, `config`, `erase`.

use clap::{Args, Subcommand};

/// What to do with memories.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List the memories of the tenant, or with --learner those of one learner
    List,
    /// Archive all bullets of a memory, by one delta that can be undone
    Clear(ClearArgs),
}

/// Arguments of `memory clear`.
#[derive(Debug, Args)]
pub(crate) struct ClearArgs {
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}

/// What to do with policies.
#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Show the policy of a memory
    Show,
    /// Change fields of it, by one delta that can be undone
    Set(SetArgs),
}

/// Arguments of `policy set`.
#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// Fields and their values, as JSON or as bare words: floor=0.2 rates.episodic=0.1 max_bullets=null
    #[arg(required = true, value_name = "FIELD=VALUE")]
    pub(crate) fields: Vec<String>,
}

/// What to do with settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show all settings and where each came from
    Show,
}

/// Arguments of `erase`.
#[derive(Debug, Args)]
pub(crate) struct EraseArgs {
    /// Erase all scopes of the learner, not one
    #[arg(long)]
    pub(crate) all_scopes: bool,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}
