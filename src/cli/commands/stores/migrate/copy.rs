//! `migrate --from A --to B`: copies memories with history, and lessons, and checks that they arrived whole.
//!
//! One memory is one transaction in the target. Memories already there at the same position are skipped, so
//! an interrupted copy resumes where it stopped.

use super::lessons;
use crate::commands::CommandResult;
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone};
use crate::place;
use crate::session::Session;
use hindlore::{Engine, MemoryView};
use hindlore_api::problem::Problem;
use hindlore_api::responses::migrated::{MoveResponse, MovedMemory};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::parse_name;

/// The two stores.
pub(super) struct Stores {
    /// Source.
    pub(super) from: String,
    /// Target.
    pub(super) to: String,
}

/// Copies.
pub(super) async fn run(session: &Session, stores: Stores, all_learners: bool) -> CommandResult {
    check(&stores)?;
    let learner = learner(session, all_learners)?;
    let tenant = parse_name("tenant", session.settings.text_or_empty("tenant"))?;
    let source = session.engine_at(&stores.from)?;
    let memories = source.memories(&tenant, learner.as_deref()).await?;
    let learners = source.lesson_learners(&tenant).await?;
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
    let (mut moved, mut unreadable) = (Vec::new(), Vec::new());
    for (number, memory) in (1..).zip(&memories) {
        // An unreadable memory cannot be copied, and must not stop the others.
        if let Err(what) = &memory.head {
            unreadable.push(format!("{}: {what}", memory.key));
            continue;
        }
        let what = format!(
            "memory {number} of {}: copying {}",
            memories.len(),
            memory.key
        );
        let one = copy(session, &source, &target, &memory.key, &what).await?;
        let done = if one.skipped {
            "there already"
        } else {
            "copied"
        };
        let (count, key) = (memories.len(), &memory.key);
        session
            .output
            .note(&format!("{number}/{count} {key}: {done}"));
        moved.push(one);
    }
    let lessons = lessons::copy(session, &source, &target, &tenant, learner.as_deref()).await?;
    let shown = MoveResponse::new(&stores.from, &stores.to, moved, lessons);
    session.output.show(&shown, |page| {
        lessons::write(page, &shown.lessons);
        write(page, &shown);
    })?;
    if !unreadable.is_empty() {
        let message = format!("could not be copied: {}", unreadable.join(", "));
        return Err(Problem::new("store_damaged", message).with_hint(
            "the others were copied; `hindlore doctor` on the first store says what to do",
        ));
    }
    if shown.equal {
        Ok(Outcome::Done)
    } else {
        Err(
            Problem::new("not_equal", "a memory changed while it was copied")
                .with_hint("stop the writers of the first store, then call it again"),
        )
    }
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
    source: &Engine,
    target: &Engine,
    key: &MemoryKey,
    what: &str,
) -> Result<MovedMemory, Problem> {
    let work = source.copy_to(target, key);
    let copied = session.wait(what, work).await?;
    // Read again from both stores: the check must see the state of a later reader.
    let (here, there) = (view(source, key).await?, view(target, key).await?);
    Ok(MovedMemory {
        tenant: key.tenant().to_owned(),
        learner: key.learner().to_owned(),
        scope: key.scope().to_owned(),
        bullets: copied.bullets,
        events: copied.events,
        skipped: copied.was_there,
        equal: here.digest == there.digest && here.content_digest == there.content_digest,
        digest_from: here.digest,
        digest_to: there.digest,
        content_digest_from: here.content_digest,
        content_digest_to: there.content_digest,
    })
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
        page.field("events", one.events);
        page.field("digest here", &one.digest_from);
        page.field("digest there", &one.digest_to);
        page.field("content here", &one.content_digest_from);
        page.field("content there", &one.content_digest_to);
        match (one.equal, one.skipped) {
            (true, true) => page.line(Tone::Good, "equal; was there already"),
            (true, false) => page.line(Tone::Good, "equal"),
            (false, _) => page.line(Tone::Bad, "NOT equal"),
        }
    }
    let (count, from, to) = (shown.memories.len(), &shown.from, &shown.to);
    page.line(
        Tone::Faint,
        format_args!(
            "{} of `{from}` in `{to}` now; the first store was not changed",
            plural(count, "memory")
        ),
    );
}
