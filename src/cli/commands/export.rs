//! Command `export`: writes what a learner has to a file, or to stdout.

use std::io;

use serde_json::json;

use super::CommandResult;
use crate::api::export::{LearnedLines, Manifest, write_ace_playbook, write_classic, write_export};
use crate::api::problem::Problem;
use crate::cli::args::files::{ExportArgs, ExportFormat};
use crate::cli::output::{Outcome, Tone, file};
use crate::cli::session::{OpenMemory, Session};
use crate::domain::lesson::lesson::Owner;
use crate::engine::{EngineError, MemoryView};

/// What is exported: a memory, or lessons, or both.
struct Exported {
    view: Option<MemoryView>,
    learned: LearnedLines,
}

/// Exports a memory, and in our own format all that its learner has besides.
pub(crate) async fn run(session: &Session, args: ExportArgs) -> CommandResult {
    let memory = session.open_there()?;
    let with_lessons = args.format == ExportFormat::Mnemograph && !args.bullets;
    let exported = read(&memory, with_lessons).await?;
    let text = write(&memory, &exported, args.format).map_err(unwritable)?;
    let Some(path) = args.file.filter(|path| path.as_os_str() != "-") else {
        session.output.raw(&text)?;
        return Ok(Outcome::Done);
    };
    file::must_not_hold_a_store(&path, session.settings.text("store").unwrap_or_default())?;
    file::replace(&path, &text)?;
    let others = other_scopes(&memory).await?;
    let view = exported.view.as_ref();
    let learned = exported.learned.manifest();
    let shown = json!({
        "file": path.to_string_lossy(), "bytes": text.len(),
        "bullets": view.map_or(0, |view| view.bullets.len()),
        "revision": view.map(|view| view.revision), "clock": view.map(|view| view.clock),
        "digest": view.map(|view| &view.digest), "learned": learned, "other_scopes": others,
    });
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("wrote {}", path.display()));
        page.field("bytes", text.len());
        if let Some(view) = view {
            page.field("bullets", view.bullets.len());
            page.field("digest", &view.digest);
        }
        if let Some(learned) = &learned {
            page.field("rows of lessons", learned.rows);
            page.field("digest of them", &learned.digest);
        }
        if !others.is_empty() {
            let others = others.join(", ");
            let said =
                format!("not in it: the memories of the scopes {others}; name each with --scope");
            page.line(Tone::Faint, said);
        }
    })?;
    Ok(Outcome::Done)
}

async fn read(memory: &OpenMemory, with_lessons: bool) -> Result<Exported, Problem> {
    let (engine, key) = (&memory.engine, &memory.key);
    let view = engine.view(key).await?;
    let mut learned = LearnedLines::default();
    if with_lessons {
        let owner = Owner::new(key.tenant(), key.learner())?;
        let copy = engine.store().copy_lessons_out(&owner).await?;
        let lines = copy.map(LearnedLines::of).transpose().map_err(unwritable)?;
        learned = lines.unwrap_or_default();
    }
    if view.is_none() && learned.manifest().is_none() {
        return Err(EngineError::NoMemory(key.clone()).into());
    }
    Ok(Exported { view, learned })
}

fn unwritable(error: io::Error) -> Problem {
    let message = format!("the memory cannot be written: {error}");
    Problem::new("internal_error", message)
}

/// The scopes of the learner whose memories an export of this one leaves out.
async fn other_scopes(memory: &OpenMemory) -> Result<Vec<String>, Problem> {
    let (engine, key) = (&memory.engine, &memory.key);
    let all = engine.memories(key.tenant(), Some(key.learner())).await?;
    let others = all.into_iter().filter(|one| one.key != *key);
    Ok(others.map(|one| one.key.scope().to_owned()).collect())
}

fn write(memory: &OpenMemory, exported: &Exported, format: ExportFormat) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let (bullets, links) = match &exported.view {
        Some(view) => (view.bullets.as_slice(), view.links.as_slice()),
        None => (&[][..], &[][..]),
    };
    match format {
        ExportFormat::Classic => {
            let clock = exported.view.as_ref().map_or(0, |view| view.clock);
            write_classic(&mut out, &memory.key, clock, bullets.iter())?;
        }
        ExportFormat::AcePlaybook => write_ace_playbook(&mut out, bullets.iter())?,
        ExportFormat::Mnemograph => {
            let empty = Manifest::without_memory(memory.key.clone());
            let manifest = Manifest {
                learned: exported.learned.manifest(),
                ..exported.view.as_ref().map_or(empty, manifest_of)
            };
            write_export(&mut out, &manifest, bullets.iter(), links.iter())?;
            exported.learned.write(&mut out)?;
        }
    }
    Ok(out)
}

fn manifest_of(view: &MemoryView) -> Manifest {
    Manifest {
        key: view.key.clone(),
        revision: view.revision,
        clock: view.clock,
        digest: view.digest.clone(),
        content_digest: view.content_digest.clone(),
        policy: view.policy.clone(),
        bullets: view.bullets.len() as u64,
        links: view.links.len() as u64,
        has_memory: true,
        learned: None,
    }
}
