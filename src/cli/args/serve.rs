//! Arguments of `serve`.

use clap::Args;

use crate::api::server::ToolProfile;

/// Serve the memory over HTTP, to programs on this machine or to holders of API keys
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; one that other machines reach needs --require-keys; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7171")]
    pub(crate) listen: String,
    /// Let in nobody without an API key (`key create` makes one), except to /healthz and /readyz
    #[arg(long)]
    pub(crate) require_keys: bool,
    /// A name that the server is called by (may repeat); with keys every name is taken unless one is given
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// The origin of a page that may call the server (may repeat), such as https://tool.example
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) origins: Vec<String>,
    /// Requests a second of one API key; one more is refused with 429
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rate: Option<u32>,
    /// Largest body of a request, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) max_body: u16,
    /// Requests at work at once; one more is refused
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_requests: u16,
    /// Seconds for a body to arrive, and for a verb to answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub(crate) timeout: u16,
    /// Which tools agents are offered at /mcp: default (a few) or full (every verb)
    #[arg(long, value_name = "PROFILE", value_enum, default_value_t = ToolProfile::Default)]
    #[arg(hide_possible_values = true)]
    pub(crate) tools: ToolProfile,
}
