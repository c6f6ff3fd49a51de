//! Arguments of the `analyze` command.

use clap::Args;

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {}
