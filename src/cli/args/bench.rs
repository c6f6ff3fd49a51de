//! Arguments of the `bench` commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What is measured.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// A Neo4j beside its own floor and beside other memories in the same server
    Neo4j(Neo4jBenchArgs),
}

/// What is measured on a Neo4j. The server is named by --store.
#[derive(Debug, Args)]
#[cfg_attr(
    not(feature = "neo4j"),
    allow(dead_code, reason = "what needs a server is left out")
)]
pub(crate) struct Neo4jBenchArgs {
    /// Bullets of the memories that are measured
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) items: Vec<u64>,
    /// A first impression: one size, few calls
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) peers: PeerOptions,
}

/// Where peers are found.
#[derive(Debug, Args)]
#[cfg_attr(
    not(feature = "neo4j"),
    allow(dead_code, reason = "what needs a server is left out")
)]
pub(crate) struct PeerOptions {
    /// Folder with the scripts that run the peers
    #[arg(long, value_name = "DIR", default_value = "benches/peers")]
    pub(crate) peers: PathBuf,
    /// Longest time that one request to a peer may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 600)]
    pub(crate) peer_limit: u64,
}
