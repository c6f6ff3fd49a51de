//! `import --format classic-lessons`: lessons and errors of the original program, as JSON Lines.

use super::import::place::{at_its_place, shown_name};
use crate::args::files::ImportArgs;
use crate::commands::CommandResult;
use crate::input;
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone, redacted};
use crate::session::Session;
use hindlore::clock::{SystemClock, WallClock};
use hindlore_api::catalog;
use hindlore_api::import::CLASSIC_LESSONS;
use hindlore_api::problem::Problem;
use hindlore_api::responses::LessonsImportedResponse;
use hindlore_api::verb::Verb;
use hindlore_api::verbs::import_lessons::ImportLessons;
use hindlore_domain::sharing::object::Object;

/// Imports lessons and errors.
pub(crate) async fn run(session: &Session, args: &ImportArgs) -> CommandResult {
    let path = args.files.first().ok_or_else(|| {
        Problem::new("invalid_usage", "import needs a FILE")
            .with_hint("name the file, or `-` for stdin")
    })?;
    if args.dry_run {
        let message = format!("--dry-run does not go with the format {CLASSIC_LESSONS}");
        return Err(Problem::new("invalid_usage", message)
            .with_hint("try the import on another store: --store with the name of a new file"));
    }
    let asked = ImportLessons {
        text: input::text(path).await?,
        skip_bad: args.skip_bad,
    };
    let read = asked.read(SystemClock.now());
    let read = read.map_err(|problem| at_its_place(path, problem))?;
    let access = session
        .access_for(catalog::find(ImportLessons::NAME)?)
        .await?;
    let importing = access.within::<ImportLessons, _, _>(Object::Learner, |context| async move {
        read.take(&context).await
    });
    let shown = session.wait("importing", importing).await?;
    let file = shown_name(path);
    session
        .output
        .show(&shown, |page| write(page, &file, &shown))?;
    Ok(Outcome::found(shown.read > 0))
}

fn write(page: &mut Page, file: &str, shown: &LessonsImportedResponse) {
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
                "{}, because a suppressed lesson has the same rule",
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
            format_args!("skipped {file}:{}: {}", one.line, one.reason),
        );
    }
}
