//! Arguments of the `browser` command.

use clap::Args;

/// Arguments of `browser`.
#[derive(Debug, Args)]
pub(crate) struct BrowserArgs {
    /// Port to serve on; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 7480)]
    pub(crate) port: u16,
}
