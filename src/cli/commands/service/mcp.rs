//! Command `mcp`: offers the memory as tools on standard input and output, until the input closes.

use crate::args::mcp::McpArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Output};
use crate::session::Session;
use crate::session::model_use::ModelUse;
use hindlore_api::problem::Problem;
use hindlore_api::server::{ServerLimits, Tools};

/// Answers an agent; the end of the input, an interrupt and a request to terminate are the normal ends.
pub(crate) async fn run(session: &Session, args: McpArgs) -> CommandResult {
    let Some(serve) = session.surfaces().mcp else {
        return Err(
            Problem::new("no_server", "this program was built without MCP")
                .with_hint("build it with the feature `mcp`, which is on by default"),
        );
    };
    // Notes to programs are collected and never given: no reader exists outside the protocol.
    let own = Session::new(session.settings.clone(), Output::of_raw(true));
    own.use_model(ModelUse::Follow);
    crate::commands::agents::learn::ingest::before(&own).await;
    let tools = Tools {
        access: own.access_served()?,
        profile: args.profile,
        limits: ServerLimits::default(),
    };
    let serving = serve(tools, super::serve::stop()?)?;
    let ended = serving.await;
    own.settle().await;
    ended?;
    Ok(Outcome::Done)
}
