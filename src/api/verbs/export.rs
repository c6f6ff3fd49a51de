//! Verb: export a memory as text.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::as_of::AsOf;
use crate::export::skill::File;
use crate::export::{ExportFormat, Learned, LearnedLines, write};
use crate::problem::Problem;
use crate::responses::{ExportContents, ExportResponse};
use crate::verb::{Context, Verb, verb};

/// Maximum bytes of an export in an answer; a larger one is written to a file.
const EXPORT_MAX_BYTES: usize = 64 << 20;

/// Export a memory, and the lessons of its learner, as text.
///
/// In the format `hindlore` the text holds everything, and an import restores it exactly. `classic`, `ace-playbook`,
/// `kayba` and `session-playbook` hold the active bullets, for other programs. `markdown`, `agents-md` and `skill` hold proved contents, for agents to
/// read: bullets with votes or a person as their source, and promoted lessons. An export of more than 64 MiB is
/// refused.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportMemory {
    /// Format of the text.
    #[serde(default)]
    pub format: ExportFormat,
    /// Export only the memory of the scope, without the learner's lessons, errors, and runs.
    #[serde(default)]
    pub bullets: bool,
    /// Export the memory as it was, without what its learner learned from failures: a revision (`12`), a clock (`clock:40`), or a time (`2026-03-01T10:00:00Z`).
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

impl Verb for ExportMemory {
    verb!("memory.export", Learner, Reads, idempotent -> ExportResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let Export { text, contents, .. } = self.written(context).await?;
        if contents.bytes > EXPORT_MAX_BYTES {
            let size = contents.bytes;
            let message = format!("the export has {size} bytes; the limit is {EXPORT_MAX_BYTES}");
            return Err(Problem::new("export_too_large", message)
                .with_hint("let the command line `export` write it to a file"));
        }
        Ok(ExportResponse { text, contents })
    }
}

/// An export of any size.
pub struct Export {
    /// The whole text.
    pub text: String,
    /// The files of a format that has several.
    pub files: Vec<File>,
    /// Its contents in numbers.
    pub contents: ExportContents,
}

impl ExportMemory {
    /// Reads and writes an export of any size.
    pub async fn written(&self, context: &Context) -> Result<Export, Problem> {
        let with_lessons = self.format.holds_lessons() && !self.bullets && self.as_of.is_none();
        let engine = context.engine_at(self.as_of.as_ref()).await?;
        let exported = engine.export(&context.key, with_lessons).await?;
        let lessons = exported.lessons.as_ref().map(|copy| copy.lessons.clone());
        let lessons = lessons.unwrap_or_default();
        let learned = exported.lessons.map(LearnedLines::from_copy).transpose();
        let learned = learned.map_err(unwritable)?.unwrap_or_default();
        let view = exported.view.as_ref();
        let of_failures = Learned {
            lines: &learned,
            lessons: &lessons,
        };
        let written = write(&context.key, view, of_failures, self.format).map_err(unwritable)?;
        let text = written.text;
        let contents = ExportContents {
            bytes: text.len(),
            bullets: view.map_or(0, |view| view.bullets.len()),
            revision: view.map(|view| view.revision),
            clock: view.map(|view| view.clock),
            digest: view.map(|view| view.digest.clone()),
            learned: learned.manifest(),
            other_scopes: exported.other_scopes,
            chosen: written.chosen,
        };
        Ok(Export {
            text: String::from_utf8(text).map_err(unwritable)?,
            files: written.files,
            contents,
        })
    }
}

fn unwritable(error: impl std::fmt::Display) -> Problem {
    let message = format!("the memory cannot be written: {error}");
    Problem::new("internal_error", message)
}
