//! `migrate status` and `migrate apply`: the version of a store, and its update.
//!
//! A store is updated whenever it is opened for writing; these commands let a person know before, or watch.

use crate::commands::CommandResult;
use crate::output::{Outcome, Page, Tone};
use crate::place;
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_api::responses::migrated::SchemaResponse;
use hindlore_embedded::EmbeddedStore;
#[cfg(feature = "neo4j")]
use hindlore_neo4j::Neo4jStore;
use hindlore_store::SchemaStatus;

/// Shows the status; applies nothing.
pub(super) async fn status(session: &Session) -> CommandResult {
    must_be_there(session)?;
    let schema = match (session.names_a_server()?, session.settings.text("store")) {
        (false, Some(file)) => EmbeddedStore::schema_of(file, session.file_options())?,
        _ => on_server(session).await?,
    };
    session
        .output
        .show(&SchemaResponse::new(&schema, Vec::new()), |page| {
            write(page, &schema);
        })?;
    Ok(Outcome::Done)
}

/// Applies pending migrations.
pub(super) async fn apply(session: &Session) -> CommandResult {
    must_be_there(session)?;
    // Opening a file applies its migrations, so list them first.
    let before = match (session.names_a_server()?, session.settings.text("store")) {
        (false, Some(file)) => EmbeddedStore::schema_of(file, session.file_options())?.pending,
        _ => Vec::new(),
    };
    let engine = session.engine()?;
    let mut now = engine.migrate_schema().await?;
    let schema = engine.schema().await?;
    now.extend(
        before
            .into_iter()
            .filter(|name| schema.applied.contains(name)),
    );
    now.dedup();
    session
        .output
        .show(&SchemaResponse::new(&schema, now.clone()), |page| {
            if now.is_empty() {
                page.line(Tone::Good, "nothing to apply")
            } else {
                page.line(Tone::Good, format_args!("applied {}", now.join(", ")))
            }
            write(page, &schema);
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
        // No store is named; opening reports that.
        None => Ok(session.engine()?.schema().await?),
    }
}

#[cfg(not(feature = "neo4j"))]
async fn on_server(session: &Session) -> Result<SchemaStatus, Problem> {
    Ok(session.engine()?.schema().await?)
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
        page.line(Tone::Good, "up to date");
    } else {
        page.line(Tone::Bad, "`hindlore migrate apply` brings it up to date");
    }
}
