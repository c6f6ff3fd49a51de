//! Command `export`: writes a memory to a file, or to stdout.

use std::io;

use serde_json::json;

use super::CommandResult;
use crate::api::export::{Manifest, write_ace_playbook, write_classic, write_export};
use crate::api::problem::Problem;
use crate::cli::args::files::{ExportArgs, ExportFormat};
use crate::cli::output::{Outcome, Tone, file};
use crate::cli::session::Session;
use crate::engine::MemoryView;

/// Exports a memory.
pub(crate) async fn run(session: &Session, args: ExportArgs) -> CommandResult {
    let view = session.open_there()?.view().await?;
    let text = write(&view, args.format).map_err(|error| {
        Problem::new(
            "internal_error",
            format!("the memory cannot be written: {error}"),
        )
    })?;
    let Some(path) = args.file.filter(|path| path.as_os_str() != "-") else {
        session.output.raw(&text)?;
        return Ok(Outcome::Done);
    };
    file::must_not_hold_a_store(&path, session.settings.text("store").unwrap_or_default())?;
    file::replace(&path, &text)?;
    let shown = json!({
        "file": path.to_string_lossy(), "bytes": text.len(), "bullets": view.bullets.len(),
        "revision": view.revision, "clock": view.clock, "digest": view.digest,
    });
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("wrote {}", path.display()));
        page.field("bytes", text.len());
        page.field("digest", &view.digest);
    })?;
    Ok(Outcome::Done)
}

fn write(view: &MemoryView, format: ExportFormat) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    match format {
        ExportFormat::Classic => {
            write_classic(&mut out, &view.key, view.clock, view.bullets.iter())?;
        }
        ExportFormat::AcePlaybook => write_ace_playbook(&mut out, view.bullets.iter())?,
        ExportFormat::Mnemograph => {
            let manifest = Manifest {
                key: view.key.clone(),
                revision: view.revision,
                clock: view.clock,
                digest: view.digest.clone(),
                content_digest: view.content_digest.clone(),
                policy: view.policy.clone(),
                bullets: view.bullets.len() as u64,
                links: view.links.len() as u64,
            };
            write_export(&mut out, &manifest, view.bullets.iter(), view.links.iter())?;
        }
    }
    Ok(out)
}
