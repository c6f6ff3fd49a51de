//! Commands `backup` and `restore`: everything of a store in one file, and back.
//!
//! A backup is a store, so that one copy serves both directions, and files and servers alike. Each part is compared with
//! its source by the copy itself: digests for memories, rows for lessons and records.

use super::migrate::parts::EXISTS;
use crate::args::backup::{BackupArgs, RestoreArgs};
use crate::commands::CommandResult;
use crate::output::words::plural;
use crate::output::{Outcome, Tone};
use crate::place;
use crate::session::Session;
use hindlore::Engine;
use hindlore_api::problem::Problem;
use hindlore_api::responses::migrated::BackupResponse;
use hindlore_domain::lesson::lesson::LearnerId;

/// Writes a backup.
pub(crate) async fn write(session: &Session, args: BackupArgs) -> CommandResult {
    check(session, &args.file)?;
    let source = session.open_there()?.engine;
    let target = session.engine_at(&args.file)?;
    copy(session, [&source, &target], args.file).await
}

/// Brings a backup back.
pub(crate) async fn restore(session: &Session, args: RestoreArgs) -> CommandResult {
    check(session, &args.file)?;
    place::must_exist(&args.file)?;
    let source = session.engine_at(&args.file)?;
    let target = session.open()?.engine;
    copy(session, [&source, &target], args.file).await
}

fn check(session: &Session, file: &str) -> Result<(), Problem> {
    let store = session.settings.text_or_empty("store");
    if place::is_server(file)? {
        return Err(
            Problem::new("invalid_usage", "a backup is a file, not a server")
                .with_hint("`migrate --from STORE --to STORE` copies to a server"),
        );
    }
    if place::is_same(store, file) {
        let message = format!("the store itself is at `{file}`");
        return Err(Problem::new("same_store", message).with_hint("name another file"));
    }
    Ok(())
}

async fn copy(session: &Session, [source, target]: [&Engine; 2], file: String) -> CommandResult {
    let mut done = BackupResponse {
        store: session.settings.text_or_empty("store").to_owned(),
        file,
        ..BackupResponse::default()
    };
    for tenant in source.tenants().await? {
        memories(session, [source, target], &tenant, &mut done).await?;
        learners(session, [source, target], &tenant, &mut done).await?;
    }
    session.output.show(&done, |page| {
        let tone = if done.refused.is_empty() {
            Tone::Good
        } else {
            Tone::Bad
        };
        page.line(
            tone,
            format_args!(
                "{} with {}",
                plural(done.memories, "memory"),
                plural(done.bullets, "bullet")
            ),
        );
        page.line(
            tone,
            format_args!(
                "{} with {}, {}, {} and {}",
                plural(done.learners, "learner"),
                plural(done.lessons, "lesson"),
                plural(done.runs, "run"),
                plural(done.errors, "error"),
                plural(done.records, "record"),
            ),
        );
        if done.unchanged > 0 {
            page.line(
                Tone::Faint,
                format_args!("{} already there", plural(done.unchanged, "part")),
            );
        }
        for refused in &done.refused {
            page.line(Tone::Bad, format_args!("not copied: {refused}"));
        }
    })?;
    match done.refused.first() {
        None => Ok(Outcome::found(done.memories + done.learners > 0)),
        Some(first) => Err(Problem::new(EXISTS, format!("not all was copied: {first}"))
            .with_hint("all else was copied; use a new file or an empty store, or `migrate --existing merge`")),
    }
}

async fn memories(
    session: &Session,
    [source, target]: [&Engine; 2],
    tenant: &str,
    done: &mut BackupResponse,
) -> Result<(), Problem> {
    let all = source.memories(tenant, None).await?;
    for (number, memory) in (1..).zip(&all) {
        let what = format!("memory {number} of {}: copying {}", all.len(), memory.key);
        match session
            .wait(&what, source.copy_to(target, &memory.key))
            .await
        {
            Ok(copied) => {
                done.memories += 1;
                done.bullets += copied.bullets;
                done.unchanged += usize::from(copied.was_there);
            }
            Err(problem) if problem.code == EXISTS => done.refused.push(problem.message),
            Err(problem) => return Err(problem),
        }
    }
    Ok(())
}

async fn learners(
    session: &Session,
    [source, target]: [&Engine; 2],
    tenant: &str,
    done: &mut BackupResponse,
) -> Result<(), Problem> {
    let what = format!("copying the groups and keys of {tenant}");
    match session
        .wait(&what, source.copy_tenant_to(target, tenant))
        .await
    {
        Ok(copied) => {
            let (records, was_there) = copied.unwrap_or_default();
            done.records += records;
            done.unchanged += usize::from(was_there);
        }
        Err(problem) if problem.code == EXISTS => done.refused.push(problem.message),
        Err(problem) => return Err(problem),
    }
    for learner in source.learners(tenant).await? {
        let owner = LearnerId::new(tenant, &learner)?;
        let what = format!("copying the lessons and records of {learner}");
        match session
            .wait(&what, source.copy_lessons_to(target, &owner))
            .await
        {
            Ok(None) => {}
            Ok(Some(copied)) => {
                done.learners += 1;
                done.lessons += copied.lessons;
                done.runs += copied.runs;
                done.errors += copied.errors;
                done.records += copied.records;
                done.unchanged += usize::from(copied.was_there);
            }
            Err(problem) if problem.code == EXISTS => done.refused.push(problem.message),
            Err(problem) => return Err(problem),
        }
    }
    Ok(())
}
