//! Arguments of `backup` and `restore`.

use clap::Args;

/// Arguments of `backup`.
#[derive(Debug, Args)]
#[command(
    after_help = "It may run while others write: each memory, and the lessons and records of each learner, are copied at one \
    moment. The file is a store of its own: `--store FILE` looks into it."
)]
pub(crate) struct BackupArgs {
    /// The file to write; made if missing
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
#[command(
    after_help = "The store may be a file or a server. A memory or learner that the store has in another state stays as it \
    is there, and the answer names it."
)]
pub(crate) struct RestoreArgs {
    /// The file of a backup
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
}
