//! `doctor agents`: the coding agents with the memory, whether it answers them, and recent failures, and bullets that one of
//! the doors to the memory does not see.

mod doors;
mod unseen;

use std::env;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use crate::agents::installed::{Found, look};
use crate::agents::{Level, Runtime};
use crate::commands::CommandResult;
use crate::commands::agents::hook::failures;
use crate::commands::agents::install::pieces_of;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use doors::Door;
use hindlore_api::problem::Problem;
use unseen::Sight;

/// Failures shown.
const FAILURES_MAX: usize = 5;
/// How long the answer of a hook is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The findings.
#[derive(Debug, Serialize)]
struct Agents {
    installed: Vec<InstalledAgent>,
    /// Milliseconds that a hook took to answer; null if it gave no answer.
    hook_ms: Option<u64>,
    /// The failure of a hook; null if it ended well.
    hook_problem: Option<String>,
    /// The newest failures, oldest first.
    failures: Vec<String>,
    /// The memories that each door reads here, and those that one does not.
    #[serde(flatten)]
    sight: Sight,
}

/// A runtime that has something of ours.
#[derive(Debug, Serialize)]
struct InstalledAgent {
    runtime: &'static str,
    level: &'static str,
    files: Vec<FileState>,
    #[serde(skip)]
    of: (Runtime, Level),
}

/// The state of one of its files.
#[derive(Debug, Serialize)]
struct FileState {
    file: PathBuf,
    /// `current`, `edited` by the person, `absent`, `other`, or `unreadable`.
    state: &'static str,
    /// Why it is unreadable.
    problem: Option<String>,
}

/// Looks at all runtimes, and calls a hook.
pub(super) async fn run(session: &Session) -> CommandResult {
    let installed = installed()?;
    let mut doors = vec![Door::of_command_line(&session.settings)];
    for agent in &installed {
        let (pieces, bounds) = pieces_of(agent.of.0, agent.of.1)?;
        doors.extend(Door::of_runtime(agent.of, &pieces, bounds.as_deref()));
    }
    let (hook_ms, hook_problem) = match called().await {
        Ok(took) => (u64::try_from(took.as_millis()).ok(), None),
        Err(problem) => (None, Some(problem)),
    };
    let shown = Agents {
        installed,
        hook_ms,
        hook_problem,
        failures: failures::newest(FAILURES_MAX),
        sight: unseen::look(session, doors).await,
    };
    session.output.show(&shown, |page| show(page, &shown))?;
    let mut files = shown.installed.iter().flat_map(|agent| &agent.files);
    let is_sound = |file: &FileState| matches!(file.state, "current" | "edited");
    if shown.hook_problem.is_none() && files.all(is_sound) {
        return Ok(Outcome::Done);
    }
    let message = "a coding agent does not have all of the memory";
    Err(Problem::new("not_sound", message).with_hint("call `hindlore install` for it again"))
}

/// The coding agents that have the memory, each with its level.
pub(in crate::commands) fn connected() -> Result<Vec<String>, Problem> {
    let installed = installed()?;
    let names = installed
        .iter()
        .map(|one| format!("{} ({})", one.runtime, one.level));
    Ok(names.collect())
}

/// The runtimes that have something of ours.
fn installed() -> Result<Vec<InstalledAgent>, Problem> {
    // In the home folder both levels are the same files.
    let is_home = env::current_dir()
        .ok()
        .zip(env::home_dir())
        .is_some_and(|(here, home)| here == home);
    let levels = &Level::ALL[..if is_home { 1 } else { 2 }];
    let mut installed = Vec::new();
    for runtime in Runtime::ALL {
        for &level in levels {
            let (pieces, bounds) = pieces_of(runtime, level)?;
            let look = |piece| state(look(piece, bounds.as_deref()));
            let files: Vec<FileState> = pieces.iter().map(look).collect();
            if files
                .iter()
                .any(|one| matches!(one.state, "current" | "edited" | "other"))
            {
                installed.push(InstalledAgent {
                    runtime: runtime.word(),
                    level: level.word(),
                    of: (runtime, level),
                    files,
                });
            }
        }
    }
    Ok(installed)
}

fn show(page: &mut Page, shown: &Agents) {
    if shown.installed.is_empty() {
        let line = "no coding agent has the memory; `hindlore install claude-code` gives it one";
        page.line(Tone::Plain, line);
    }
    for agent in &shown.installed {
        page.line(
            Tone::Good,
            format_args!("{} ({})", agent.runtime, agent.level),
        );
        for file in &agent.files {
            let tone = if matches!(file.state, "current" | "edited") {
                Tone::Plain
            } else {
                Tone::Bad
            };
            let problem = file
                .problem
                .as_deref()
                .map(|why| format!(": {why}"))
                .unwrap_or_default();
            page.line(
                tone,
                format_args!("  {:<10} {}{problem}", file.state, file.file.display()),
            );
        }
    }
    match (&shown.hook_problem, shown.hook_ms) {
        (Some(problem), _) => {
            page.line(Tone::Bad, format_args!("a hook did not answer: {problem}"))
        }
        (None, ms) => page.line(
            Tone::Plain,
            format_args!("a hook answers in {} ms", ms.unwrap_or_default()),
        ),
    }
    for failure in &shown.failures {
        page.line(Tone::Faint, format_args!("failed {failure}"));
    }
    shown.sight.write(page);
}

fn state((file, found): (PathBuf, Found)) -> FileState {
    let (state, problem) = match found {
        Found::Absent => ("absent", None),
        Found::Current => ("current", None),
        Found::Other => ("other", None),
        Found::Edited => ("edited", None),
        Found::Unreadable(problem) => ("unreadable", Some(problem)),
    };
    FileState {
        file,
        state,
        problem,
    }
}

/// Calls a hook as an agent would, with an event that asks for nothing.
async fn called() -> Result<Duration, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let event = json!({"hook_event_name": "Notification", "session_id": "doctor"}).to_string();
    let began = Instant::now();
    let calling = tokio::task::spawn_blocking(move || {
        use std::io::Write;
        use std::process::{Command, Stdio};
        let mut child = Command::new(this)
            .args(["hook", "Notification"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(event.as_bytes())?;
        }
        child.wait_with_output()
    });
    let ended = tokio::time::timeout(PATIENCE, calling).await;
    let ended = ended.map_err(|_| format!("not within {} s", PATIENCE.as_secs()))?;
    let output = ended
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(began.elapsed())
}
