//! Arguments of `mcp`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use hindlore_api::server::ToolProfile;

/// Offer the memory as tools to an agent, over MCP on standard input and output
///
/// It ends when its input closes. Standard output is the protocol's; logs go to stderr.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Which tools: default (a few, for agents), full (every verb) or graph (the nine of the reference memory server)
    #[arg(long, value_name = "PROFILE", default_value = "default", value_parser = profile())]
    #[arg(hide_possible_values = true)]
    pub(crate) profile: ToolProfile,
}

/// Reads the word of a profile.
pub(crate) fn profile() -> impl TypedValueParser<Value = ToolProfile> {
    let words = ToolProfile::ALL.iter().map(|profile| profile.word());
    PossibleValuesParser::new(words).try_map(|word| word.parse::<ToolProfile>())
}
