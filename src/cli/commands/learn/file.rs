//! `learn FILE`: the steps of runs are captured, then the runs end and leave their lessons.
//!
//! Steps that name no run belong to one that is named after the file's content, so that the same file is the
//! same run. With `--run` they join that run, which stays open.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::api::responses::RedactedResponse;
use crate::api::responses::lessons::CapturedResponse;
use crate::api::steps::Numbering;
use crate::cli::args::lessons::LearnArgs;
use crate::cli::commands::{CommandResult, errors_capture};
use crate::cli::input;
use crate::cli::output::{Outcome, Tone, lessons, redacted};
use crate::cli::session::Session;
use crate::domain::identity::content_name;
use crate::engine::lessons::{EndRun, EndedRun};

/// What was captured and learned.
#[derive(Serialize)]
struct Shown {
    steps: usize,
    captured: usize,
    repeated: usize,
    worked: usize,
    runs: Vec<EndedRun>,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<RedactedResponse>,
}

/// Learns from a file.
pub(super) async fn run(session: &Session, file: &Path, args: &LearnArgs) -> CommandResult {
    let bytes = input::bytes(file).await.map_err(|problem| {
        let hint = format!(
            "to run a command, write `mnemograph learn -- {}`",
            file.display()
        );
        if file.exists() || file.as_os_str() == "-" {
            problem
        } else {
            problem.with_hint(hint)
        }
    })?;
    let name = content_name("trace-", &bytes);
    // In a run of its own the file says all; in another one its steps come after those that are there, once.
    let (run, call, numbering) = match &args.run {
        None => (name, None, Numbering::Place),
        Some(run) => (run.clone(), Some(format!("{name}:{run}")), Numbering::Store),
    };
    let read = errors_capture::read(&bytes, Some(run), &args.place, numbering)?;
    let mut notes = read.notes.clone();
    let opened = session.open_lessons_to_write().await?;
    let captured = errors_capture::send(session, &opened, call.as_deref(), read).await?;
    let mut names: BTreeSet<String> = captured.steps.iter().map(|step| step.run.clone()).collect();
    if let Some(open) = &args.run {
        names.remove(open);
    }
    let mut runs = Vec::new();
    for run in names {
        let request = EndRun {
            run,
            ..EndRun::default()
        };
        let work = opened.engine.end_run(&opened.owner, request);
        runs.push(session.wait("learning", work).await?);
    }
    let captured = CapturedResponse::from(captured);
    notes.extend(
        captured
            .steps
            .iter()
            .flat_map(|step| step.notes.iter().cloned()),
    );
    let shown = Shown {
        steps: captured.steps.len(),
        captured: captured.captured,
        repeated: captured.repeated,
        worked: captured.worked,
        runs,
        notes,
        redacted: captured.redacted,
    };
    session.output.show(&shown, |page| {
        page.line(
            Tone::Good,
            format_args!("{} steps, {} new errors", shown.steps, shown.captured),
        );
        if shown.repeated > 0 {
            page.field("known already", shown.repeated);
        }
        redacted::redacted(page, shown.redacted.as_ref());
        for run in &shown.runs {
            page.gap();
            lessons::ended(page, run);
        }
        lessons::notes(page, &shown.notes);
    })?;
    Ok(Outcome::found(shown.steps > 0))
}
