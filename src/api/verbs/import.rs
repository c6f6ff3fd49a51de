//! Verb: import the records of a text into a memory.
//!
//! Parsing comes first and needs no store, so unreadable input is refused before anything is opened or made.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::import_room::check_room;
use crate::import::{
    BadLine, Format, Import, bytes_of_records, guess_named, learned_failures, parse_text,
    read_records, refuse_unreadable,
};
use crate::problem::Problem;
use crate::responses::{
    FailuresResponse, ImportResponse, Imported, LessonsRestoredResponse, LineReason,
    RedactedResponse,
};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::clock::{SystemClock, WallClock};
use hindlore::lessons::LessonImport;
use hindlore::{Again, ImportRequest};
use hindlore_domain::memory::delta::{DeltaId, ImportedFile, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::identity::content_name;
use hindlore_store::lessons::reading::LessonsCopy;

/// Maximum characters of a text in a request.
const TEXT_MAX_CHARS: usize = 64 << 20;

/// Maximum records in a request.
const RECORDS_MAX: usize = 100_000;

/// Name of records without a file, in ids and in the history.
const RECORDS: &str = "records";

/// Import records into a memory, as one delta that counts once.
///
/// A repeated text changes nothing. Every record is accounted for: it is added, merged into an equal bullet, or left
/// out with its line and the reason.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportMemory {
    /// Contents of a file: rules as Markdown, a playbook, a memory of another program, an export.
    #[serde(default)]
    #[schemars(length(max = TEXT_MAX_CHARS))]
    pub text: Option<String>,
    /// Bullets instead of `text`, each with the fields of ADD in `delta.apply`; a record's number serves as its line.
    #[serde(default)]
    #[schemars(length(max = RECORDS_MAX), extend("examples" = [[{"content": "check the path first"}]]))]
    pub records: Option<Vec<Value>>,
    /// Format of the text; by default guessed from the text.
    #[serde(default)]
    pub format: Option<Format>,
    /// Name of the file, which identifies its imports; for the history, and for `sync`.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    pub file: Option<String>,
    /// Name of the file in messages, as the person typed it; by default `file`.
    #[serde(skip)]
    #[schemars(skip)]
    pub shown_file: Option<String>,
    /// Archive bullets of an earlier import of this file that the file no longer holds.
    #[serde(default)]
    pub sync: bool,
    /// Skip unreadable records, and report them.
    #[serde(default)]
    pub skip_bad: bool,
    /// Apply the valid records, and report the rest.
    #[serde(default)]
    pub lenient: bool,
    /// Import again; votes for texts already present count once.
    #[serde(default)]
    pub again: bool,
    /// Import only the memory of an export, without its lessons, errors, and runs.
    #[serde(default)]
    pub bullets: bool,
    /// Take only the bullets of a classic file that name this memory, or no learner and no scope. The program's
    /// `import --split` does so for each memory of the file.
    #[serde(default)]
    pub split: bool,
    /// Put the bullets of all learners and scopes of a classic file into this memory.
    #[serde(default)]
    pub together: bool,
    /// Show the result without writing.
    #[serde(default)]
    pub dry_run: bool,
}

