//! Arguments of the `demo` command.

use clap::Args;

/// Arguments of `demo`.
#[derive(Debug, Args)]
#[command(after_help = "Without --store everything happens in a folder that is gone afterwards.")]
pub(crate) struct DemoArgs {
    /// Show scores, feedback, undo and history as well
    #[arg(long)]
    pub(crate) full: bool,
}
