//! Command `import`: brings a file into a memory, once.

use std::collections::HashSet;
use std::path::PathBuf;

use serde::Serialize;

use super::readable::refuse_unreadable;
use super::{CommandResult, import_lessons};
use crate::api::import::{CLASSIC_LESSONS, Format, Import, parse};
use crate::api::problem::Problem;
use crate::api::responses::{DeltaOutcome, Imported, LineReason, RedactedResponse};
use crate::cli::args::files::ImportArgs;
use crate::cli::input;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, Page, Tone, receipts, redacted};
use crate::cli::session::{OpenMemory, Session};
use crate::domain::memory::bullet::Status;
use crate::domain::memory::delta::{DeltaId, Operation};
use crate::engine::ImportRequest;
use crate::engine::lessons::RestoredLessons;

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
    let key = session.key()?;
    let first = DeltaId::of_import(&bytes, format.word(), &key);
    let mut file = parse(format, &bytes, &key, &first)?;
    if !args.skip_bad {
        refuse_unreadable(&file.bad, file.read)?;
    }
    let memory = session.open_to_write().await?;
    // A learner whose lessons cannot be taken gets no part of the file.
    let learned = match file.learned.take().filter(|_| !args.bullets) {
        Some(copy) => {
            let work = memory.engine.restore_lessons(copy);
            Some(LessonsRestored::from(
                session.wait("importing the lessons", work).await?,
            ))
        }
        None => None,
    };
    if file.has_no_memory {
        let shown = Shown {
            bullets: None,
            learned,
        };
        session.output.show(&shown, |page| shown.write(page))?;
        return Ok(Outcome::Done);
    }
    let delta = memory.engine.import_delta(&key, &first, args.again).await?;
    if delta.id != first {
        // The ids of its bullets follow from that of the delta.
        file = parse(format, &bytes, &key, &delta.id)?;
    }
    let operations = file.records.iter().map(|one| one.operation.clone());
    let request = ImportRequest {
        delta,
        operations: operations.collect(),
        policy: file.policy.clone(),
        is_whole_memory: format == Format::Mnemograph,
        lenient: args.lenient,
        author: session.typed_author(),
        reasoning: Some(format!("import, format {format}")),
    };
    warn_of_the_limit(session, &memory, &request).await?;
    let imported = import(session, &memory, file, request).await?;
    let is_refused = imported.is_refused;
    let shown = Shown {
        bullets: Some(imported),
        learned,
    };
    session.output.show(&shown, |page| shown.write(page))?;
    Ok(Outcome::found(!is_refused))
}

/// What an import did.
#[derive(Serialize)]
struct Shown {
    /// To the memory; absent where the file holds none.
    #[serde(flatten)]
    bullets: Option<Imported>,
    /// To the lessons of the learner; null where the file holds none.
    learned: Option<LessonsRestored>,
}

impl Shown {
    fn write(&self, page: &mut Page) {
        if let Some(bullets) = &self.bullets {
            text(page, bullets);
        }
        let Some(learned) = &self.learned else { return };
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
}

/// What became of the lessons of a file.
#[derive(Serialize)]
struct LessonsRestored {
    lessons: usize,
    runs: usize,
    errors: usize,
    /// The learner had all of it.
    unchanged: bool,
    /// Secrets that were taken out of it; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<RedactedResponse>,
}

impl From<RestoredLessons> for LessonsRestored {
    fn from(restored: RestoredLessons) -> Self {
        Self {
            lessons: restored.lessons,
            runs: restored.runs,
            errors: restored.errors,
            unchanged: restored.was_there,
            redacted: RedactedResponse::of(&restored.redacted),
        }
    }
}

fn path_of(session: &Session, args: &ImportArgs, format: Format) -> Result<PathBuf, Problem> {
    let classic = session.settings.text("classic_file").map(PathBuf::from);
    let classic = classic.filter(|_| format == Format::Classic);
    args.file.clone().or(classic).ok_or_else(|| {
        Problem::new("invalid_usage", "import needs a FILE")
            .with_hint("name the file, `-` for stdin, or set ACE_MEMORY_FILE for a classic import")
    })
}

/// Says before the work begins that the file has more texts than the memory has room for. Whether the import is
/// refused shows only at the end, since near duplicates become one.
async fn warn_of_the_limit(
    session: &Session,
    memory: &OpenMemory,
    request: &ImportRequest,
) -> Result<(), Problem> {
    let key = &memory.key;
    let texts: HashSet<&str> = request.operations.iter().filter_map(text_of).collect();
    let own = memory
        .engine
        .memories(key.tenant(), Some(key.learner()))
        .await?;
    let there = own.iter().find(|one| one.key == *key);
    let new = || {
        request
            .policy
            .as_ref()
            .unwrap_or(&memory.engine.options().policy)
    };
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

/// The text of a bullet that an operation brings and that takes part.
fn text_of(operation: &Operation) -> Option<&str> {
    match operation {
        Operation::Add(new) => Some(&new.content),
        Operation::Insert(put) => match put.bullet.status {
            Status::Active => Some(put.bullet.content.as_str()),
            Status::Archived | Status::Rejected => None,
        },
        _ => None,
    }
}

async fn import(
    session: &Session,
    memory: &OpenMemory,
    file: Import,
    request: ImportRequest,
) -> Result<Imported, Problem> {
    let what = format!("importing {}", plural(request.operations.len(), "record"));
    let is_whole_memory = request.is_whole_memory;
    let work = memory.engine.import(&memory.key, request);
    let applied = session.wait(&what, work).await?.applied;
    Ok(Imported {
        read: file.read,
        skipped: file.bad.into_iter().map(LineReason::from).collect(),
        foreign_learners: file.foreign_learners,
        redacted: RedactedResponse::of(&applied.redacted),
        notes: file.notes,
        ..Imported::of(applied, &file.records, is_whole_memory)
    })
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
