//! `migrate status` and `migrate apply`: which version a store has, and bringing it up to date.
//!
//! A file is brought up to date whenever it is opened for writing; the command is for servers, and for
//! those who want to see it done.

use serde_json::{Value, json};

use crate::api::problem::Problem;
use crate::cli::commands::CommandResult;
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::place;
use crate::cli::session::Session;
use crate::engine::Engine;
use crate::store::SchemaStatus;

/// Shows the status.
pub(super) async fn status(session: &Session) -> CommandResult {
    let schema = open(session)?.store().schema().await?;
    session
        .output
        .show(&document(&schema, &[]), |page| write(page, &schema))?;
    Ok(Outcome::Done)
}

/// Applies what is pending.
pub(super) async fn apply(session: &Session) -> CommandResult {
    let engine = open(session)?;
    let now = engine.store().migrate().await?;
    let schema = engine.store().schema().await?;
    session.output.show(&document(&schema, &now), |page| {
        match now.is_empty() {
            true => page.line(Tone::Good, "nothing to apply"),
            false => page.line(Tone::Good, format_args!("applied {}", now.join(", "))),
        }
        write(page, &schema);
    })?;
    Ok(Outcome::Done)
}

fn open(session: &Session) -> Result<Engine, Problem> {
    if let Some(store) = session.settings.text("store") {
        place::must_exist(store)?;
    }
    session.engine()
}

fn document(schema: &SchemaStatus, now: &[String]) -> Value {
    json!({"stored": schema.stored, "engine": schema.engine, "applied": schema.applied,
        "pending": schema.pending, "applied_now": now})
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
    match schema.pending.is_empty() {
        true => page.line(Tone::Good, "up to date"),
        false => page.line(Tone::Bad, "`mnemograph migrate apply` brings it up to date"),
    }
}
