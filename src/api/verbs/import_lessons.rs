//! Verb: import lessons and errors of the original program.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::import::{ClassicLessons, read_classic_lessons, refuse_unreadable};
use crate::problem::Problem;
use crate::responses::{LessonsImportedResponse, LineReason};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::clock::{SystemClock, WallClock};
use hindlore::lessons::LessonImport;
use hindlore_primitives::identity::content_name;
use hindlore_primitives::timestamp::Timestamp;

/// Maximum characters of a text in a request.
const TEXT_MAX_CHARS: usize = 64 << 20;

/// Import lessons and errors of the original program, once.
///
/// Known lessons count once more, and contradictions are linked. The same text again changes nothing.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportLessons {
    /// Its JSON Lines: one lesson or error event per line.
    #[schemars(length(max = TEXT_MAX_CHARS))]
    pub text: String,
    /// Skip unreadable lines, and report them.
    #[serde(default)]
    pub skip_bad: bool,
}

impl Verb for ImportLessons {
    verb!("lessons.import", Learner, Writes, idempotent -> LessonsImportedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        self.read(SystemClock.now())?.take(context).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.read == 0
    }
}

/// Parsed lessons and errors, not yet stored.
pub struct ReadLessons {
    file: ClassicLessons,
    /// Derived from the content, so the same text under another name counts once, too.
    source: String,
    read: u64,
}

impl ImportLessons {
    /// Parses the lines; `now` dates records without a time.
    ///
    /// # Errors
    ///
    /// `bad_records` for unreadable lines, unless they are to be skipped.
    pub fn read(&self, now: Timestamp) -> Result<ReadLessons, Problem> {
        let file = read_classic_lessons(&self.text, now);
        let read = (file.lessons.len() + file.steps.len() + file.bad.len()) as u64;
        if !self.skip_bad {
            refuse_unreadable(&file.bad, read, None)?;
        }
        Ok(ReadLessons {
            file,
            source: content_name("file-", self.text.as_bytes()),
            read,
        })
    }
}

impl ReadLessons {
    /// Stores them.
    pub async fn take(self, context: &Context) -> Result<LessonsImportedResponse, Problem> {
        let file = self.file;
        let lessons = LessonImport {
            source: self.source,
            lessons: file.lessons.into_iter().map(|(_, lesson)| lesson).collect(),
            fingerprints: Vec::new(),
        };
        let owner = context.owner()?;
        let taken = context.engine.import_learned(&owner, file.steps, lessons);
        let taken = taken.await?;
        Ok(LessonsImportedResponse {
            read: self.read,
            skipped: file.bad.into_iter().map(LineReason::from).collect(),
            notes: file.notes,
            ..LessonsImportedResponse::from(taken)
        })
    }
}
