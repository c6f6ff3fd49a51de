//! Command `import`: imports a file into a memory, once.

use std::collections::HashSet;
use std::path::PathBuf;

use super::{CommandResult, import_lessons};
use crate::api::import::{CLASSIC_LESSONS, Format, text_of};
use crate::api::problem::Problem;
use crate::api::responses::{DeltaOutcome, ImportResponse, Imported};
use crate::api::verb::Context;
use crate::api::verbs::import::{ImportMemory, ReadImport};
use crate::cli::args::files::ImportArgs;
use crate::cli::input;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, Page, Tone, receipts, redacted};
use crate::cli::session::Session;
use crate::domain::memory::bullet::Status;
use crate::domain::memory::delta::Operation;

/// Imports a file.
pub(crate) async fn run(session: &Session, args: ImportArgs) -> CommandResult {
    let format = args.format.as_deref().ok_or_else(|| {
        Problem::new(
            "invalid_usage",
            "import needs --format: nothing tells what the file is",
        )
        .with_hint(format!(
            "formats are {}, {CLASSIC_LESSONS}",
            Format::ALL.map(Format::word).join(", ")
        ))
    })?;
    if format == CLASSIC_LESSONS {
        return import_lessons::run(session, &args).await;
    }
    let format: Format = format.parse()?;
    let path = path_of(session, &args, format)?;
    let bytes = input::bytes(&path).await?;
    let text = text_of(&bytes)?.to_owned();
    // A file may be large, and the import holds its text.
    drop(bytes);
    let asked = ImportMemory {
        text: Some(text),
        format: Some(format),
        skip_bad: args.skip_bad,
        lenient: args.lenient,
        again: args.again,
        bullets: args.bullets,
        dry_run: args.dry_run,
        records: None,
    };
    // Refuse an unreadable file before opening a store, which would create one.
    let read = asked.read(&session.key()?)?;
    let context = if args.dry_run {
        session.context_to_ask()?
    } else {
        session.context_to_write().await?
    };
    warn_of_the_limit(session, &context, &read).await?;
    let what = format!("importing {}", plural(read.operations().len(), "record"));
    let shown = session.wait(&what, read.take(&context)).await?;
    let is_refused = shown.bullets.as_ref().is_some_and(|one| one.is_refused);
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::found(!is_refused))
}

fn write(page: &mut Page, shown: &ImportResponse) {
    if shown.dry_run {
        page.line(
            Tone::Faint,
            "nothing was written; this is what the import would do:",
        );
    }
    if let Some(bullets) = &shown.bullets {
        text(page, bullets);
    }
    let Some(learned) = &shown.learned else {
        return;
    };
    let said = if learned.unchanged {
        "the lessons of the file are here already; nothing of them was changed"
    } else {
        "brought back what was learned from failures"
    };
    page.line(Tone::Good, said);
    page.field("lessons", learned.lessons);
    page.field("runs", learned.runs);
    page.field("errors", learned.errors);
    redacted::redacted(page, learned.redacted.as_ref());
}

fn path_of(session: &Session, args: &ImportArgs, format: Format) -> Result<PathBuf, Problem> {
    let classic = session.settings.text("classic_file").map(PathBuf::from);
    let classic = classic.filter(|_| format == Format::Classic);
    args.file.clone().or(classic).ok_or_else(|| {
        Problem::new("invalid_usage", "import needs a FILE")
            .with_hint("name the file, `-` for stdin, or set ACE_MEMORY_FILE for a classic import")
    })
}

/// Warns early if the file has more texts than the memory has room for. Only the end shows whether the import
/// is refused, because near duplicates merge.
async fn warn_of_the_limit(
    session: &Session,
    context: &Context,
    read: &ReadImport,
) -> Result<(), Problem> {
    let (engine, key) = (&context.engine, &context.key);
    let texts: HashSet<&str> = read.operations().filter_map(text_of_bullet).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let own = engine.memories(key.tenant(), Some(key.learner())).await?;
    let there = own.iter().find(|one| one.key == *key);
    let new = || read.policy().unwrap_or(&engine.options().policy);
    let policy = there
        .and_then(|one| one.head.as_ref().ok())
        .map_or_else(new, |head| &head.policy);
    let active = there.map_or(0, |one| one.active);
    let Some(limit) = policy.max_bullets else {
        return Ok(());
    };
    let room = limit.saturating_sub(active);
    if texts.len() as u64 > room {
        let said = format!(
            "the file has {} different texts and the memory has room for {room} of its {limit}: unless enough of \
             them are near duplicates, the import will be refused; `policy set max_bullets=N` raises the limit",
            texts.len()
        );
        session.warn("beyond_limit", said);
    }
    Ok(())
}

/// The text of a bullet that an operation adds as an active one.
fn text_of_bullet(operation: &Operation) -> Option<&str> {
    match operation {
        Operation::Add(new) => Some(&new.content),
        Operation::Insert(put) => match put.bullet.status {
            Status::Active => Some(put.bullet.content.as_str()),
            Status::Archived | Status::Rejected => None,
        },
        _ => None,
    }
}

fn heading(page: &mut Page, shown: &Imported) {
    let delta = &shown.delta;
    match shown.outcome {
        DeltaOutcome::Applied => page.line(Tone::Good, format_args!("imported as {delta}")),
        DeltaOutcome::Unchanged => page.line(
            Tone::Faint,
            "all of this file is here already; nothing was changed",
        ),
        DeltaOutcome::Refused => page.line(
            Tone::Bad,
            "nothing was imported, all of the file was refused",
        ),
        DeltaOutcome::Repeated => page.line(
            Tone::Faint,
            format_args!("this file was imported before, as {delta}; nothing was changed"),
        ),
    }
    let Some(since) = &shown.since else { return };
    receipts::since(page, delta, since);
    if since.undone_by.is_some() || !since.bullets.is_empty() {
        page.line(
            Tone::Faint,
            "what follows is its receipt of then; `import --again` brings the file in anew",
        );
    }
}

fn text(page: &mut Page, shown: &Imported) {
    heading(page, shown);
    for note in &shown.notes {
        page.line(Tone::Faint, note);
    }
    page.field("read", shown.read);
    page.field("added", shown.added);
    page.field("merged", shown.merged);
    if shown.revived > 0 {
        page.field("revived", shown.revived);
    }
    for (name, count) in [("updated", shown.updated), ("unchanged", shown.unchanged)] {
        if count > 0 {
            page.field(name, count);
        }
    }
    if shown.foreign_learners > 0 {
        page.field("other learners", shown.foreign_learners);
    }
    page.field("revision", shown.revision);
    page.field("clock", shown.clock);
    page.field("digest", &shown.digest);
    receipts::pairs(page, &shown.merged_pairs, &shown.linked_pairs);
    redacted::redacted(page, shown.redacted.as_ref());
    for (what, lines) in [("skipped", &shown.skipped), ("refused", &shown.refused)] {
        for one in lines.iter().take(receipts::LIST_MAX) {
            page.line(
                Tone::Bad,
                format_args!("{what} line {}: {}", one.line, one.reason),
            );
        }
        receipts::beyond(page, lines.len());
    }
}
