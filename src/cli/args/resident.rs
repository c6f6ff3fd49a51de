//! Arguments of `resident`.

use std::path::PathBuf;

use clap::Args;

/// Show or stop the processes that keep large memories loaded between calls
///
/// The first `retrieve`, `lessons retrieve` or `hook` over a file of at least `resident.above_bytes` (4,000,000) starts
/// one, so that the next ones need not load the memory again. It ends after `resident.idle_seconds` (600) without a
/// call. HINDLORE_RESIDENT=off, or `resident = false` in the settings, forbids it.
#[derive(Debug, Args)]
pub(crate) struct ResidentArgs {
    /// Ask them to end
    #[arg(long)]
    pub(crate) stop: bool,
    /// Be one, at this socket
    #[arg(long, value_name = "SOCKET", hide = true, conflicts_with = "stop")]
    pub(crate) serve: Option<PathBuf>,
}
