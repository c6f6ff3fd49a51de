//! Arguments of the `bench` commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What is measured.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {}

/// Where peers are found.
#[derive(Debug, Args)]
pub(crate) struct PeerOptions {
    /// Folder with the scripts that run the peers
    #[arg(long, value_name = "DIR", default_value = "benches/peers")]
    pub(crate) peers: PathBuf,
    /// Longest time that one request to a peer may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 600)]
    pub(crate) peer_limit: u64,
}
