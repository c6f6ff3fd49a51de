//! The answer to an import, told in lines of the file instead of operations of the delta.

use std::collections::HashSet;

use serde::Serialize;

use super::{
    DeltaOutcome, LineReason, LinkedResponse, MergedResponse, RedactedResponse, SinceResponse,
    is_refused,
};
use crate::api::import::ImportRecord;
use crate::domain::memory::bullet::{BulletId, Status};
use crate::domain::memory::delta::{DeltaId, Operation};
use crate::engine::AppliedDelta;

/// The answer to an import.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Imported {
    /// The delta that it became.
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
