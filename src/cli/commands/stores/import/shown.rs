//! How the answer of an import is shown.

use crate::output::words::plural;
use crate::output::{Page, Tone, receipts, redacted};
use hindlore_api::import::Format;
use hindlore_api::responses::{DeltaOutcome, FilesImported, ImportResponse, Imported};

/// Shows the answer for one file.
pub(super) fn one(page: &mut Page, file: &str, shown: &ImportResponse) {
    if shown.dry_run {
        page.line(
            Tone::Faint,
            "nothing was written; the import would have this result:",
        );
    }
    if let Some(bullets) = &shown.bullets {
        heading(page, bullets);
    }
    let format: Option<Format> = shown.format.parse().ok();
    if let Some(format) = format {
        page.field("format", format_args!("{format}, {}", format.about().name));
    }
    if let Some(bullets) = &shown.bullets {
        text(page, file, bullets);
    }
    failures(page, shown);
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

fn failures(page: &mut Page, shown: &ImportResponse) {
    let Some(failures) = &shown.failures else {
        return;
    };
    let known = |count: u64| match count {
        0 => String::new(),
        count => format!(", {count} known"),
    };
    let (errors, lessons) = (failures.errors, failures.lessons);
    let errors_known = known(failures.errors_known as u64);
    page.field("errors", format_args!("{errors} new{errors_known}"));
    let lessons_known = known(failures.lessons_known);
    page.field("lessons", format_args!("{lessons} new{lessons_known}"));
    redacted::redacted(page, failures.redacted.as_ref());
}

/// Shows the answer for several files: a line for each, and the sums.
pub(super) fn several(page: &mut Page, shown: &FilesImported) {
    for file in &shown.files {
        let name = file.file.as_deref().unwrap_or("the input");
        let memory = file
            .memory
            .as_deref()
            .map(|memory| format!(" into {memory}"));
        let memory = memory.unwrap_or_default();
        page.line(
            Tone::Heading,
            format_args!("{name} ({}){memory}", file.format),
        );
        if let Some(bullets) = &file.bullets {
            let counts = counts(bullets);
            let said = match bullets.outcome {
                DeltaOutcome::Repeated => format!("imported before: {counts}"),
                _ => counts,
            };
            page.line(Tone::Plain, format_args!("  {said}"));
            reasons(page, name, bullets);
        }
    }
    page.gap();
    for (name, count) in [
        ("read", shown.read),
        ("added", shown.added),
        ("merged", shown.merged),
        ("revived", shown.revived),
        ("skipped", shown.skipped),
        ("archived", shown.gone),
    ] {
        if count > 0 || name == "read" {
            page.field(name, count);
        }
    }
    for one in shown.skipped_files.iter().take(receipts::LIST_MAX) {
        page.line(
            Tone::Faint,
            format_args!("{} was not taken: {}", one.file, one.reason),
        );
    }
    receipts::beyond(page, shown.skipped_files.len());
}

fn counts(shown: &Imported) -> String {
    let mut counts = vec![
        format!("read {}", shown.read),
        format!("added {}", shown.added),
    ];
    for (name, count) in [
        ("merged", shown.merged),
        ("revived", shown.revived),
        ("updated", shown.updated),
        ("unchanged", shown.unchanged),
        ("skipped", shown.skipped.len()),
        ("refused", shown.refused.len()),
        ("archived", shown.gone.len()),
    ] {
        if count > 0 {
            counts.push(format!("{name} {count}"));
        }
    }
    counts.join(", ")
}

fn heading(page: &mut Page, shown: &Imported) {
    let delta = &shown.delta;
    match shown.outcome {
        DeltaOutcome::Applied => page.line(Tone::Good, format_args!("imported as {delta}")),
        DeltaOutcome::Unchanged if shown.read == shown.skipped.len() as u64 => page.line(
            Tone::Bad,
            "the file has nothing that becomes a bullet; nothing was changed",
        ),
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

fn text(page: &mut Page, file: &str, shown: &Imported) {
    for note in &shown.notes {
        page.line(Tone::Faint, note);
    }
    page.field("read", shown.read);
    page.field("added", shown.added);
    page.field("merged", shown.merged);
    if shown.revived > 0 {
        page.field("revived", shown.revived);
    }
    for (name, count) in [
        ("updated", shown.updated),
        ("unchanged", shown.unchanged),
        ("skipped", shown.skipped.len()),
    ] {
        if count > 0 {
            page.field(name, count);
        }
    }
    if !shown.gone.is_empty() {
        let gone = plural(shown.gone.len(), "bullet");
        page.field(
            "archived",
            format_args!("{gone} that the file no longer holds"),
        );
    }
    if shown.foreign_learners > 0 {
        page.field("other learners", shown.foreign_learners);
    }
    page.field("revision", shown.revision);
    page.field("clock", shown.clock);
    page.field("digest", &shown.digest);
    receipts::pairs(page, &shown.merged_pairs, &shown.linked_pairs);
    redacted::redacted(page, shown.redacted.as_ref());
    reasons(page, file, shown);
}

fn reasons(page: &mut Page, file: &str, shown: &Imported) {
    for (what, lines) in [("skipped", &shown.skipped), ("refused", &shown.refused)] {
        for one in lines.iter().take(receipts::LIST_MAX) {
            page.line(
                Tone::Bad,
                format_args!("{what} {file}:{}: {}", one.line, one.reason),
            );
        }
        receipts::beyond(page, lines.len());
    }
}
