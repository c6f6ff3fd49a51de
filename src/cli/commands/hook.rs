//! Command `hook`: one event of a coding agent, answered in the runtime's own form.
//!
//! ```text
//! stdin -- HookEvent -- scope of the repository -- what the moment asks for -- reply on stdout
//! ```
//!
//! It must never block or break the agent. Past the time limit, and for whatever goes wrong, it prints nothing and ends
//! well; `failures` keeps the reason for `doctor agents`. What a tool did is written down before the store is asked, so
//! that a late store loses nothing.

mod answer;
pub(crate) mod failures;
pub(crate) mod reply;
pub(crate) mod repository;
mod run_name;

use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::hook::HookArgs;
use crate::cli::output::{Outcome, Output};
use crate::cli::session::Session;
use crate::trace::HookEvent;

/// Answers an event.
pub(crate) async fn run(session: &Session, args: HookArgs) -> CommandResult {
    let whole = Duration::from_millis(args.timeout_ms);
    match timeout(whole, answered(session, &args, whole)).await {
        Ok(Ok(Some(reply))) => session.output.raw(format!("{reply}\n").as_bytes())?,
        Ok(Ok(None)) => {}
        Ok(Err(problem)) => failures::note(args.event.as_deref(), &problem.to_string()),
        Err(_) => failures::note(
            args.event.as_deref(),
            &format!("no answer within {} ms", args.timeout_ms),
        ),
    }
    Ok(Outcome::Done)
}

async fn answered(
    session: &Session,
    args: &HookArgs,
    whole: Duration,
) -> Result<Option<Value>, Problem> {
    let text = session.stdin().await?;
    let event = HookEvent::read(args.event.as_deref(), &text)
        .map_err(|fault| Problem::new("invalid_event", fault))?;
    let mut aside = session.aside(whole / 2);
    // Notes to programs are collected and never given: a runtime shows stderr to the person.
    aside.output = Output::of_raw(true);
    if let Some(folder) = &event.folder
        && !session.settings.is_given("scope")
    {
        aside
            .settings
            .set_flag("scope", "hook", repository::scope_of(folder).into());
    }
    let runtime = Handle::current();
    let (name, form) = (event.name.clone(), event.reply);
    // On a thread of its own: reading a file of the store cannot be interrupted, the wait for it can.
    let working = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let said = answer::to(&aside, event, whole).await;
            aside.settle().await;
            said
        })
    });
    let said = working
        .await
        .map_err(|_| Problem::new("internal_error", "the hook ended before it had an answer"))?;
    Ok(reply::written(&said?, &name, form))
}
