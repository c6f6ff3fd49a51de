//! Answers of imports, by lines of the file instead of operations of the delta.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::errors::CapturedResponse;
use super::{
    DeltaOutcome, LineReason, LinkedResponse, MergedResponse, RedactedResponse, SinceResponse,
    is_refused,
};
use crate::import::{ImportRecord, LearnedFailures};
use crate::schema::Id;
use hindlore::AppliedDelta;
use hindlore::lessons::{LearnedElsewhere, RestoredLessons};
use hindlore_domain::memory::bullet::{BulletId, Status};
use hindlore_domain::memory::delta::{DeltaId, Operation};
use hindlore_primitives::ids::LessonId;

/// The answer to an import.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ImportResponse {
    /// Format of the text, given or guessed.
    pub format: &'static str,
    /// Name of the file, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Learner and scope of the memory, if the file was split.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// The results of the records; absent if the file has none for a memory.
    #[serde(flatten)]
    pub bullets: Option<Imported>,
    /// The results of the lessons; null if the file has none.
    pub learned: Option<LessonsRestoredResponse>,
    /// The errors of the file and their cures, as events and lessons; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<FailuresResponse>,
    /// True for a dry run, which writes nothing; otherwise absent.
    #[serde(skip_serializing_if = "is_false")]
    pub dry_run: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The answer to an import of several files.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct FilesImported {
    /// The answers, file by file.
    pub files: Vec<ImportResponse>,
    /// Files that were not taken.
    pub skipped_files: Vec<FileReason>,
    /// Records in all files.
    pub read: u64,
    /// Records that became new bullets.
    pub added: u64,
    /// Records merged into other bullets, or there already.
    pub merged: u64,
    /// Records that revived an archived bullet.
    pub revived: u64,
    /// Records that became no bullet.
    pub skipped: u64,
    /// Bullets archived because their file no longer holds them.
    pub gone: u64,
}

/// A file that was not taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FileReason {
    /// Its path.
    pub file: String,
    /// Why.
    pub reason: String,
}

impl FilesImported {
    /// Adds the answer for a file.
    pub fn push(&mut self, shown: ImportResponse) {
        if let Some(bullets) = &shown.bullets {
            let known = bullets.merged + bullets.updated + bullets.unchanged;
            let skipped = bullets.skipped.len() + bullets.refused.len();
            self.read += bullets.read;
            self.added += bullets.added as u64;
            self.merged += known as u64;
            self.revived += bullets.revived as u64;
            self.skipped += skipped as u64;
            self.gone += bullets.gone.len() as u64;
        }
        self.files.push(shown);
    }
}

/// The results of the errors in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FailuresResponse {
    /// New errors.
    pub errors: usize,
    /// Known errors.
    pub errors_known: usize,
    /// New lessons, from errors with a cure.
    pub lessons: u64,
    /// Lessons that were known or merged into a similar one.
    pub lessons_known: u64,
    /// Secrets redacted from them; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl FailuresResponse {
    /// The answer of a dry run, which does not know the existing rows.
    pub(crate) fn of_trial(learned: &LearnedFailures) -> Self {
        Self {
            errors: learned.steps.len(),
            errors_known: 0,
            lessons: learned.lessons.len() as u64,
            lessons_known: 0,
            redacted: None,
        }
    }
}

impl From<LearnedElsewhere> for FailuresResponse {
    fn from(taken: LearnedElsewhere) -> Self {
        let taken = LessonsImportedResponse::from(taken);
        Self {
            errors: taken.errors,
            errors_known: taken.errors_known,
            lessons: taken.added,
            lessons_known: taken.merged + taken.confirmed,
            redacted: taken.redacted,
        }
    }
}

/// The results of an export's lessons, errors, and runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LessonsRestoredResponse {
    /// Lessons in the file, in any status.
    pub lessons: usize,
    /// Runs in the file.
    pub runs: usize,
    /// Errors in the file.
    pub errors: usize,
    /// True if the learner had all of it and nothing changed.
    pub unchanged: bool,
    /// Secrets redacted from it; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<RestoredLessons> for LessonsRestoredResponse {
    fn from(restored: RestoredLessons) -> Self {
        Self {
            lessons: restored.lessons,
            runs: restored.runs,
            errors: restored.errors,
            unchanged: restored.was_there,
            redacted: RedactedResponse::from_redactions(&restored.redacted),
        }
    }
}

/// The results of a file of lessons and errors of the original program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LessonsImportedResponse {
    /// Non-empty lines, readable or not.
    pub read: u64,
    /// New lessons.
    pub added: u64,
    /// Lessons merged into a similar one.
    pub merged: u64,
    /// Known lessons, which count once more.
    pub confirmed: u64,
    /// Lessons that start suppressed, because a suppressed lesson has the same rule.
    pub inherited: u64,
    /// Pairs of lessons that contradict each other.
    pub conflicts: u64,
    /// New errors.
    pub errors: usize,
    /// Known errors.
    pub errors_known: usize,
    /// Unreadable lines skipped on request.
    pub skipped: Vec<LineReason>,
    /// Readable lines that were refused; always empty today.
    pub refused: Vec<LineReason>,
    /// True if the whole file was imported before.
    pub repeated: bool,
    /// Ids of the lessons, in the order of the file.
    #[schemars(with = "Vec<Id>")]
    pub lessons: Vec<LessonId>,
    /// Notes on replaced input.
    pub notes: Vec<String>,
    /// Secrets redacted from it; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl From<LearnedElsewhere> for LessonsImportedResponse {
    fn from(taken: LearnedElsewhere) -> Self {
        let LearnedElsewhere { captured, lessons } = taken;
        let mut taken_out = captured.redacted();
        taken_out.add(&lessons.redacted);
        let captured = CapturedResponse::from(captured);
        Self {
            read: 0,
            added: lessons.new,
            merged: lessons.merged,
            confirmed: lessons.confirmed,
            inherited: lessons.inherited,
            conflicts: lessons.conflicts,
            errors: captured.captured,
            errors_known: captured.repeated,
            skipped: Vec::new(),
            refused: Vec::new(),
            repeated: lessons.repeated > 0,
            lessons: lessons.ids,
            notes: Vec::new(),
            redacted: RedactedResponse::from_redactions(&taken_out),
        }
    }
}

