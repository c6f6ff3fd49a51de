//! `migrate --from A --to B`: copies memories with history, and lessons, and checks that they arrived whole.
//!
//! One memory is one transaction in the target. Memories already there at the same position are skipped, so
//! an interrupted copy resumes where it stopped. A memory that the target has in another state never stops the rest: it is
//! refused, skipped, or takes in the bullets, as requested.

use super::lessons;
use super::parts::{EXISTS, Opened, outcome as show_outcome};
use crate::args::migrate::Existing;
use crate::commands::CommandResult;
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone};
use crate::place;
use crate::session::Session;
use hindlore::{Engine, MemoryView};
use hindlore_api::export::{ExportFormat, Learned, LearnedLines, write as write_export};
use hindlore_api::import::Format;
use hindlore_api::problem::Problem;
use hindlore_api::responses::migrated::{Move, MoveResponse, MovedMemory};
use hindlore_api::verbs::import::ImportMemory;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::parse_name;
use hindlore_store::MemorySummary;

/// The two stores.
pub(super) struct Stores {
    /// Source.
    pub(super) from: String,
    /// Target.
    pub(super) to: String,
}

/// Copies.
pub(super) async fn run(
    session: &Session,
    stores: Stores,
    all_learners: bool,
    existing: Existing,
) -> CommandResult {
    check(&stores)?;
    let learner = learner(session, all_learners)?;
    let tenant = parse_name("tenant", session.settings.text_or_empty("tenant"))?;
    let source = session.engine_at(&stores.from)?;
    let memories = source.memories(&tenant, learner.as_deref()).await?;
    let learners = source.learners(&tenant).await?;
    let has_lessons = learners
        .iter()
        .any(|name| learner.as_ref().is_none_or(|wanted| wanted == name));
    if memories.is_empty() && !has_lessons {
        let whose = learner.map(|learner| format!(" of the learner `{learner}`"));
        let whose = whose.unwrap_or_default();
        let nothing = MoveResponse::new(&stores.from, &stores.to, Vec::new(), Vec::new());
        session.output.show(&nothing, |page| {
            let line = format!("there is no memory{whose} in the tenant `{tenant}`");
            page.line(Tone::Faint, line);
        })?;
        return Ok(Outcome::NothingFound);
    }
    let target = session.engine_at(&stores.to)?;
    let opened = Opened {
        source,
        target,
        existing,
    };
    let (moved, unreadable) = copy_all(session, &opened, &memories).await?;
    let lessons = lessons::copy(session, &opened, &tenant, learner.as_deref()).await?;
    let shown = MoveResponse::new(&stores.from, &stores.to, moved, lessons);
    session.output.show(&shown, |page| {
        lessons::write(page, &shown.lessons);
        write(page, &shown);
    })?;
    result(&shown, &unreadable)
}

/// Copies the memories one by one; an unreadable one cannot be copied, and must not stop the others.
async fn copy_all(
    session: &Session,
    stores: &Opened,
    memories: &[MemorySummary],
) -> Result<(Vec<MovedMemory>, Vec<String>), Problem> {
    let (mut moved, mut unreadable) = (Vec::new(), Vec::new());
    for (number, memory) in (1..).zip(memories) {
        if let Err(what) = &memory.head {
            unreadable.push(format!("{}: {what}", memory.key));
            continue;
        }
        let (count, key) = (memories.len(), &memory.key);
        let what = format!("memory {number} of {count}: copying {key}");
        let one = copy(session, stores, key, &what).await?;
        let outcome = one.outcome.word();
        session
            .output
            .note(&format!("{number}/{count} {key}: {outcome}"));
        moved.push(one);
    }
    Ok((moved, unreadable))
}

fn result(shown: &MoveResponse, unreadable: &[String]) -> CommandResult {
    if !unreadable.is_empty() {
        let message = format!("could not be copied: {}", unreadable.join(", "));
        return Err(Problem::new("store_damaged", message).with_hint(
            "the others were copied; `hindlore doctor` on the first store says what to do",
        ));
    }
    let refusals = shown.refusals();
    if !refusals.is_empty() {
        let message = format!("not copied: {}", refusals.join("; "));
        return Err(Problem::new(EXISTS, message).with_hint(
            "all else was copied; the same command with `--existing skip` leaves these as they are there, with \
             `--existing merge` it imports their bullets there",
        ));
    }
    if shown.equal {
        return Ok(Outcome::Done);
    }
    Err(
        Problem::new("not_equal", "a memory changed while it was copied")
            .with_hint("stop the writers of the first store, then call it again"),
    )
}

