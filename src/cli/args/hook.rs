//! Arguments of `hook`.

use std::path::PathBuf;

use clap::Args;

/// Answer an event of a coding agent, which is read as JSON from stdin
///
/// `install` adds it to the settings of the agent. It never blocks or breaks the agent: on every failure it prints
/// nothing and exits with 0, and `doctor agents` shows the reason.
#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The event, such as SessionStart; by default the one that the JSON names
    pub(crate) event: Option<String>,
    /// Milliseconds until it gives up
    #[arg(long, value_name = "MS", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub(crate) timeout_ms: u64,
    /// The recorded part of the event, for a resident process
    #[arg(long, hide = true)]
    pub(crate) kept: Option<PathBuf>,
}
