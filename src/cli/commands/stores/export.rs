//! Command `export`: writes a learner's data to a file or stdout.

mod skills;

use std::io;
use std::path::Path;

use crate::args::files::ExportArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Page, Tone, file};
use crate::session::Session;
use hindlore_api::export::ExportFormat;
use hindlore_api::export::markdown::put_block;
use hindlore_api::problem::Problem;
use hindlore_api::responses::ExportFileResponse;
use hindlore_api::verbs::export::{Export, ExportMemory};
use hindlore_config::{Links, read_regular_file};
use hindlore_domain::sharing::object::Object;

/// Maximum size of a file into which a block is written, in bytes.
const BLOCK_FILE_MAX: u64 = 256 << 20;
/// The note for a reader of an empty export.
const NOTHING_PROVED: &str =
    "nothing is proved yet: a bullet needs votes or a person as its source, a lesson a promotion";

/// Exports a memory, and in our own format everything else of its learner.
pub(crate) async fn run(session: &Session, args: ExportArgs) -> CommandResult {
    let access = session.access_there()?;
    let asked = ExportMemory {
        format: args.format.into(),
        bullets: args.bullets,
        as_of: args.as_of.map(Into::into),
    };
    let format = asked.format;
    let exporting = access.within::<ExportMemory, _, _>(Object::Learner, |context| async move {
        asked.written(&context).await
    });
    let Export {
        text,
        files,
        contents,
    } = exporting.await?;
    let Some(path) = args.file.filter(|path| path.as_os_str() != "-") else {
        session.output.raw(text.as_bytes())?;
        if contents.chosen == Some(0) {
            session.output.note(NOTHING_PROVED);
        }
        return Ok(Outcome::Done);
    };
    file::must_not_hold_a_store(&path, session.settings.text("store").unwrap_or_default())?;
    match format {
        ExportFormat::Skill => skills::write(&path, &files)?,
        ExportFormat::AgentsMd => write_block(&path, &text)?,
        _ => file::replace(&path, text.as_bytes())?,
    }
    let shown = ExportFileResponse {
        file: path.to_string_lossy().into_owned(),
        contents,
    };
    session.output.show(&shown, |page| told(page, &shown))?;
    Ok(Outcome::Done)
}

/// Writes a block into a file between its marks, or at its end; the rest of the file stays.
fn write_block(path: &Path, block: &str) -> Result<(), Problem> {
    let old = match read_regular_file(path, BLOCK_FILE_MAX, Links::Follow) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(unreadable(path, &error)),
    };
    let new = put_block(&old, block).map_err(|why| {
        Problem::new("unwritten_output", format!("`{}`: {why}", path.display()))
            .with_hint("put the marks right, or take both away; nothing was written")
    })?;
    if new == old {
        return Ok(());
    }
    file::replace(path, &new)
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    let message = format!("`{}` cannot be used: {error}", path.display());
    Problem::new("unwritten_output", message)
        .with_hint("name a file or folder that you may read and write")
}

fn told(page: &mut Page, shown: &ExportFileResponse) {
    let contents = &shown.contents;
    page.line(Tone::Good, format_args!("wrote {}", shown.file));
    page.field("bytes", contents.bytes);
    if let Some(chosen) = contents.chosen {
        page.field("bullets and lessons", chosen);
        if chosen == 0 {
            page.line(Tone::Faint, NOTHING_PROVED);
        }
    } else if let Some(digest) = &contents.digest {
        page.field("bullets", contents.bullets);
        page.field("digest", digest);
    }
    if let Some(learned) = contents
        .learned
        .as_ref()
        .filter(|_| contents.chosen.is_none())
    {
        page.field("rows of lessons", learned.rows);
        page.field("digest of them", &learned.digest);
    }
    if !contents.other_scopes.is_empty() {
        let others = contents.other_scopes.join(", ");
        let said =
            format!("not in it: the memories of the scopes {others}; name each with --scope");
        page.line(Tone::Faint, said);
    }
}
