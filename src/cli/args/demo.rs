//! Arguments of the `demo` command.

use clap::Args;

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {}
