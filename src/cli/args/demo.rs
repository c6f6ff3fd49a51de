//! Arguments of the `demo` command.

use clap::Args;

/// Arguments of `demo`.
///
/// Without --store everything happens in a folder that is gone afterwards.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {}
