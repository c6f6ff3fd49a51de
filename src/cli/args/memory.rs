//! Arguments of the commands about whole memories: `memory`, `policy`, `config`, `erase`.

use clap::{ArgGroup, Args, Subcommand};

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
