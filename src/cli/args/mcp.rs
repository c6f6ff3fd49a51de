//! Arguments of `mcp`.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::api::server::ToolProfile;

/// Offer the memory as tools to an agent, over MCP on standard input and output
///
/// It ends when its input closes. Standard output is the protocol's; logs go to stderr.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Which tools: default (a few, for agents), full (every verb) or graph (the nine of the reference memory server)
    #[arg(long, value_name = "PROFILE", value_enum, default_value_t = ToolProfile::Default)]
    #[arg(hide_possible_values = true)]
    pub(crate) profile: ToolProfile,
    /// Take the scope from the repository of the current folder, as the hooks of `install` do
    #[arg(long)]
    pub(crate) repository: bool,
}

impl ValueEnum for ToolProfile {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.word()))
    }
}