fn check(stores: &Stores) -> Result<(), Problem> {
    place::must_exist(&stores.from)?;
    place::is_server(&stores.to)?;
    if place::is_same(&stores.from, &stores.to) {
        let message = format!("--from and --to are the same store `{}`", stores.from);
        return Err(Problem::new("same_store", message).with_hint("name another store with --to"));
    }
    Ok(())
}

/// The learner whose memories are copied; absent: all learners of the tenant.
fn learner(session: &Session, all_learners: bool) -> Result<Option<String>, Problem> {
    let settings = &session.settings;
    if all_learners && settings.is_flag("learner") {
        let message = "--all-learners and --learner cannot be used together";
        return Err(Problem::new("invalid_usage", message).with_hint("leave one of the two out"));
    }
    if all_learners || !settings.is_given("learner") {
        return Ok(None);
    }
    Ok(Some(parse_name(
        "learner",
        settings.text_or_empty("learner"),
    )?))
}

async fn copy(
    session: &Session,
    stores: &Opened,
    key: &MemoryKey,
    what: &str,
) -> Result<MovedMemory, Problem> {
    let (source, target) = (&stores.source, &stores.target);
    let (events, outcome, reason) = match session.wait(what, source.copy_to(target, key)).await {
        Ok(copied) if copied.was_there => (Some(copied.events), Move::Equal, None),
        Ok(copied) => (Some(copied.events), Move::Moved, None),
        Err(problem) if problem.code == EXISTS => {
            let outcome = match stores.existing {
                Existing::Refuse => Move::Refused,
                Existing::Skip => Move::Skipped,
                Existing::Merge => Move::Merged,
            };
            (None, outcome, Some(problem.message))
        }
        Err(problem) => return Err(problem),
    };
    // Read from both stores: the check must see the state of a later reader.
    let here = view(source, key).await?;
    if outcome == Move::Merged {
        merge(session, target, key, &here).await?;
    }
    let there = view(target, key).await?;
    Ok(MovedMemory {
        tenant: key.tenant().to_owned(),
        learner: key.learner().to_owned(),
        scope: key.scope().to_owned(),
        bullets: here.bullets.len(),
        events,
        outcome,
        reason,
        equal: here.digest == there.digest && here.content_digest == there.content_digest,
        digest_from: here.digest,
        digest_to: there.digest,
        content_digest_from: here.content_digest,
        content_digest_to: there.content_digest,
    })
}

/// Imports the bullets of a memory into the one of the same name in the target.
async fn merge(
    session: &Session,
    target: &Engine,
    key: &MemoryKey,
    here: &MemoryView,
) -> Result<(), Problem> {
    let lines = LearnedLines::default();
    let learned = Learned {
        lines: &lines,
        lessons: &[],
    };
    let written = write_export(key, Some(here), learned, ExportFormat::Hindlore);
    let text = written.map(|written| String::from_utf8_lossy(&written.text).into_owned());
    let text = text.map_err(|error| {
        let message = format!("the memory {key} cannot be written: {error}");
        Problem::new("internal_error", message)
    })?;
    let request = ImportMemory {
        text: Some(text),
        format: Some(Format::Hindlore),
        bullets: true,
        ..ImportMemory::default()
    };
    let access = session.access(target.clone(), key.clone())?;
    let what = format!("importing the bullets of {key}");
    session.wait(&what, access.answer(request)).await?;
    Ok(())
}

async fn view(engine: &Engine, key: &MemoryKey) -> Result<MemoryView, Problem> {
    let view = engine.view(key).await?;
    view.ok_or_else(|| {
        let message = format!("the memory {key} is gone");
        Problem::new("no_memory", message).with_hint("it was erased meanwhile")
    })
}

fn write(page: &mut Page, shown: &MoveResponse) {
    for one in &shown.memories {
        let (tenant, learner, scope) = (&one.tenant, &one.learner, &one.scope);
        page.line(Tone::Heading, format_args!("{tenant}/{learner}/{scope}"));
        page.field("bullets", one.bullets);
        if let Some(events) = one.events {
            page.field("events", events);
        }
        page.field("digest here", &one.digest_from);
        page.field("digest there", &one.digest_to);
        page.field("content here", &one.content_digest_from);
        page.field("content there", &one.content_digest_to);
        match (one.equal, one.outcome.is_copy()) {
            (false, true) => page.line(Tone::Bad, "NOT equal"),
            _ => show_outcome(page, one.outcome, one.reason.as_deref()),
        }
    }
    let count = plural(shown.memories.len(), "memory");
    let (from, to) = (&shown.from, &shown.to);
    let said = format!(
        "{count}: moved {}, skipped {}, merged {}, refused {}, from `{from}` to `{to}`; the first store was not changed",
        shown.copied, shown.skipped, shown.merged, shown.refused
    );
    page.line(Tone::Faint, said);
}
