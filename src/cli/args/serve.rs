//! Arguments of `serve`.

use std::path::PathBuf;

use clap::Args;

use hindlore_api::server::ToolProfile;

/// Serve the memory over HTTP, to programs on this machine or to holders of API keys
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; one that other machines reach needs --require-keys or --oidc-issuer; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7171")]
    pub(crate) listen: String,
    /// Ask the server at --listen whether it is ready, and end with 0 if it is; for health checks of containers
    #[arg(long, conflicts_with_all = ["require_keys", "oidc_issuer"])]
    pub(crate) probe: bool,
    /// Require an API key (`key create` makes one), except for /healthz and /readyz
    #[arg(long)]
    pub(crate) require_keys: bool,
    /// Accept tokens of an OpenID provider as well; then every request needs a key or a token
    #[arg(long, value_name = "URL", requires = "oidc_audience")]
    pub(crate) oidc_issuer: Option<String>,
    /// Audience that tokens must name
    #[arg(long, value_name = "NAME", requires = "oidc_issuer")]
    pub(crate) oidc_audience: Option<String>,
    /// The claim of a token that names the tenant
    #[arg(
        long,
        value_name = "CLAIM",
        default_value = "tenant",
        requires = "oidc_issuer"
    )]
    pub(crate) oidc_tenant_claim: String,
    /// The claim of a token that names its only learner; without one a token is for all of the tenant
    #[arg(long, value_name = "CLAIM", requires = "oidc_issuer")]
    pub(crate) oidc_learner_claim: Option<String>,
    /// How the server is called from outside, such as https://memory.example; for clients that look for a token
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// A name that the server is called by (may repeat); with keys every name is taken unless one is given
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// The origin of a page that may call the server (may repeat), such as https://tool.example
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) origins: Vec<String>,
    /// Requests a second of one API key; one more is refused with 429
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rate: Option<u32>,
    /// Note who called what, and what came of it, in a file that `doctor audit` verifies; a file for each instance
    #[arg(long, value_name = "FILE")]
    pub(crate) audit: Option<PathBuf>,
    /// Largest body of a request, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) max_body: u16,
    /// Maximum concurrent requests; one more is refused
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_requests: u16,
    /// Seconds for a body to arrive, and for a verb to answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub(crate) timeout: u16,
    /// Which tools agents are offered at /mcp: default (a few), full (every verb) or graph (the nine of the reference memory server)
    #[arg(long, value_name = "PROFILE", default_value = "default", value_parser = super::mcp::profile())]
    #[arg(hide_possible_values = true)]
    pub(crate) tools: ToolProfile,
}