/// The results of an import for the memory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Imported {
    /// Its delta.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// Its outcome.
    pub outcome: DeltaOutcome,
    /// Later changes; null unless the file was imported before.
    pub since: Option<SinceResponse>,
    /// Records in the file.
    pub read: u64,
    /// Records that became new bullets.
    pub added: usize,
    /// Records merged into other bullets.
    pub merged: usize,
    /// Records that revived an archived bullet.
    pub revived: usize,
    /// Records of existing bullets that got more votes.
    pub updated: usize,
    /// Records of existing bullets without a change.
    pub unchanged: usize,
    /// Records that became no bullet: unreadable ones skipped on request, and empty ones.
    pub skipped: Vec<LineReason>,
    /// Readable records that were refused.
    pub refused: Vec<LineReason>,
    /// Bullets archived because the file no longer holds them.
    #[schemars(with = "Vec<Id>")]
    pub gone: Vec<BulletId>,
    /// Records that name another learner.
    pub foreign_learners: u64,
    /// Merged bullets, of the file or of the memory.
    pub merged_pairs: Vec<MergedResponse>,
    /// Similar bullets kept apart.
    pub linked_pairs: Vec<LinkedResponse>,
    /// Revision after the import.
    pub revision: u64,
    /// Clock after the import.
    pub clock: u64,
    /// State digest after the import.
    pub digest: String,
    /// True if the file was imported before and nothing changed now.
    pub repeated: bool,
    /// Notes on replaced input.
    pub notes: Vec<String>,
    /// True if all records were refused.
    #[serde(skip)]
    pub is_refused: bool,
    /// Secrets redacted from the records; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl Imported {
    /// The answer for a file's records and their delta; with `is_whole_memory`, bullets are matched by id.
    /// The caller fills in the read and skipped records.
    pub fn from_applied(
        applied: AppliedDelta,
        records: &[ImportRecord],
        is_whole_memory: bool,
    ) -> Self {
        let (outcome, is_refused) = (DeltaOutcome::from_applied(&applied), is_refused(&applied));
        let repeated = applied.repeated;
        let since = repeated.then(|| SinceResponse::from(applied.since));
        let receipt = applied.receipt;
        // A bullet exported as archived is imported as archived, and still counts as a bullet of its own.
        let put_away: HashSet<BulletId> = records.iter().filter_map(put_away).collect();
        let away = receipt.archived.iter().chain(&receipt.rejected);
        let away = away.filter(|id| put_away.contains(id)).count();
        let added = receipt.added.len() + away;
        // A receipt lists bullets, and a record that matched an equal bullet may have changed none. So merged records
        // are the rest after all other counts.
        let refused: HashSet<usize> = receipt.refused.iter().map(|one| one.operation).collect();
        let applied = records
            .iter()
            .enumerate()
            .filter(|(at, record)| is_bullet(record) && !refused.contains(at))
            .count();
        let rest = applied.saturating_sub(added + receipt.revived.len());
        let known = records.iter().filter(|_| is_whole_memory);
        let known: HashSet<BulletId> = known.filter_map(whole_bullet).collect();
        let updated = receipt.updated.iter().filter(|id| known.contains(id));
        // A whole bullet that exists already leaves no trace in the receipt if nothing in it is new.
        let (merged, updated) = if known.is_empty() {
            (rest, 0)
        } else {
            let merged = rest.min(receipt.merged.len());
            (merged, (rest - merged).min(updated.count()))
        };
        let line_of = |operation: usize| records.get(operation).map_or(0, |record| record.line);
        let refused = receipt.refused.iter().map(|one| LineReason {
            line: line_of(one.operation),
            reason: one.reason.clone(),
        });
        Self {
            read: 0,
            added,
            merged,
            updated,
            unchanged: rest - merged - updated,
            revived: receipt.revived.len(),
            skipped: Vec::new(),
            refused: refused.collect(),
            gone: Vec::new(),
            foreign_learners: 0,
            revision: receipt.revision,
            clock: receipt.clock,
            digest: receipt.digest,
            repeated,
            notes: Vec::new(),
            is_refused,
            outcome,
            since,
            delta: receipt.delta,
            merged_pairs: receipt.merged.into_iter().map(Into::into).collect(),
            linked_pairs: receipt.linked.into_iter().map(Into::into).collect(),
            redacted: None,
        }
    }
}

/// The id of a record that is a whole bullet.
fn whole_bullet(record: &ImportRecord) -> Option<BulletId> {
    match &record.operation {
        Operation::Insert(insertion) => Some(insertion.bullet.id),
        _ => None,
    }
}

/// True for a bullet; links are records, too, but not counted.
fn is_bullet(record: &ImportRecord) -> bool {
    matches!(record.operation, Operation::Add(_) | Operation::Insert(_))
}

/// The id of a record that is not an active bullet.
fn put_away(record: &ImportRecord) -> Option<BulletId> {
    match &record.operation {
        Operation::Insert(insertion) if insertion.bullet.status != Status::Active => {
            Some(insertion.bullet.id)
        }
        _ => None,
    }
}
