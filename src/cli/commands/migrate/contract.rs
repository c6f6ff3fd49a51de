//! `migrate contract`: the end of sharing a server with older engines.

use super::schema;
use crate::api::problem::Problem;
#[cfg(feature = "neo4j")]
use crate::backend::neo4j::Neo4jStore;
use crate::cli::commands::CommandResult;
use crate::cli::output::{Outcome, Tone};
use crate::cli::session::Session;

/// Applies the migrations that wait to be asked for.
pub(super) async fn run(session: &Session) -> CommandResult {
    schema::must_be_there(session)?;
    let now = contract(session).await?;
    let after = session.engine()?.schema().await?;
    session
        .output
        .show(&schema::document(&after, &now, &[]), |page| {
            if now.is_empty() {
                page.line(
                    Tone::Good,
                    "nothing to do: no older engine can share this store",
                );
            } else {
                page.line(Tone::Good, format_args!("applied {}", now.join(", ")));
            }
            schema::write(page, &after);
        })?;
    Ok(Outcome::Done)
}

#[cfg(feature = "neo4j")]
async fn contract(session: &Session) -> Result<Vec<String>, Problem> {
    match session.server_options()? {
        Some(options) => Ok(Neo4jStore::connect(options).await?.contract().await?),
        None => Ok(Vec::new()),
    }
}

#[cfg(not(feature = "neo4j"))]
async fn contract(_: &Session) -> Result<Vec<String>, Problem> {
    Ok(Vec::new())
}
