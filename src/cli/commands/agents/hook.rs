//! Command `hook`: one event of a coding agent, answered in the runtime's own form.
//!
//! ```text
//! stdin -- HookEvent -- scope of the repository -- Kept in a file -- what the moment asks for -- reply on stdout
//! ```
//!
//! It must never block or break the agent: to a runtime, exit code 2 means that its tool must not run, and words on
//! stderr go to the person. So the command has a frame of its own (`process`), outside the frame of the program: on
//! every failure it prints nothing and ends well, and `failures` keeps the reason for `doctor agents`. The action of a
//! tool is recorded before the store is asked, so that a late store loses nothing.
//!
//! A resident process answers the events of processes that have already read and kept them; `run` is its side.

mod answer;
mod before_action;
mod corrections;
pub(crate) mod failures;
mod kept;
mod own_rules;
mod process;
pub(crate) mod reply;
mod run_name;
mod stdin;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

pub(crate) use process::{is_called, run as answer_and_end};

use crate::args::PROGRAM;
use crate::args::hook::HookArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Output};
use crate::repository;
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_trace::{HookEvent, Moment};
use kept::Kept;

/// Answers an event that another process has read. It has no time limit: who waits for the answer has one.
pub(crate) async fn run(session: &Session, args: HookArgs) -> CommandResult {
    let text = session.stdin().await?;
    let event = HookEvent::read(args.event.as_deref(), &text)
        .map_err(|fault| Problem::new("invalid_event", fault))?;
    let kept = args.kept.and_then(Kept::read);
    let limit = Duration::from_millis(args.timeout_ms);
    let aside = aside(session, limit);
    match answered(&aside, &event, kept, None).await {
        Ok(Some(reply)) => session.output.raw(format!("{reply}\n").as_bytes())?,
        Ok(None) => {}
        Err(problem) => failures::note(Some(&event.name), &problem.to_string()),
    }
    Ok(Outcome::Done)
}

/// A session that waits for the lock of a file as long as a hook may, and prints nothing.
fn aside(session: &Session, limit: Duration) -> Session {
    let mut aside = session.aside(limit / 2);
    // Collected output is never printed: a runtime shows stderr to the person.
    aside.output = Output::of_raw(true).keeping(std::sync::Arc::default());
    aside
}

/// The reply to an event; absent if there is none.
async fn answered(
    session: &Session,
    event: &HookEvent,
    kept: Option<Kept>,
    until: Option<Instant>,
) -> Result<Option<Value>, Problem> {
    let said = answer::to(session, event, kept, until).await;
    session.settle().await;
    Ok(reply::written(&said?, &event.name, event.reply))
}

/// The scope of the project that an event belongs to.
fn scope_of(event: &HookEvent) -> Option<String> {
    let folders = event.folders.iter().map(PathBuf::from);
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.is_absolute()).collect();
    if folders.is_empty() {
        folders.extend(std::env::current_dir());
    }
    repository::scope_of_project(&folders)
}

/// True for an event about a call of this program's own tools, whose failures are no lessons for the task.
fn is_about_us(event: &HookEvent) -> bool {
    let tool = match &event.moment {
        Moment::BeforeTool { tool, .. } => tool.as_deref(),
        Moment::AfterTool { step, .. } => step.tool.as_deref(),
        _ => None,
    };
    let mut words = tool.into_iter().flat_map(|tool| {
        tool.split(|sign: char| !sign.is_alphanumeric())
            .map(str::to_lowercase)
    });
    words.any(|word| word == PROGRAM.name)
}
