//! The answers to imports, told in lines of the file instead of operations of the delta.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::errors::CapturedResponse;
use super::{
    DeltaOutcome, LineReason, LinkedResponse, MergedResponse, RedactedResponse, SinceResponse,
    is_refused,
};
use crate::api::import::ImportRecord;
use crate::api::schema::Id;
use crate::domain::lesson::ids::LessonId;
use crate::domain::memory::bullet::{BulletId, Status};
use crate::domain::memory::delta::{DeltaId, Operation};
use crate::engine::AppliedDelta;
use crate::engine::lessons::{LearnedElsewhere, RestoredLessons};

/// The answer to an import.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ImportResponse {
    /// What became of the records; absent where the file holds none for a memory.
    #[serde(flatten)]
    pub bullets: Option<Imported>,
    /// What became of the lessons of the file; null where it holds none.
    pub learned: Option<LessonsRestoredResponse>,
    /// True when nothing was written, since only a look was asked for; absent otherwise.
    #[serde(skip_serializing_if = "is_false")]
    pub dry_run: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// What became of the lessons, errors and runs of an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LessonsRestoredResponse {
    /// Lessons in the file, in any status.
    pub lessons: usize,
    /// Runs in the file.
    pub runs: usize,
    /// Errors in the file.
    pub errors: usize,
    /// True when the learner had all of it, and nothing was changed.
    pub unchanged: bool,
    /// Secrets that were taken out of it; absent where there were none.
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
            redacted: RedactedResponse::of(&restored.redacted),
        }
    }
}

/// What became of a file of lessons and errors of the original program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LessonsImportedResponse {
    /// Lines with something on them, readable or not.
    pub read: u64,
    /// Lessons that are new to the learner.
    pub added: u64,
    /// Lessons that went into another that says nearly the same.
    pub merged: u64,
    /// Lessons that the learner has already, and that count once more.
    pub confirmed: u64,
    /// Lessons that begin out of use, because one that is out of use says the same.
    pub inherited: u64,
    /// Pairs of lessons that contradict each other.
    pub conflicts: u64,
    /// Errors that are new.
    pub errors: usize,
    /// Errors that were known.
    pub errors_known: usize,
    /// Unreadable lines that were skipped as asked.
    pub skipped: Vec<LineReason>,
    /// Readable lines that were not taken; always empty today.
    pub refused: Vec<LineReason>,
    /// True when the whole file was taken in before.
    pub repeated: bool,
    /// Ids of the lessons, in the order of the file.
    #[schemars(with = "Vec<Id>")]
    pub lessons: Vec<LessonId>,
    /// What was replaced in the file.
    pub notes: Vec<String>,
    /// Secrets that were taken out of it; absent where there were none.
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
            redacted: RedactedResponse::of(&taken_out),
        }
    }
}

/// What an import did to the memory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Imported {
    /// The delta that it became.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// What came of it.
    pub outcome: DeltaOutcome,
    /// What became of it since; null unless the file had been imported before.
    pub since: Option<SinceResponse>,
    /// Records in the file.
    pub read: u64,
    /// Records that became bullets of their own.
    pub added: usize,
    /// Records that went into other bullets.
    pub merged: usize,
    /// Records that brought an archived bullet back.
    pub revived: usize,
    /// Records of bullets that are here already and got more votes.
    pub updated: usize,
    /// Records of bullets that are here already as they are.
    pub unchanged: usize,
    /// Unreadable records that were skipped as asked.
    pub skipped: Vec<LineReason>,
    /// Readable records that were not applied.
    pub refused: Vec<LineReason>,
    /// Records that name another learner.
    pub foreign_learners: u64,
    /// Which bullets were merged, of the file or of the memory.
    pub merged_pairs: Vec<MergedResponse>,
    /// Similar bullets that were kept apart.
    pub linked_pairs: Vec<LinkedResponse>,
    /// Revision after the import.
    pub revision: u64,
    /// Clock after the import.
    pub clock: u64,
    /// State digest after the import.
    pub digest: String,
    /// True when this file had been imported before and nothing was changed now.
    pub repeated: bool,
    /// What was replaced in the file.
    pub notes: Vec<String>,
    /// True when all records were refused.
    #[serde(skip)]
    pub is_refused: bool,
    /// Secrets that were taken out of the records; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
}

impl Imported {
    /// The answer for the records of a file and their delta, where `is_whole_memory` with bullets that
    /// are known by their ids; what was read and skipped is still to be filled in.
    pub fn of(applied: AppliedDelta, records: &[ImportRecord], is_whole_memory: bool) -> Self {
        let (outcome, is_refused) = (DeltaOutcome::of(&applied), is_refused(&applied));
        let repeated = applied.repeated;
        let since = repeated.then(|| SinceResponse::from(applied.since));
        let receipt = applied.receipt;
        // What was exported as put away comes in as put away, and is no less a bullet of its own.
        let put_away: HashSet<BulletId> = records.iter().filter_map(put_away).collect();
        let away = receipt.archived.iter().chain(&receipt.rejected);
        let away = away.filter(|id| put_away.contains(id)).count();
        let added = receipt.added.len() + away;
        // A receipt is about bullets: a record that met an equal one may have changed nothing. So what went into
        // others is what is left of the records.
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
        // A whole bullet that is here already leaves no trace where nothing of it was new.
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

/// Links are records, too, and are not counted.
fn is_bullet(record: &ImportRecord) -> bool {
    matches!(record.operation, Operation::Add(_) | Operation::Insert(_))
}

/// The id of a record that is no active bullet.
fn put_away(record: &ImportRecord) -> Option<BulletId> {
    match &record.operation {
        Operation::Insert(insertion) if insertion.bullet.status != Status::Active => {
            Some(insertion.bullet.id)
        }
        _ => None,
    }
}
