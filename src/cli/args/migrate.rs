//! Arguments of the `migrate` command.

use clap::Args;

/// Arguments of `migrate`.
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {}
