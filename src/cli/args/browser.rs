//! Arguments of the `browser` command.

use clap::Args;

/// Arguments of `browser`.
#[derive(Debug, Args)]
pub(crate) struct BrowserArgs {
    /// Port to serve on; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 7480)]
    pub(crate) port: u16,
}
