//! Arguments of the commands about whole memories: `memory`, `policy`, `config`, `erase`.

use clap::{ArgGroup, Args, Subcommand};

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
#[command(after_help = "Ends with 3 when all is erased and bytes of it could not be wiped.")]
#[command(group = ArgGroup::new("what"))]
pub(crate) struct EraseArgs {
    /// Erase all of the learner: every scope, its lessons, runs and errors
    #[arg(long, group = "what")]
    pub(crate) all_scopes: bool,
    /// Erase one run, with its steps, errors and uses of lessons
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) run: Option<String>,
    /// Erase one error, with the step that it is about
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) error: Option<String>,
    /// Erase one lesson, with its sources, uses, decisions and reviews
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) lesson: Option<String>,
    /// Show the receipts of earlier erases; with --learner those of one learner
    #[arg(long, group = "what")]
    pub(crate) receipts: bool,
    /// Wipe what an earlier erase could not
    #[arg(long, group = "what")]
    pub(crate) wipe: bool,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}
