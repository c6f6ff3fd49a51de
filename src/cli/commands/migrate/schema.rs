//! `migrate status` and `migrate apply`: which version a store has, and bringing it up to date.
//!
//! A store is brought up to date whenever it is opened for writing; the commands are for those who want to
//! know before it is, or to see it done.

use super::rules::{self, RulesOfMemory};
use crate::api::problem::Problem;
use crate::api::responses::migrated::SchemaResponse;
use crate::backend::embedded::EmbeddedStore;
#[cfg(feature = "neo4j")]
use crate::backend::neo4j::Neo4jStore;
use crate::cli::commands::CommandResult;
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::place;
use crate::cli::session::Session;
use crate::store::SchemaStatus;

/// Shows the status; what is pending stays so.
pub(super) async fn status(session: &Session) -> CommandResult {
    must_be_there(session)?;
    let schema = match (session.names_a_server()?, session.settings.text("store")) {
        (false, Some(file)) => EmbeddedStore::schema_of(file, session.file_options())?,
        _ => on_server(session).await?,
    };
    // What an older schema holds is read once it was brought up to date.
    let memories = if schema.pending.is_empty() {
        rules::survey(session).await?
    } else {
        Vec::new()
    };
    session
        .output
        .show(&document(&schema, &[], &memories), |page| {
            write(page, &schema);
            rules::write(page, &memories);
        })?;
    Ok(Outcome::Done)
}

/// Applies what is pending.
pub(super) async fn apply(session: &Session) -> CommandResult {
    must_be_there(session)?;
    // Opening a file brings it up to date, so what that applies is known only beforehand.
    let before = match (session.names_a_server()?, session.settings.text("store")) {
        (false, Some(file)) => EmbeddedStore::schema_of(file, session.file_options())?.pending,
        _ => Vec::new(),
    };
    let engine = session.engine()?;
    let mut now = engine.migrate_schema().await?;
    let after = engine.schema().await?;
    now.extend(
        before
            .into_iter()
            .filter(|name| after.applied.contains(name)),
    );
    now.dedup();
    let schema = engine.schema().await?;
    let memories = rules::apply(session, &engine).await?;
    session
        .output
        .show(&document(&schema, &now, &memories), |page| {
            if now.is_empty() {
                page.line(Tone::Good, "nothing to apply")
            } else {
                page.line(Tone::Good, format_args!("applied {}", now.join(", ")))
            }
            write(page, &schema);
            rules::write(page, &memories);
        })?;
    Ok(Outcome::Done)
}

fn must_be_there(session: &Session) -> Result<(), Problem> {
    let store = session.settings.text("store");
    store.map_or(Ok(()), place::must_exist)
}

#[cfg(feature = "neo4j")]
async fn on_server(session: &Session) -> Result<SchemaStatus, Problem> {
    match session.server_options()? {
        Some(options) => Ok(Neo4jStore::schema_of(options).await?),
        // No store is named at all, which opening one tells.
        None => Ok(session.engine()?.schema().await?),
    }
}

#[cfg(not(feature = "neo4j"))]
async fn on_server(session: &Session) -> Result<SchemaStatus, Problem> {
    Ok(session.engine()?.schema().await?)
}

fn document(schema: &SchemaStatus, now: &[String], memories: &[RulesOfMemory]) -> SchemaResponse {
    SchemaResponse::of(
        schema,
        now.to_vec(),
        memories.iter().map(Into::into).collect(),
    )
}

fn write(page: &mut Page, schema: &SchemaStatus) {
    page.field("stored version", schema.stored);
    page.field("engine version", schema.engine);
    for name in &schema.applied {
        page.field("applied", name);
    }
    for name in &schema.pending {
        page.field("pending", name);
    }
    if schema.pending.is_empty() {
        page.line(Tone::Good, "up to date")
    } else {
        page.line(Tone::Bad, "`mnemograph migrate apply` brings it up to date")
    }
}
