//! The tools of the agent from the settings: each is a command, an HTTP endpoint, or an MCP server.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::wrong;
use hindlore_agents::agent::tools::Source;
use hindlore_agents::agent::tools::command::CommandTool;
use hindlore_agents::agent::tools::mcp::McpServer;
use hindlore_api::problem::Problem;
use hindlore_config::Settings;

/// Time of one call, if the settings name none.
const LIMIT_MS: u64 = 30_000;
/// Names that every agent's own tools have.
const TAKEN: [&str; 2] = ["calculator", "memory_search"];

/// The configured tools, in the order of their names.
pub(super) fn tools(settings: &Settings) -> Result<Vec<Source>, Problem> {
    let tools = settings.tools();
    tools
        .iter()
        .map(|(name, fields)| source(name, fields))
        .collect()
}

fn source(name: &str, fields: &Map<String, Value>) -> Result<Source, Problem> {
    let setting = format!("agent.tools.{name}");
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name || TAKEN.contains(&name) {
        let allowed = "another name, of letters, digits and underscores";
        return Err(wrong(&setting, name, allowed));
    }
    let text = |field: &str| fields.get(field).and_then(Value::as_str);
    let limit = fields.get("timeout_ms").and_then(Value::as_u64);
    let limit = Duration::from_millis(limit.unwrap_or(LIMIT_MS).max(1));
    let about = || {
        text("about").ok_or_else(|| {
            let message = format!("`{setting}` has no `about`");
            Problem::new("invalid_config", message)
                .with_hint("name its effect and its input in one sentence, for the model")
        })
    };
    match (text("command"), text("url"), text("mcp")) {
        (Some(command), None, None) => Ok(Source::Tool(Arc::new(CommandTool {
            name: name.to_owned(),
            about: about()?.to_owned(),
            command: command.to_owned(),
            limit,
        }))),
        (None, Some(url), None) => endpoint((name, &setting), about()?, url, limit),
        (None, None, Some(command)) => {
            let server = McpServer::new(name, command, limit);
            Ok(Source::Server(Arc::new(server)))
        }
        _ => {
            let message = format!("`{setting}` is not one of a command, an endpoint and a server");
            Err(Problem::new("invalid_config", message)
                .with_hint("set exactly one of `command`, `url` and `mcp`"))
        }
    }
}

#[cfg(feature = "models")]
fn endpoint(
    (name, setting): (&str, &str),
    about: &str,
    url: &str,
    limit: Duration,
) -> Result<Source, Problem> {
    let tool = hindlore_agents::provider::HttpTool::new(name, about, url, limit);
    let tool = tool.map_err(|why| {
        Problem::new(
            "invalid_config",
            format!("the address `{setting}.url` {why}"),
        )
        .with_hint("give one such as `http://127.0.0.1:9000/search`")
    })?;
    Ok(Source::Tool(Arc::new(tool)))
}

/// This build has no client.
#[cfg(not(feature = "models"))]
fn endpoint(
    (_, setting): (&str, &str),
    _about: &str,
    _url: &str,
    _limit: Duration,
) -> Result<Source, Problem> {
    let message = format!("`{setting}.url` needs a client, which this program lacks");
    Err(Problem::new("invalid_config", message).with_hint("build it with `--features full`"))
}
