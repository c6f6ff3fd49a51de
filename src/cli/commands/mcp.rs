//! Command `mcp`: offers the memory as tools on standard input and output, until the input closes.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::mcp::McpArgs;
use crate::cli::session::Session;

/// Answers an agent; the end of the input, an interrupt and a request to terminate are the normal ends.
#[cfg(feature = "mcp")]
pub(crate) async fn run(session: &Session, args: McpArgs) -> CommandResult {
    use crate::api::server::ServerLimits;
    use crate::cli::output::{Outcome, Output};
    use crate::mcp::{Handler, serve_stdio};

    // Notes to programs are collected and never given: no reader exists outside the protocol.
    let mut own = Session::new(session.settings.clone(), Output::of_raw(true));
    if args.repository && !session.settings.is_given("scope") {
        let scope = repository_scope()?;
        own.settings.set_flag("scope", "--repository", scope.into());
    }
    super::learn::intake::before(&own).await;
    let access = own.access_served()?;
    let limits = ServerLimits::default();
    let handler = Handler::new(access, args.profile, limits.time)?;
    let stop = super::serve::stop()?;
    let ended = serve_stdio(handler, limits.body_bytes, stop).await;
    own.settle().await;
    ended?;
    Ok(Outcome::Done)
}

#[cfg(feature = "mcp")]
fn repository_scope() -> Result<String, Problem> {
    let folders = Vec::from_iter(std::env::current_dir());
    crate::cli::repository::scope_of_project(&folders).ok_or_else(|| {
        Problem::new("invalid_usage", "the current folder cannot be read")
            .with_hint("start it in a folder, or give --scope")
    })
}

/// Refuses: this build has no tools.
#[cfg(not(feature = "mcp"))]
pub(crate) async fn run(_: &Session, _: McpArgs) -> CommandResult {
    Err(
        Problem::new("no_server", "this program was built without MCP")
            .with_hint("build it with the feature `mcp`, which is on by default"),
    )
}
