//! Verb: import the records of a text into a memory.
//!
//! Parsing comes first and needs no store, so unreadable input is refused before anything is opened or made.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::api::import::{
    Format, Import, bytes_of_records, guess, parse, read_records, refuse_unreadable,
};
use crate::api::problem::Problem;
use crate::api::responses::{
    ImportResponse, Imported, LessonsRestoredResponse, LineReason, RedactedResponse,
};
use crate::api::verb::{Context, Effect, MissingStore, Subject, Verb};
use crate::domain::memory::delta::{DeltaId, Operation};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::policy::Policy;
use crate::engine::ImportRequest;
use crate::store::lessons::reading::LessonsCopy;

/// Maximum characters of a text in a request.
const TEXT_MAX_CHARS: usize = 64 << 20;

/// Maximum records in a request.
const RECORDS_MAX: usize = 100_000;

/// Name of records without a file, in ids and in the history.
const RECORDS: &str = "records";

/// Import records into a memory, as one delta that counts once.
///
/// The same text or records again change nothing. Every record is accounted for: it is added, merged into a
/// bullet that says the same, or left out with its line and the reason.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportMemory {
    /// Contents of a file: an export, a save file, or a playbook.
    #[serde(default)]
    #[schemars(length(max = TEXT_MAX_CHARS))]
    pub text: Option<String>,
    /// Bullets instead of `text`, each with the fields of ADD in `delta.apply`; a record's number stands for
    /// its line.
    #[serde(default)]
    #[schemars(length(max = RECORDS_MAX), extend("examples" = [[{"content": "check the path first"}]]))]
    pub records: Option<Vec<Value>>,
    /// Format of the text; by default guessed from the text.
    #[serde(default)]
    pub format: Option<Format>,
    /// Skip unreadable records, and report them.
    #[serde(default)]
    pub skip_bad: bool,
    /// Apply what can be applied, and report the rest.
    #[serde(default)]
    pub lenient: bool,
    /// Import again; votes for texts already present count once.
    #[serde(default)]
    pub again: bool,
    /// Import only the memory of an export, without its lessons, errors, and runs.
    #[serde(default)]
    pub bullets: bool,
    /// Show what would be done, and write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

impl Verb for ImportMemory {
    const NAME: &'static str = "memory.import";
    const SUBJECT: Subject = Subject::Learner;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = true;
    const MISSING_STORE: MissingStore = MissingStore::Made;
    type Answer = ImportResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        self.read(&context.key)?.take(context).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        let bullets = answer.bullets.as_ref();
        bullets.is_some_and(|bullets| bullets.is_refused)
    }
}

/// Source of the records; parsed again if the ids of its bullets depend on another delta.
enum Input {
    Text(Format, String),
    Records(Vec<Value>),
}

/// A parsed import, not yet applied.
pub(crate) struct ReadImport {
    input: Input,
    how: ImportMemory,
    file: Import,
    first: DeltaId,
}

impl ImportMemory {
    /// Parses the records.
    ///
    /// # Errors
    ///
    /// `invalid_usage` for a request with no records or two kinds of them, `bad_records` for unreadable ones,
    /// and those of the format.
    pub(crate) fn read(mut self, key: &MemoryKey) -> Result<ReadImport, Problem> {
        let input = match (self.text.take(), self.records.take()) {
            (Some(text), None) => {
                let format = self.format.map_or_else(|| guess(&text), Ok)?;
                Input::Text(format, text)
            }
            (None, Some(records)) if self.format.is_none() => Input::Records(records),
            _ => {
                let message = "an import has either a text, with its format, or records";
                return Err(Problem::new("invalid_usage", message)
                    .with_hint("send <field:text> or <field:records>"));
            }
        };
        let first = input.first_delta(key)?;
        let file = input.read(key, &first)?;
        if !self.skip_bad {
            refuse_unreadable(&file.bad, file.read)?;
        }
        Ok(ReadImport {
            input,
            how: self,
            file,
            first,
        })
    }
}

impl Input {
    fn word(&self) -> &'static str {
        match self {
            Self::Text(format, _) => format.word(),
            Self::Records(_) => RECORDS,
        }
    }

    fn first_delta(&self, key: &MemoryKey) -> Result<DeltaId, Problem> {
        Ok(match self {
            Self::Text(_, text) => DeltaId::from_import(text.as_bytes(), self.word(), key),
            Self::Records(records) => {
                DeltaId::from_import(&bytes_of_records(records)?, self.word(), key)
            }
        })
    }

    fn read(&self, key: &MemoryKey, delta: &DeltaId) -> Result<Import, Problem> {
        match self {
            Self::Text(format, text) => parse(*format, text.as_bytes(), key, delta),
            Self::Records(records) => Ok(read_records(records)),
        }
    }

    fn is_whole_memory(&self) -> bool {
        matches!(self, Self::Text(Format::Mnemograph, _))
    }
}

impl ReadImport {
    /// The operations of the records.
    pub(crate) fn operations(&self) -> impl ExactSizeIterator<Item = &Operation> {
        self.file.records.iter().map(|record| &record.operation)
    }

    /// The policy in the text, for a new memory.
    pub(crate) fn policy(&self) -> Option<&Policy> {
        self.file.policy.as_ref()
    }

    /// Applies the records.
    pub(crate) async fn take(mut self, context: &Context) -> Result<ImportResponse, Problem> {
        let dry_run = self.how.dry_run;
        // Lessons first: if they are refused, no part of the file is imported.
        let learned = match self.file.learned.take().filter(|_| !self.how.bullets) {
            Some(copy) => Some(self.restored(context, copy).await?),
            None => None,
        };
        let bullets = if self.file.has_no_memory {
            None
        } else {
            Some(self.imported(context).await?)
        };
        Ok(ImportResponse {
            bullets,
            learned,
            dry_run,
        })
    }

    async fn restored(
        &self,
        context: &Context,
        copy: LessonsCopy,
    ) -> Result<LessonsRestoredResponse, Problem> {
        let engine = &context.engine;
        let restored = if self.how.dry_run {
            engine.preview_restore(copy).await?
        } else {
            engine.restore_lessons(copy).await?
        };
        Ok(restored.into())
    }

    async fn imported(self, context: &Context) -> Result<Imported, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let delta = engine.import_delta(key, &self.first, self.how.again);
        let delta = delta.await?;
        let file = if delta.id == self.first {
            self.file
        } else {
            // Ids of its bullets are derived from the delta's id.
            self.input.read(key, &delta.id)?
        };
        let (is_whole_memory, format) = (self.input.is_whole_memory(), self.input.word());
        let operations = file.records.iter().map(|one| one.operation.clone());
        let request = ImportRequest {
            delta,
            operations: operations.collect(),
            policy: file.policy.clone(),
            is_whole_memory,
            lenient: self.how.lenient,
            author: context.author.clone(),
            reasoning: Some(format!("import, format {format}")),
        };
        let imported = if self.how.dry_run {
            engine.preview_import(key, request).await?
        } else {
            engine.import(key, request).await?
        };
        let applied = imported.applied;
        Ok(Imported {
            read: file.read,
            skipped: file.bad.into_iter().map(LineReason::from).collect(),
            foreign_learners: file.foreign_learners,
            redacted: RedactedResponse::from_redactions(&applied.redacted),
            notes: file.notes,
            ..Imported::from_applied(applied, &file.records, is_whole_memory)
        })
    }
}
