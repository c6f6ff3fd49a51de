//! Arguments of the `compare` command.

use clap::Args;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {}
