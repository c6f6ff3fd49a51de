//! Command `export`: writes a learner's data to a file or stdout.

use super::CommandResult;
use crate::api::export::ExportFormat;
use crate::api::responses::ExportFileResponse;
use crate::api::verbs::export::ExportMemory;
use crate::cli::args::files::{ExportArgs, FormatToWrite};
use crate::cli::output::{Outcome, Page, Tone, file};
use crate::cli::session::Session;

/// Exports a memory, and in our own format everything else of its learner.
pub(crate) async fn run(session: &Session, args: ExportArgs) -> CommandResult {
    let context = session.context_there()?;
    let asked = ExportMemory {
        format: match args.format {
            FormatToWrite::Mnemograph => ExportFormat::Mnemograph,
            FormatToWrite::Classic => ExportFormat::Classic,
            FormatToWrite::AcePlaybook => ExportFormat::AcePlaybook,
        },
        bullets: args.bullets,
    };
    let (text, contents) = asked.written(&context).await?;
    let Some(path) = args.file.filter(|path| path.as_os_str() != "-") else {
        session.output.raw(text.as_bytes())?;
        return Ok(Outcome::Done);
    };
    file::must_not_hold_a_store(&path, session.settings.text("store").unwrap_or_default())?;
    file::replace(&path, text.as_bytes())?;
    let shown = ExportFileResponse {
        file: path.to_string_lossy().into_owned(),
        contents,
    };
    session.output.show(&shown, |page| told(page, &shown))?;
    Ok(Outcome::Done)
}

fn told(page: &mut Page, shown: &ExportFileResponse) {
    let contents = &shown.contents;
    page.line(Tone::Good, format_args!("wrote {}", shown.file));
    page.field("bytes", contents.bytes);
    if let Some(digest) = &contents.digest {
        page.field("bullets", contents.bullets);
        page.field("digest", digest);
    }
    if let Some(learned) = &contents.learned {
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
