//! `import --format classic-lessons`: lessons and errors of the original program, as JSON Lines.

use serde::Serialize;

use super::readable::refuse_unreadable;
use super::{CommandResult, errors_capture};
use crate::api::import::read_classic_lessons;
use crate::api::problem::Problem;
use crate::api::responses::lessons::CapturedResponse;
use crate::api::responses::{LineReason, RedactedResponse};
use crate::api::steps::StepsRead;
use crate::cli::args::files::ImportArgs;
use crate::cli::input;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, Page, Tone, redacted};
use crate::cli::session::Session;
use crate::domain::identity::content_name;
use crate::domain::lesson::ids::LessonId;
use crate::engine::clock::{SystemClock, WallClock};
use crate::engine::lessons::LessonImport;

/// What became of a file.
#[derive(Serialize)]
struct Shown {
    read: u64,
    added: u64,
    merged: u64,
    confirmed: u64,
    inherited: u64,
    conflicts: u64,
    errors: usize,
    errors_known: usize,
    skipped: Vec<LineReason>,
    refused: Vec<LineReason>,
    /// The whole file was taken in before.
    repeated: bool,
    lessons: Vec<LessonId>,
    /// What was replaced in the file.
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<RedactedResponse>,
}

/// Imports lessons and errors.
pub(super) async fn run(session: &Session, args: &ImportArgs) -> CommandResult {
    let path = args.file.as_ref().ok_or_else(|| {
        Problem::new("invalid_usage", "import needs a FILE")
            .with_hint("name the file, or `-` for stdin")
    })?;
    let text = input::text(path).await?;
    let file = read_classic_lessons(&text, SystemClock.now());
    let read = (file.lessons.len() + file.steps.len() + file.bad.len()) as u64;
    if !args.skip_bad {
        refuse_unreadable(&file.bad, read)?;
    }
    let opened = session.open_lessons_to_write().await?;
    let steps = StepsRead {
        steps: file.steps,
        notes: file.notes.clone(),
    };
    let captured = errors_capture::send(session, &opened, None, steps).await?;
    let mut taken_out = captured.redacted();
    let captured = CapturedResponse::from(captured);
    let import = LessonImport {
        source: content_name("file-", text.as_bytes()),
        lessons: file.lessons.into_iter().map(|(_, lesson)| lesson).collect(),
        fingerprints: Vec::new(),
    };
    let work = opened.engine.import_lessons(&opened.owner, import);
    let imported = session.wait("importing", work).await?;
    taken_out.add(&imported.redacted);
    let shown = Shown {
        redacted: RedactedResponse::of(&taken_out),
        read,
        added: imported.new,
        merged: imported.merged,
        confirmed: imported.confirmed,
        inherited: imported.inherited,
        conflicts: imported.conflicts,
        errors: captured.captured,
        errors_known: captured.repeated,
        skipped: file.bad.into_iter().map(LineReason::from).collect(),
        refused: Vec::new(),
        repeated: imported.repeated > 0,
        lessons: imported.ids,
        notes: file.notes,
    };
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::found(shown.read > 0))
}

fn write(page: &mut Page, shown: &Shown) {
    if shown.repeated {
        page.line(
            Tone::Faint,
            "this file was imported before; its lessons count once",
        )
    } else {
        page.line(
            Tone::Good,
            format_args!("{} new", plural(shown.added, "lesson")),
        )
    }
    page.field("read", shown.read);
    page.field("merged", shown.merged);
    page.field("confirmed", shown.confirmed);
    if shown.inherited > 0 {
        page.field(
            "out of use",
            format_args!(
                "{}, since a lesson that is out of use says the same",
                shown.inherited
            ),
        );
    }
    page.field("conflicts", shown.conflicts);
    page.field(
        "errors",
        format_args!("{} new, {} known", shown.errors, shown.errors_known),
    );
    for note in &shown.notes {
        page.line(Tone::Faint, note);
    }
    redacted::redacted(page, shown.redacted.as_ref());
    for one in &shown.skipped {
        page.line(
            Tone::Bad,
            format_args!("skipped line {}: {}", one.line, one.reason),
        );
    }
}
