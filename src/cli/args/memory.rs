//! Arguments of the commands for whole memories: `memory`, `policy`, `config`, `erase`.

use clap::{ArgGroup, Args, Subcommand};

/// The action on the settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show all settings and their sources
    Show,
    /// Set a value in the configuration file
    Set {
        /// Name, as `config show` lists it, such as hooks.before
        #[arg(value_name = "NAME")]
        name: String,
        /// Value: a number, true, false, or a text
        #[arg(value_name = "VALUE")]
        value: String,
    },
    /// Write the rules of lessons in force, as the file that the setting `lesson_rules` names
    LessonRules,
    /// Write the table of memory types and topics in force, as the file that the setting `rules` names
    TypeRules,
}

/// Arguments of `erase`.
#[derive(Debug, Args)]
#[command(after_help = "Ends with 3 when all is erased and bytes of it could not be wiped.")]
#[command(group = ArgGroup::new("what"))]
pub(crate) struct EraseArgs {
    /// Erase everything of the learner: all scopes, lessons, runs, and errors
    #[arg(long, group = "what")]
    pub(crate) all_scopes: bool,
    /// Erase one run, with its steps, errors, and uses of lessons
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) run: Option<String>,
    /// Erase one error, with its step
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) error: Option<String>,
    /// Erase one lesson, with its sources, uses, decisions, and reviews
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) lesson: Option<String>,
    /// Show receipts of earlier erases; with --learner, only those of one learner
    #[arg(long, group = "what")]
    pub(crate) receipts: bool,
    /// Wipe data that an earlier erase could not
    #[arg(long, group = "what")]
    pub(crate) wipe: bool,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}