impl Verb for ImportMemory {
    verb!("memory.import", Learner, Writes, idempotent -> ImportResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

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
pub struct ReadImport {
    input: Input,
    how: ImportMemory,
    file: Import,
    first: DeltaId,
    notes: Vec<String>,
    /// Memory of the bullets that name none.
    base: MemoryKey,
}

impl ImportMemory {
    /// Parses the records.
    ///
    /// # Errors
    ///
    /// `invalid_usage` for a request with no records or two kinds of them, `bad_records` for unreadable ones,
    /// and those of the format.
    pub fn read(self, key: &MemoryKey) -> Result<ReadImport, Problem> {
        self.read_of(key, key)
    }

    /// The memories that the records name, in order; bullets that name none belong to `base`.
    ///
    /// # Errors
    ///
    /// Those of the format, and `invalid_key` for a name that no memory can have.
    pub fn memories(&self, base: &MemoryKey) -> Result<Vec<MemoryKey>, Problem> {
        let whole = Self {
            together: true,
            split: false,
            ..self.clone()
        };
        Ok(whole.read(base)?.file.memories(base)?.into_keys().collect())
    }

    /// Parses the records for the memory `key`; with `split`, those of other memories are left out, and bullets that
    /// name no memory belong to `base`.
    ///
    /// # Errors
    ///
    /// As `read`, and `several_memories` for a file of several memories without `split` or `together`.
    pub fn read_of(mut self, key: &MemoryKey, base: &MemoryKey) -> Result<ReadImport, Problem> {
        if self.split && self.together {
            let message = "an import is either split or put together";
            return Err(Problem::new("invalid_usage", message)
                .with_hint("leave out <field:split> or <field:together>"));
        }
        let input = match (self.text.take(), self.records.take()) {
            (Some(text), None) => {
                let guessed = || guess_named(&text, self.file.as_deref());
                let format = self.format.map_or_else(guessed, Ok)?;
                Input::Text(format, text)
            }
            (None, Some(records)) if self.format.is_none() => Input::Records(records),
            _ => {
                let message = "an import has either a text, with its format, or records";
                return Err(Problem::new("invalid_usage", message)
                    .with_hint("send <field:text>, or a list as `records`"));
            }
        };
        if self.sync && self.file.is_none() {
            let problem = Problem::new("invalid_usage", "only a file can be kept in step");
            return Err(problem.with_hint("name it by <field:file>"));
        }
        let first = input.first_delta(key)?;
        let mut file = input.read(key, &first)?;
        match (input.names_memories(), self.split, self.together) {
            (true, true, _) => file.keep_memory(key, base),
            (true, false, false) => file.refuse_several(base)?,
            _ => {}
        }
        // A lenient import reports these as refused operations.
        if !self.lenient {
            file.part_unreadable();
        }
        if !self.skip_bad {
            let name = self.shown_file.as_deref().or(self.file.as_deref());
            refuse_unreadable(&file.bad, file.read, name)?;
        }
        Ok(ReadImport {
            input,
            how: self,
            file,
            first,
            notes: Vec::new(),
            base: base.clone(),
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
            Self::Text(format, text) => parse_text(*format, text, key, delta),
            Self::Records(records) => Ok(read_records(records)),
        }
    }

    /// Name of the run that the errors of the text belong to: the same text is the same run.
    fn run(&self) -> String {
        match self {
            Self::Text(_, text) => content_name("file-", text.as_bytes()),
            Self::Records(_) => RECORDS.to_owned(),
        }
    }

    /// True if each bullet may name a memory of its own.
    fn names_memories(&self) -> bool {
        matches!(self, Self::Text(Format::Classic | Format::AceState, _))
    }

    fn is_whole_memory(&self) -> bool {
        matches!(self, Self::Text(Format::Hindlore, _))
    }
}

impl ReadImport {
    /// The operations of the records.
    pub fn operations(&self) -> impl ExactSizeIterator<Item = &Operation> {
        self.file.records.iter().map(|record| &record.operation)
    }

    /// Adds notes on how the text was read.
    pub fn with_notes(mut self, notes: Vec<String>) -> Self {
        self.notes = notes;
        self
    }

    /// The policy in the text, for a new memory.
    pub(crate) fn policy(&self) -> Option<&Policy> {
        self.file.policy.as_ref()
    }

    /// Applies the records.
    pub async fn take(mut self, context: &Context) -> Result<ImportResponse, Problem> {
        let max_chars = check_room(context, self.operations(), self.policy()).await?;
        self.file.leave_out_large(max_chars);
        let dry_run = self.how.dry_run;
        let (format, file) = (self.input.word(), self.how.file.clone());
        // Lessons first: if they are refused, no part of the file is imported.
        let learned = match self.file.learned.take().filter(|_| !self.how.bullets) {
            Some(copy) => Some(self.restored(context, copy).await?),
            None => None,
        };
        let failures = self.failures(context).await?;
        let memory = self.how.split.then(|| {
            let key = &context.key;
            format!("{}/{}", key.learner(), key.scope())
        });
        let bullets = if self.file.has_no_memory {
            None
        } else {
            Some(self.imported(context, max_chars).await?)
        };
        Ok(ImportResponse {
            format,
            file,
            memory,
            bullets,
            learned,
            failures,
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

    /// Records the errors in the file, and their cures as lessons. A dry run counts them.
    async fn failures(&self, context: &Context) -> Result<Option<FailuresResponse>, Problem> {
        let failures = &self.file.failures;
        if failures.is_empty() || self.how.bullets {
            return Ok(None);
        }
        let run = self.input.run();
        let learned = learned_failures(failures, &run, SystemClock.now());
        if self.how.dry_run {
            return Ok(Some(FailuresResponse::of_trial(&learned)));
        }
        let owner = context.owner()?;
        let lessons = LessonImport {
            source: run,
            lessons: learned.lessons,
            fingerprints: Vec::new(),
        };
        let taken = context
            .engine
            .import_learned(&owner, learned.steps, lessons);
        Ok(Some(FailuresResponse::from(taken.await?)))
    }

    async fn imported(self, context: &Context, max_chars: u32) -> Result<Imported, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let again = match (&self.how.file, self.how.again) {
            (_, true) => Again::Anew,
            (Some(file), false) if self.how.sync => Again::InStep(file),
            _ => Again::Never,
        };
        let delta = engine.import_delta(key, &self.first, again);
        let delta = delta.await?;
        let file = if delta.id == self.first {
            self.file
        } else {
            // Ids of its bullets are derived from the delta's id.
            let mut again = self.input.read(key, &delta.id)?;
            if self.how.split && self.input.names_memories() {
                again.keep_memory(key, &self.base);
            }
            if !self.how.lenient {
                again.part_unreadable();
            }
            again.leave_out_large(max_chars);
            again
        };
        let (is_whole_memory, format) = (self.input.is_whole_memory(), self.input.word());
        let operations = file.records.iter().map(|one| one.operation.clone());
        let sync = self.how.sync;
        let request = ImportRequest {
            delta,
            operations: operations.collect(),
            policy: file.policy.clone(),
            is_whole_memory,
            file: self.how.file.map(|name| ImportedFile { name, sync }),
            is_known_file: false,
            lenient: self.how.lenient,
            author: context.author.clone(),
            reasoning: Some(format!("import, format {format}")),
        };
        let imported = if self.how.dry_run {
            engine.preview_import(key, request).await?
        } else {
            engine.import(key, request).await?
        };
        let (applied, gone) = (imported.applied, imported.gone);
        Ok(Imported {
            read: file.read,
            skipped: skipped(file.bad, file.left_out),
            foreign_learners: file.foreign_learners,
            redacted: RedactedResponse::from_redactions(&applied.redacted),
            notes: [self.notes, file.notes].concat(),
            gone,
            ..Imported::from_applied(applied, &file.records, is_whole_memory)
        })
    }
}

/// The records that became no bullet, by lines.
fn skipped(bad: Vec<BadLine>, left_out: Vec<BadLine>) -> Vec<LineReason> {
    let mut lines: Vec<LineReason> = bad
        .into_iter()
        .chain(left_out)
        .map(LineReason::from)
        .collect();
    lines.sort_by_key(|one| one.line);
    lines
}
