//! Command `import`: brings files into a memory, each once.

mod formats;
pub(super) mod place;
mod shown;
mod sources;

use std::path::{Path, PathBuf};

use super::import_lessons;
use crate::args::files::ImportArgs;
use crate::commands::CommandResult;
use crate::input;
use crate::output::Outcome;
use crate::output::words::plural;
use crate::place::is_server;
use crate::session::Session;
use hindlore_api::access::Access;
use hindlore_api::import::{CLASSIC_LESSONS, Format, decode};
use hindlore_api::problem::Problem;
use hindlore_api::responses::{FileReason, FilesImported, ImportResponse};
use hindlore_api::verbs::import::{ImportMemory, ReadImport};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::object::Object;
use place::{at_its_place, shown_name};
use sources::Sources;

/// Imports files.
pub(crate) async fn run(session: &Session, args: ImportArgs) -> CommandResult {
    if args.formats {
        return formats::run(session);
    }
    if args.format.as_deref() == Some(CLASSIC_LESSONS) {
        return import_lessons::run(session, &args).await;
    }
    let format: Option<Format> = args.format.as_deref().map(str::parse).transpose()?;
    let named = named(session, &args, format)?;
    let mut sources = sources::find(&named)?;
    // Unreadable files are refused before a store is opened, which would create one.
    let read = read_all(session, &args, format, &mut sources).await?;
    let access = if args.dry_run {
        session.access_to_ask()?
    } else {
        session.access_to_write().await?
    };
    if read.len() == 1 && sources.skipped.is_empty() {
        return alone(session, &access, read).await;
    }
    together(session, &access, read, sources).await
}

/// Imports one file, and shows all about it.
async fn alone(session: &Session, access: &Access, parts: Vec<Part>) -> CommandResult {
    let Some(part) = parts.into_iter().next() else {
        return Ok(Outcome::NothingFound);
    };
    let file = part.file.clone();
    let shown = import(session, access, part, "").await?;
    session
        .output
        .show(&shown, |page| shown::one(page, &file, &shown))?;
    Ok(Outcome::found(!is_refused(&shown)))
}

/// Imports several files or memories, each as a delta of its own.
async fn together(
    session: &Session,
    access: &Access,
    parts: Vec<Part>,
    sources: Sources,
) -> CommandResult {
    let mut all = FilesImported::default();
    let of = parts.len();
    for (place, one) in (1..).zip(parts) {
        let place = format!("part {place} of {of}, ");
        all.push(import(session, access, one, &place).await?);
    }
    let skipped = sources
        .skipped
        .into_iter()
        .map(|(path, reason)| FileReason {
            file: path.display().to_string(),
            reason,
        });
    all.skipped_files = skipped.collect();
    session
        .output
        .show(&all, |page| shown::several(page, &all))?;
    Ok(Outcome::found(all.files.iter().any(|one| !is_refused(one))))
}

async fn import(
    session: &Session,
    access: &Access,
    part: Part,
    place: &str,
) -> Result<ImportResponse, Problem> {
    let records = plural(part.read.operations().len(), "record");
    let what = format!("importing {place}{records}");
    let access = access.about(part.key);
    let work = access.within::<ImportMemory, _, _>(Object::Learner, |context| async move {
        part.read.take(&context).await
    });
    session
        .wait_counting(&what, || access.progress(), work)
        .await
}

fn is_refused(shown: &ImportResponse) -> bool {
    shown.bullets.as_ref().is_some_and(|one| one.is_refused)
}

/// The records of a file for one memory.
struct Part {
    file: String,
    key: MemoryKey,
    read: ReadImport,
}

/// Reads all files. One in a folder that cannot be read is skipped with the reason; one that was named stops the
/// import.
async fn read_all(
    session: &Session,
    args: &ImportArgs,
    format: Option<Format>,
    sources: &mut Sources,
) -> Result<Vec<Part>, Problem> {
    let mut all = Vec::new();
    for path in std::mem::take(&mut sources.files) {
        match read(session, args, format, &path).await {
            Ok(parts) => all.extend(parts),
            Err(problem) if sources.is_folder && !args.files.contains(&path) => {
                sources.skipped.push((path, problem.message));
            }
            Err(problem) => return Err(at_its_place(&path, problem)),
        }
    }
    Ok(all)
}

/// Reads a file, or the memories in a server: one part for each memory, if it is to be split.
async fn read(
    session: &Session,
    args: &ImportArgs,
    format: Option<Format>,
    path: &Path,
) -> Result<Vec<Part>, Problem> {
    let server = path.to_str().filter(|place| is_server(place) == Ok(true));
    let (text, notes, format) = match server {
        Some(address) => (
            session.ace_states(address).await?,
            Vec::new(),
            Some(Format::AceState),
        ),
        // A file may be large, so its bytes go when its text is there.
        None => {
            let (text, notes) = decode(&input::bytes(path).await?)?;
            (text, notes, format)
        }
    };
    let asked = ImportMemory {
        text: Some(text),
        format,
        file: server.is_none().then(|| name_of(path)).flatten(),
        shown_file: Some(shown_name(path)),
        sync: args.sync,
        skip_bad: args.skip_bad,
        lenient: args.lenient,
        again: args.again,
        bullets: args.bullets,
        split: args.split,
        together: args.together,
        dry_run: args.dry_run,
        records: None,
    };
    let (base, file) = (session.key()?, shown_name(path));
    if !args.split {
        let read = asked.read(&base)?.with_notes(notes);
        return Ok(vec![Part {
            file,
            key: base,
            read,
        }]);
    }
    let memories = asked.memories(&base)?;
    let parts = memories.into_iter().map(|key| {
        let read = asked
            .clone()
            .read_of(&key, &base)?
            .with_notes(notes.clone());
        Ok(Part {
            file: file.clone(),
            key,
            read,
        })
    });
    parts.collect()
}

/// The name that identifies the imports of a file: its whole path, since many folders have a file of a name.
fn name_of(path: &Path) -> Option<String> {
    let is_file = path.as_os_str() != "-";
    let whole = std::path::absolute(path).ok().filter(|_| is_file)?;
    Some(whole.display().to_string())
}

fn named(
    session: &Session,
    args: &ImportArgs,
    format: Option<Format>,
) -> Result<Vec<PathBuf>, Problem> {
    if !args.files.is_empty() {
        return Ok(args.files.clone());
    }
    let classic = session.settings.text("classic_file").map(PathBuf::from);
    let classic = classic.filter(|_| format.is_none_or(|format| format == Format::Classic));
    let file = classic.ok_or_else(|| {
        Problem::new("invalid_usage", "import needs a FILE or a FOLDER").with_hint(
            "name it, `-` for stdin, or set ACE_MEMORY_FILE to a classic memory file; `import --formats` lists the \
             formats",
        )
    })?;
    Ok(vec![file])
}
